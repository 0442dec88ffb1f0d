import Foundation
package import TesseraCodecs
import TesseraDocuments
package import TesseraJobs
package import TesseraMessages
import TesseraProof
package import TesseraSystem
import TesseraTimeline

/// A worker task that checks one finished file or one part of a stream.
package struct VerifyTask: WorkerTask {
  /// The path of the output that reports name.
  package var output: String
  /// The part of a stream, as in ``VerificationReport/part``.
  package var part: String?
  /// The file or playlist to play.
  package var path: String
  /// The path of the proof; `nil` if there is none.
  package var proof: String?
  /// The number of stretches to check; `nil` checks everything.
  package var sampleCount: Int?

  /// Divides the check of the output at `path`, a file or a stream, into tasks.
  ///
  /// - Parameters:
  ///   - path: the file, or a stream's first playlist or folder.
  ///   - proof: the path of the output's proof; `nil` if there is none.
  ///   - count: the number of random stretches to check per task; `nil` checks everything.
  /// - Returns: one task for a file; one for each size and one for the sound of a stream.
  package static func tasks(
    for path: String, proof: String?, sampling count: Int? = nil
  ) -> [VerifyTask] {
    parts(of: path, proof: proof).map { task in
      var task = task
      task.sampleCount = count
      return task
    }
  }

  private static func parts(of path: String, proof: String?) -> [VerifyTask] {
    let entries = [HLSPackager.entry, "thumbnails.vtt"].map {
      path.hasSuffix("/") ? path + $0 : "\(path)/\($0)"
    }
    if FileOperations.isFolder(path), let entry = entries.first(where: FileOperations.exists) {
      return parts(of: entry, proof: proof)
    }
    guard HLSPlaylist.isPlaylist(path),
      let bytes = try? RegularFile.bytes(path, atMost: HLSPlaylist.largestSize),
      let list = HLSPlaylist(bytes)
    else { return [VerifyTask(output: path, path: path, proof: proof)] }
    let folder = path.folderPath
    let parts = list.variants.map(\.uri) + list.sounds.values.sorted()
    guard !parts.isEmpty else {
      let name = folder.pathParts.last.map(String.init) ?? path
      return [VerifyTask(output: path, part: name, path: path, proof: proof)]
    }
    return parts.map { uri in
      let names = uri.pathParts
      let name = names.count > 1 ? String(names[names.count - 2]) : uri
      let place = HLSPlaylist.path(of: uri, in: path, isPresent: FileOperations.exists)
      return VerifyTask(
        output: path, part: name, path: place ?? folder + name, proof: proof)
    }
  }

  /// The outcome of a task.
  package enum Result: Sendable, Codable {
    case verdict(VerificationReport)
    case unreadable(MediaError)
    case noProof(UserMessage)
  }

  package static let name = "verifying"
  package var phase: String { "verifying" }
  package var paths: [String] {
    // A thumbnail list names pictures in its folder.
    let folder = path.lowercased().hasSuffix(".vtt") ? path.folderPath : nil
    return [path, folder, proof].compactMap(\.self)
  }
  package var work: Double { 30 * Double(FileOperations.byteCount(of: path)) }

  package func refusal(of path: String, outside root: String) -> Result {
    .unreadable(MediaError(path: path, reason: .outside(root)))
  }

  package func result(
    _ number: Int, note: CrashNote?, without losses: [CrashedTrackLoss], cancellation: Cancellation
  ) -> Result? {
    note?.enter(.probing, track: number, time: 0)
    defer { note?.leave(track: number) }
    do throws(MediaError) {
      if let manner = losses.last?.manner {
        throw MediaError(path: path, reason: .crash(manner))
      }
      var known: OutputProof?
      if let proof {
        guard let data = try? FileOperations.map(proof),
          let read = CanonicalJSON.value(data, as: OutputProof.self)
        else { return .noProof("\(file: proof) is not the proof of an output.") }
        guard read.version == OutputProof.version else {
          return .noProof(
            "\(file: proof) is a proof of version \(read.version): render the output again.")
        }
        known = read
      }
      if let part { known = known?.part(part) }
      return try verdict(known, cancellation).map { .verdict($0) }
    } catch {
      return .unreadable(error)
    }
  }
}

extension VerifyTask {
  private func verdict(
    _ proof: OutputProof?, _ cancellation: Cancellation
  ) throws(MediaError) -> VerificationReport? {
    let verdict = VerificationReport(output: output, part: part, isProven: proof != nil)
    if StillsCheck.takes(path) { return try StillsCheck.verdict(on: path, verdict) }
    return try OutputFileCheck.verdict(
      on: path, proof, into: verdict, sampling: sampleCount, cancellation: cancellation)
  }

  /// Runs `tasks` on the workers of `pool` and returns their verdicts; `nil` for a cancelled task.
  ///
  /// - Throws: ``RenderError`` if a file or its proof cannot be read.
  package static func verdicts(
    _ tasks: [VerifyTask], by pool: TaskWorkerPool
  ) throws(RenderError) -> [VerificationReport?] {
    var verdicts: [VerificationReport?] = []
    for result in try pool.results(of: tasks) {
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
