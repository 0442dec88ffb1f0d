import Foundation
import TesseraJobs
import TesseraMessages
import TesseraRequest
package import TesseraSystem

/// Detects conflicts between the files of a batch's jobs: no file may be the output of two jobs, or
/// the output of one and an input of another. Files are compared by identity, so links do not hide
/// conflicts.
///
/// Only a hash of each file's identity is stored.
package struct JobFileConflictDetector {
  /// The owner of a file.
  private enum Owner {
    case job(Int32)
    /// The batch itself; the text names the file's role.
    case batch(String)
  }

  /// Returns the name of the job with an index for messages.
  var jobName: (Int) -> String = { "job \($0 + 1)" }
  /// The outputs of all jobs as options name them. One without a placeholder is the same in each job.
  var shared: Set<String> = []
  private var inputs: [ResolvedFileID: Owner] = [:]
  private var outputs: [ResolvedFileID: Owner] = [:]
  /// Existing outputs that may be overwritten, with the places of their jobs in the list.
  private var replaceable: [(path: String, place: String)] = []

  /// Creates the record with the batch's own files: its list and the files that it writes, each
  /// with a description for messages.
  ///
  /// - Throws: ``RenderError`` if two of these files are the same file.
  package init(
    list: String? = nil, _ own: [(path: String?, what: String)] = []
  ) throws(RenderError) {
    if let list { inputs[ResolvedFileID(file: list)] = .batch("the list of jobs") }
    for case (let path?, let what) in own {
      let key = ResolvedFileID(file: path)
      if let other = inputs[key] ?? outputs.updateValue(.batch(what), forKey: key) {
        throw RenderError(
          .usage, "\(file: path) is \(what) and also \(text(other)); give it another name.")
      }
    }
  }

  /// Adds the files of the `job` at `place` in the list, and returns a sentence for each conflict.
  package mutating func add(_ job: BatchJob, place: String) -> [String] {
    let owner = Owner.job(Int32(clamping: job.number))
    var sentences: [String] = []
    for input in job.request.inputs {
      let key = ResolvedFileID(file: input)
      if let other = outputs[key] {
        sentences.append("the input \(input) is \(text(other, "the output")).")
      }
      inputs[key] = owner
    }
    let isOverwriting = job.request.execution.overwrites == true
    for output in job.files {
      let key = ResolvedFileID(file: output)
      if let other = outputs[key] {
        let advice =
          shared.contains(BatchJob.plain(output))
          ? ": put {name} or {id} into its name, which all jobs share." : "."
        sentences.append("the output \(output) is \(text(other)), too\(advice)")
      } else {
        outputs[key] = owner
        if let other = inputs[key] {
          sentences.append("the output \(output) is \(text(other, "an input")).")
        }
      }
      if isOverwriting, !output.contains("://"), FileOperations.exists(output) {
        replaceable.append((output, place))
      }
    }
    return sentences
  }

  /// The conflicts of outputs located inside the inputs of any job. Complete after all jobs were
  /// added.
  package var mixed: [(place: String, sentence: String)] {
    replaceable.compactMap { output, place in
      var folder = URL(fileURLWithPath: FileOperations.realName(output)).deletingLastPathComponent()
      while folder.path != "/" {
        if case .job(let number)? = inputs[ResolvedFileID(file: folder.path)] {
          do throws(RenderError) {
            try OutputFile.require(output, protecting: [folder.path], overwriting: true)
            return nil
          } catch {
            return FileOperations.isFolder(output)
              ? nil : (place, "the output \(output) is \(text(.job(number), "an input")).")
          }
        }
        folder.deleteLastPathComponent()
      }
      return nil
    }
  }

  private func text(_ owner: Owner, _ what: String = "that") -> String {
    switch owner {
    case .job(let number): "\(what) of \(jobName(Int(number)))"
    case .batch(let what): what
    }
  }
}

/// The identity of a file, whatever path leads to it: device and inode, or a hash of the resolved
/// path if the file does not exist.
package struct ResolvedFileID: Hashable, Sendable {
  private let high, low: UInt64

  private init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  /// Creates the key of the file or folder `file`, or of an object in a bucket.
  package init(file: String) {
    if file.contains("://") {
      self.init(file)
    } else if let found = FileVersion(of: file) {
      self.init(high: found.device, low: found.inode)
    } else {
      self.init(FileOperations.realName(file))
    }
  }

  /// Creates a key from a hash of `text`.
  package init(_ text: String) {
    let bytes = SHA256.digest(Array(text.utf8))
    func word(_ first: Int) -> UInt64 {
      bytes[first..<(first + 8)].reduce(0) { $0 << 8 | UInt64($1) }
    }
    self.init(high: word(0), low: word(8))
  }
}
