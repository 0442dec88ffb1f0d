import Foundation
package import TesseraArchives
import TesseraCodecs
import TesseraDocuments
package import TesseraJobs
package import TesseraMessages
package import TesseraPlan
package import TesseraRecordings
package import TesseraSystem
import TesseraTimeline

/// A call as the user supplied it: the imported recording and the location of its files.
package struct ImportedCall: Sendable {
  /// The imported recording: participants, tracks and events.
  package var recording: Recording
  /// The folder to which the recording's paths are relative; empty for the current folder.
  package var root: String
  /// The paths of all files that the importer listed, relative to ``root``.
  package var listing: [String]
  /// True if the input is a plain list of files, described only by their names.
  package var isPlainList: Bool
  /// Notes for the user about the import, one sentence each.
  package var notes: [UserMessage]
  /// The folded names of participants that options exclude.
  var absent: Set<String> = []

  /// Creates a call from a recording that a program composed.
  package init(_ recording: Recording, root: String = "") {
    (self.recording, self.root) = (recording, root)
    listing = recording.tracks.map(\.file)
    isPlainList = false
    notes = []
  }

  /// Reads `inputs`: one folder, archive, manifest or session file, or several media files.
  ///
  /// - Parameters:
  ///   - inputs: The paths to read.
  ///   - format: The name of the recorder format; `nil` to detect it.
  ///   - people: The path of a file that maps identifiers to people.
  ///   - unpackFolder: The folder in which an archive is unpacked, into `archive`; `nil` for the
  ///     folder of temporary files.
  ///   - limits: The limits for unpacking an archive.
  ///   - allowsMissing: True if files that a session file names may be missing.
  ///   - streams: The choice between one participant for a plain file and one for each stream.
  ///   - channels: The choice between mixing channels and one participant for each channel.
  ///   - mayLeaveFolder: True if a session file may name files outside its folder.
  ///   - isOutput: Returns true for the absolute path of a file that this request itself made; such
  ///     files in a folder are ignored.
  ///   - readers: The worker program for reading media files; `nil` to read on threads of this
  ///     process.
  ///   - progress: Receives planning progress, on any thread.
  ///   - cancellation: Stops unpacking and reading early.
  /// - Returns: The call.
  /// - Throws: ``RenderError`` with one sentence if the inputs are not a recording.
  package static func open(
    _ inputs: [String], format: String? = nil, people: String? = nil, unpackFolder: String? = nil,
    limits: ArchiveLimits = ArchiveLimits(), allowsMissing: Bool = false,
    streams: StreamAssignment = .auto, channels: ChannelAssignment = .mixed,
    mayLeaveFolder: Bool = true,
    isOutput: (String) -> Bool = { _ in false }, readers: WorkerProgram? = nil,
    progress: (@Sendable (PlanningProgress) -> Void)? = nil,
    cancellation: Cancellation = Cancellation()
  ) throws(RenderError) -> ImportedCall {
    guard !inputs.isEmpty else {
      throw RenderError(.usage, "there is nothing to render: name at least one recording.")
    }
    let readers = TaskWorkerPool(readers, cancellation: cancellation, planning: progress)
    do {
      let unpacked = try unpack(inputs, below: unpackFolder, limits, readers)
      var source = try CallInputFiles(inputs, unpacked: unpacked)
      for (index, path) in source.matroskaFiles {
        source.recording.files[index].streams = StreamLister.facts(path, readers)
      }
      let outputs = Self.removeOutputs(from: &source, isOutput)
      source.recording.allowsMissing = allowsMissing
      source.recording.mayLeaveFolder = source.recording.mayLeaveFolder && mayLeaveFolder
      let root = source.root
      source.recording.spans = { paths in
        StreamLister.spans(paths.map { Self.path(of: $0, in: root) }, readers)
      }
      source.recording.headers = { paths in
        StreamLister.spans(paths.map { Self.path(of: $0, in: root) }, isWhole: false, readers)
      }
      source.recording.parts = { path in
        let full = Self.path(of: path, in: root)
        return RecordingPartFinder.following(full).map {
          String($0.dropFirst(full.count - path.count))
        }
      }
      (source.recording.streams, source.recording.channels) = (streams, channels)
      var recording = try ImporterRegistry.recording(from: source.recording, format: format)
      recording.separateChannels(source.recording)
      if let people {
        recording = try Self.people(people).applied(to: recording)
      }
      var input = ImportedCall(recording, root: source.root)
      input.listing = source.recording.files.map(\.path)
      input.isPlainList = source.recording.isList
      input.notes = source.notes + outputs + recording.messages
      input.notes += input.files.filter { OutputMark(path: $0) == .tags }.compactMap {
        file -> UserMessage? in
        OutputMark.tags.isNamed(at: file)
          ? "\(file: file) was made by Tessera, and is rendered as a recording." : nil
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
      throw RenderError(.failure, "cannot read \(file: inputs[0]): \(error.localizedDescription).")
    }
  }

  /// Removes files that are outputs of the request from a folder's listing. Returns notes about
  /// those that could have been recordings.
  private static func removeOutputs(
    from source: inout CallInputFiles, _ isOutput: (String) -> Bool
  ) -> [UserMessage] {
    guard !source.recording.isList else { return [] }
    let root = FileOperations.realName(source.root)
    let manifest = source.recording.manifest
    let outputs = Set(
      source.recording.files.map(\.path).filter { $0 != manifest && isOutput("\(root)/\($0)") })
    source.recording.files.removeAll { outputs.contains($0.path) }
    // With a manifest, the recordings are named explicitly, so no note is needed.
    guard manifest == nil else { return [] }
    return outputs.sorted().filter { OutputMark(path: $0) == .tags }.map {
      "\(file: $0) is left out: an earlier run of the same render made it."
    }
  }

  /// Returns true if `path` has the name of a manifest or session file.
  package static func isManifest(_ path: String) -> Bool { CallInputFiles.isManifest(path) }

  /// Imports the manifest at `path` without opening the recordings that it names.
  ///
  /// - Parameters:
  ///   - path: The manifest.
  ///   - format: The name of the recorder format; `nil` to detect it.
  /// - Returns: A digest of the imported recording without its notes, and the paths of all files
  ///   that it names, relative to the manifest's folder. `nil` if no importer can read the manifest
  ///   without opening recordings.
  package static func imported(
    _ path: String, format: String?
  ) -> (digest: String, files: [String])? {
    let source = CallInputFiles.manifest(path).recording
    guard var recording = try? ImporterRegistry.recording(from: source, format: format) else {
      return nil
    }
    // Notes and unused files depend on unrelated files of the folder.
    (recording.messages, recording.leftOut) = ([], [])
    return (ContentDigester.of(recording), recording.paths)
  }

  /// Reads the file that maps identifiers to people.
  private static func people(_ path: String) throws -> PeopleFile {
    guard FileOperations.exists(path) else {
      throw RenderError(
        .usage,
        "cannot open the people file \(file: path): it does not exist; check the name given to \(option: "people")."
      )
    }
    return try PeopleFile(
      RegularFile.bytes(path, atMost: DocumentValue.maximumSize + 1), file: path)
  }

  /// Returns the role of the file at `path`, such as "Ada's camera", or `nil` in a plain list of
  /// files.
  func role(of path: String) -> String? {
    guard !isPlainList else { return nil }
    return recording.participants.lazy.compactMap { person in
      person.tracks.first { self.path(of: $0.file) == path }.map {
        "\(person.name)'s \($0.kind.lossKind.noun)"
      }
    }.first
  }

  /// Unpacks the only one of `inputs` in a worker, and returns the folder with notes for the user.
  /// Returns `nil` if it is no archive.
  private static func unpack(
    _ inputs: [String], below unpackFolder: String?, _ limits: ArchiveLimits,
    _ readers: TaskWorkerPool
  ) throws -> CallInputFiles.Unpacked? {
    guard inputs.count == 1, CallInputFiles.isArchive(inputs[0]) else { return nil }
    let folder = "\(unpackFolder ?? NSTemporaryDirectory())/archive"
    try FileOperations.makeFolder(folder)
    let task = RecordingReadTask.unpack(inputs[0], into: folder, limits)
    switch try readers.results(of: [task]).first {
    case .unpacked(let notes): return (folder, notes)
    case .notUnpacked(let error): throw error
    case .unreadable(let error): throw RenderError(.failure, error.sentence)
    default: throw RenderError.stopped(readers.cancellation)
    }
  }

  /// Returns the path of a file that the recording names.
  package func path(of file: String) -> String { Self.path(of: file, in: root) }

  private static func path(of file: String, in root: String) -> String {
    root.isEmpty || file.isAbsolutePath
      ? file : root.hasSuffix("/") ? root + file : "\(root)/\(file)"
  }

  /// The paths of all tracks' files, each once, in order.
  package var files: [String] { recording.tracks.map { path(of: $0.file) }.unique }
}
