import Foundation
package import TesseraCodecs
import TesseraDocuments
package import TesseraJobs
import TesseraProof
package import TesseraSystem
import TesseraTimeline

/// Looking at a finished file, or at a part of a stream, in a worker.
package struct VerifyTask: WorkerTask {
  /// What it is called.
  package var output: String
  /// The part of a stream: see ``Verdict/part``.
  package var part: String?
  /// What is played.
  package var path: String
  /// The file with its proof; nil where there is none.
  package var proof: String?
  /// How many stretches of it are looked at; nil for all of it.
  package var sampleCount: Int?

  /// The file at `path`, held against the proof in the file at `proof`.
  package init(_ path: String, proof: String?) {
    (output, self.path, self.proof) = (path, path, proof)
  }

  private init(_ output: String, part: String, path: String, proof: String?) {
    (self.output, self.part, self.path, self.proof) = (output, part, path, proof)
  }

  /// What has to be looked at of the output at `path`: a file, or a stream by its first playlist or its folder, of which
  /// each size and the sound are played by themselves; `count` stretches of each, or all of it.
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
    let entries = [StreamFolder.entry, "thumbnails.vtt"].map {
      path.hasSuffix("/") ? path + $0 : "\(path)/\($0)"
    }
    if FileSystem.isFolder(path), let entry = entries.first(where: FileSystem.exists) {
      return parts(of: entry, proof: proof)
    }
    guard Playlist.isPlaylist(path),
      let bytes = try? RegularFile.bytes(path, atMost: Playlist.largestSize),
      let list = Playlist(bytes)
    else { return [VerifyTask(path, proof: proof)] }
    let folder = path.folderPath
    let parts = list.variants.map(\.uri) + list.sounds.values.sorted()
    guard !parts.isEmpty else {
      let name = folder.pathParts.last.map(String.init) ?? path
      return [VerifyTask(path, part: name, path: path, proof: proof)]
    }
    return parts.map { uri in
      let names = uri.pathParts
      let name = names.count > 1 ? String(names[names.count - 2]) : uri
      let place = Playlist.path(of: uri, in: path, isPresent: FileSystem.exists)
      return VerifyTask(path, part: name, path: place ?? folder + name, proof: proof)
    }
  }

  /// What came of it.
  package enum Result: Sendable, Codable {
    case verdict(Verdict)
    case unreadable(MediaError)
    case noProof(String)
  }

  package static let name = "verifying"
  package var phase: String { "verifying" }
  package var paths: [String] {
    // A list of thumbnails names pictures beside it.
    let folder = path.lowercased().hasSuffix(".vtt") ? path.folderPath : nil
    return [path, folder, proof].compactMap(\.self)
  }
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
      if let part { known = known?.part(part) }
      return try verdict(known, cancellation).map { .verdict($0) }
    } catch {
      return .unreadable(error)
    }
  }
}

extension VerifyTask {
  private func verdict(
    _ proof: Proof?, _ cancellation: Cancellation
  ) throws(MediaError) -> Verdict? {
    let verdict = Verdict(output, part: part, isProven: proof != nil)
    if StillsCheck.takes(path) { return try StillsCheck.verdict(on: path, verdict) }
    return try FileCheck.verdict(
      on: path, proof, into: verdict, sampling: sampleCount, cancellation: cancellation)
  }

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
