import Foundation
package import TesseraJobs
package import TesseraMedia
import TesseraProof
package import TesseraSystem

/// Looking at a finished file, in a worker.
package struct VerifyTask: WorkerTask {
  /// The file.
  package var path: String
  /// The file with its proof; nil where there is none.
  package var proof: String?

  /// The file at `path`, held against the proof in the file at `proof`.
  package init(_ path: String, proof: String?) { (self.path, self.proof) = (path, proof) }

  /// What came of it.
  package enum Result: Sendable, Codable {
    case verdict(Verdict)
    case unreadable(MediaError)
    case noProof(String)
  }

  package static let name = "verifying"
  package var phase: String { "verifying" }
  package var paths: [String] { [path, proof].compactMap(\.self) }
  package var work: Double { 30 * Double(FileSystem.byteCount(of: path)) }

  package func refusal(of path: String, outside root: String) -> Result {
    .unreadable(MediaError(path: path, reason: .outside(root)))
  }

  package func perform(
    _ number: Int, note: CrashNote?, without losses: [CrashLoss], cancellation: Cancellation
  ) -> Result? {
    note?.enter(.probing, track: number, time: 0)
    defer { note?.leave(track: number) }
    do throws(MediaError) {
      if let manner = losses.last?.manner {
        throw MediaError(path: path, reason: .crash(manner))
      }
      var known: Proof?
      if let proof {
        guard let data = try? FileSystem.map(proof),
          let read = PlainJSON.value(data, as: Proof.self)
        else { return .noProof("\(proof) is not the proof of an output.") }
        guard read.version == Proof.version else {
          return .noProof(
            "\(proof) is a proof of version \(read.version): render the output again.")
        }
        known = read
      }
      return try FileCheck.verdict(on: path, known, cancellation: cancellation).map {
        .verdict($0)
      }
    } catch {
      return .unreadable(error)
    }
  }
}

extension VerifyTask {
  /// What deviates in the files of `tasks`, by those of `pool`; nil for what was not looked at because somebody asked
  /// to stop.
  ///
  /// - Throws: ``RenderError`` where a file cannot be read, or its proof is none.
  package static func verdicts(
    _ tasks: [VerifyTask], by pool: TaskPool
  ) throws(RenderError) -> [Verdict?] {
    var verdicts: [Verdict?] = []
    for result in try pool.perform(tasks) {
      switch result {
      case .verdict(let verdict): verdicts.append(verdict)
      case .unreadable(let error): throw RenderError(.failure, "\(error)")
      case .noProof(let words): throw RenderError(.failure, words)
      case nil: verdicts.append(nil)
      }
    }
    return verdicts
  }
}
