import Foundation
package import TesseraArchives
import TesseraCodecs
import TesseraDocuments
package import TesseraJobs
package import TesseraPlan
package import TesseraRecordings
package import TesseraSystem

/// A call as it was handed over: what its recorder says of it, and where its files are.
package struct CallInput: Sendable {
  /// What happened.
  package var recording: Recording
  /// The folder to which the recording's paths are relative; empty is the current one.
  package var root: String
  /// The paths of all files that were looked at, relative to ``root``.
  package var listing: [String]
  /// Whether it is a plain list of files, which only their names say anything of.
  package var isPlainList: Bool
  /// What people should know about how it was read; a sentence each.
  package var notes: [String]
  /// The names, as they are compared, of the people who are left out on request.
  var absent: Set<String> = []

  /// A call that somebody has put together.
  package init(_ recording: Recording, root: String = "") {
    (self.recording, self.root) = (recording, root)
    listing = recording.tracks.map(\.file)
    isPlainList = false
    notes = []
  }

  /// Reads `inputs`: one folder, archive, manifest or session file, or media files.
  ///
  /// - Parameters:
  ///   - inputs: their paths.
  ///   - format: the recorder whose format it is; nil finds out.
  ///   - people: a file that says whom identifiers stand for.
  ///   - workFolder: where an archive is unpacked; nil is the folder for temporary files.
  ///   - limits: how much of an archive is unpacked.
  ///   - allowsMissing: whether recordings that a session file names may be missing.
  ///   - streams: whether a plain file is one participant or several.
  ///   - channels: whether each channel of sound is a participant of its own.
  ///   - mayLeaveFolder: whether a session file may name files outside of its folder.
  ///   - isOutput: true for the absolute path of a file that the request itself made, which is left out of a folder.
  ///   - readers: the processes that look into media files; nil is threads of this one.
  ///   - progress: is called with what is done, on any thread.
  ///   - cancellation: ends unpacking early.
  /// - Returns: the call.
  /// - Throws: ``RenderError`` in one sentence, where they are not a recording.
  package static func open(
    _ inputs: [String], format: String? = nil, people: String? = nil, workFolder: String? = nil,
    limits: ArchiveLimits = ArchiveLimits(), allowsMissing: Bool = false,
    streams: StreamChoice = .auto, channels: ChannelChoice = .mixed, mayLeaveFolder: Bool = true,
    isOutput: (String) -> Bool = { _ in false }, readers: WorkerProgram? = nil,
    progress: (@Sendable (PlanningProgress) -> Void)? = nil,
    cancellation: Cancellation = Cancellation()
  ) throws(RenderError) -> CallInput {
    guard !inputs.isEmpty else {
      throw RenderError(.usage, "there is nothing to render: name at least one recording.")
    }
    let readers = TaskPool(readers, cancellation: cancellation, planning: progress)
    do {
      var source = try Source.open(
        inputs, workFolder: workFolder ?? NSTemporaryDirectory(), limits: limits,
        unpack: { try Self.unpack($0, into: $1, readers) },
        streams: { StreamListing.facts($0, readers) })
      let outputs = Self.removeOutputs(from: &source, isOutput)
      source.recording.allowsMissing = allowsMissing
      source.recording.mayLeaveFolder = source.recording.mayLeaveFolder && mayLeaveFolder
      let root = source.root
      source.recording.spans = { paths in
        StreamListing.spans(paths.map { Self.path(of: $0, in: root) }, readers)
      }
      source.recording.headers = { paths in
        StreamListing.spans(paths.map { Self.path(of: $0, in: root) }, isWhole: false, readers)
      }
      source.recording.parts = { path in
        let full = Self.path(of: path, in: root)
        return RecordingParts.following(full).map { String($0.dropFirst(full.count - path.count)) }
      }
      (source.recording.streams, source.recording.channels) = (streams, channels)
      var recording = try Importers.recording(from: source.recording, format: format)
      recording.separateChannels(source.recording)
      if let people {
        recording = try Self.people(people).applied(to: recording)
      }
      var input = CallInput(recording, root: source.root)
      input.listing = source.recording.files.map(\.path)
      input.isPlainList = source.recording.isList
      input.notes = source.notes + outputs + recording.notes
      input.notes += input.files.filter { FileMark(path: $0) == .tags }.compactMap { file in
        FileMark.tags.isNamed(at: file)
          ? "\(file) was made by Tessera, and is rendered as a recording." : nil
      }
      return input
    } catch let error as DocumentError {
      throw RenderError(.failure, "\(error)")
    } catch let error as ArchiveError {
      throw RenderError(.failure, error.sentence)
    } catch let error as SystemError {
      throw RenderError(.failure, "\(error); check its name.")
    } catch let error as RenderError {
      throw error
    } catch {
      if cancellation.isCancelled { throw .stopped(cancellation) }
      throw RenderError(.failure, "cannot read \(inputs[0]): \(error.localizedDescription).")
    }
  }

  /// Removes the files of a folder that are outputs of the request; returns notes on those that could be recordings.
  private static func removeOutputs(
    from source: inout Source, _ isOutput: (String) -> Bool
  ) -> [String] {
    guard !source.recording.isList else { return [] }
    let root = FileSystem.realName(source.root)
    let manifest = source.recording.manifest
    let outputs = Set(
      source.recording.files.map(\.path).filter { $0 != manifest && isOutput("\(root)/\($0)") })
    source.recording.files.removeAll { outputs.contains($0.path) }
    // A manifest names its recordings.
    guard manifest == nil else { return [] }
    return outputs.sorted().filter { FileMark(path: $0) == .tags }.map {
      "\($0) is left out: an earlier run of the same render made it."
    }
  }

  /// True if `path` is a manifest or session file by its name.
  package static func isManifest(_ path: String) -> Bool { Source.isManifest(path) }

  /// Imports the manifest at `path` without opening the recordings that it names.
  ///
  /// - Parameters:
  ///   - path: the manifest.
  ///   - format: the recorder whose format it is; nil finds out.
  /// - Returns: a digest of the imported recording without its notes, and the paths of all files that
  ///   it names, relative to the manifest's folder; nil where no importer can read the manifest
  ///   without opening recordings.
  package static func imported(
    _ path: String, format: String?
  ) -> (digest: String, files: [String])? {
    let source = Source.manifest(path).recording
    guard var recording = try? Importers.recording(from: source, format: format) else { return nil }
    // These depend on unrelated files of the folder.
    (recording.notes, recording.leftOut) = ([], [])
    return (ContentDigest.of(recording), recording.paths)
  }

  /// The file that says whom identifiers stand for.
  private static func people(_ path: String) throws -> People {
    guard FileSystem.exists(path) else {
      throw RenderError(
        .usage,
        "cannot open the people file \(path): it is not there; check the name given to \(option: "people")."
      )
    }
    return try People(RegularFile.bytes(path, atMost: Document.maximumSize + 1), file: path)
  }

  /// What the file at `path` is in the call, such as "Ada's camera"; nil where only its name says
  /// whose it is.
  func role(of path: String) -> String? {
    guard !isPlainList else { return nil }
    return recording.participants.lazy.compactMap { person in
      person.tracks.first { self.path(of: $0.file) == path }.map {
        "\(person.name)'s \($0.kind.lossKind.noun)"
      }
    }.first
  }

  /// Has `archive` unpacked into `folder`; returns what people should know.
  private static func unpack(
    _ archive: Archive, into folder: String, _ readers: TaskPool
  ) throws -> [String] {
    try FileSystem.makeFolder(folder)
    let task = ReadingTask.unpack(archive.path, into: folder, archive.limits)
    switch try readers.read([task]).first {
    case .unpacked(let notes): return notes
    case .notUnpacked(let error): throw error
    default: throw RenderError.stopped(readers.cancellation)
    }
  }

  /// Where a file of the recording is.
  package func path(of file: String) -> String { Self.path(of: file, in: root) }

  private static func path(of file: String, in root: String) -> String {
    root.isEmpty || file.isAbsolutePath
      ? file : root.hasSuffix("/") ? root + file : "\(root)/\(file)"
  }

  /// The files of all tracks, each once, in order.
  package var files: [String] {
    var seen: Set<String> = []
    return recording.tracks.map { path(of: $0.file) }.filter { seen.insert($0).inserted }
  }
}
