import Foundation
import TesseraDocuments
package import TesseraMessages
package import TesseraRecordings
import TesseraSystem

/// The inputs of a command, prepared for the importers.
///
/// An input is a folder, an archive (which is unpacked first), a manifest or session file, or a
/// list of media files. `Importers` then recognizes the recorder.
package struct CallSource: Sendable {
  /// The listing and the file access that importers receive.
  package var recording: RecordingSource
  /// The folder to which all paths are relative; empty for the current one.
  package let root: String
  /// Warnings for the user about reading the inputs.
  package private(set) var notes: [Message] = []

  /// The maximum depth of folders that are listed.
  static let maximumDepth = 16

  /// Opens `inputs`: one folder, archive, manifest or session file, or any number of media files.
  ///
  /// - Parameters:
  ///   - inputs: the paths as the user gave them.
  ///   - workFolder: the folder below which an archive is unpacked.
  ///   - limits: limits on unpacking.
  ///   - unpack: unpacks an archive into a folder and returns warnings; `nil` unpacks in this
  ///     process.
  ///   - streams: the streams of a Matroska file, for recorders that write all participants into
  ///     one file; `nil` if the file cannot be read.
  /// - Returns: the source, for `Importers.recording(from:)`.
  /// - Throws: ``ArchiveError`` or `DocumentError`, each one sentence.
  package static func open(
    _ inputs: [String], workFolder: String, limits: ArchiveLimits = ArchiveLimits(),
    unpack: ((Archive, _ folder: String) throws -> [Message])? = nil,
    streams: (_ path: String) -> [RecordingSource.StreamFacts]? = { _ in nil }
  ) throws -> CallSource {
    guard let input = inputs.first, inputs.count == 1 else { return try list(inputs) }
    guard let isFolder = isFolder(input) else { return try list(inputs) }
    var source: CallSource
    if isFolder {
      source = try folder(input, name: input)
    } else if Archive.isArchive(input) {
      let unpacked = "\(workFolder)/archive"
      let archive = Archive(input, limits: limits)
      let notes = try unpack?(archive, unpacked) ?? archive.unpack(into: unpacked).notes
      source = try folder(unpacked, name: input)
      source.notes = notes + source.notes
    } else if isManifest(input) {
      source = manifest(input)
    } else {
      return try list(inputs)
    }
    source.addStreams(streams)
    return source
  }

  /// True if `path` is an archive that ``open(_:workFolder:limits:unpack:streams:)`` would unpack.
  package static func isArchive(_ path: String) -> Bool {
    isFolder(path) == false && Archive.isArchive(path)
  }

  /// True if `path` is a folder, an archive, a manifest or a session file. False for media files.
  package static func isCall(_ path: String) -> Bool {
    guard let isFolder = isFolder(path) else { return false }
    return isFolder || Archive.isArchive(path) || isManifest(path)
  }

  /// True for a folder or a link to one; `nil` if nothing exists at `path`.
  private static func isFolder(_ path: String) -> Bool? {
    let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    guard let facts = try? FileManager.default.attributesOfItem(atPath: target) else { return nil }
    return facts[.type] as? FileAttributeType == .typeDirectory
  }

  /// True if `path` is a URL. libavformat would fetch it, which is not allowed.
  private static func isAddress(_ path: String) -> Bool {
    guard let colon = path.firstRange(of: "://") else { return false }
    return colon.lowerBound > path.startIndex
      && path[..<colon.lowerBound].allSatisfy { $0.isASCII && ($0.isLetter || "+.-".contains($0)) }
  }

  /// True if a single file is a manifest by its extension.
  package static func isManifest(_ path: String) -> Bool {
    Document.Syntax(fileName: path) != nil
      || ["jsonl", "ndjson", "txt"].contains(URL(fileURLWithPath: path).pathExtension.lowercased())
  }

  private static func folder(_ path: String, name: String) throws(DocumentError) -> CallSource {
    let listing = FolderListing(
      path, maximumDepth: maximumDepth, maximumFiles: RecordingSource.maximumFiles)
    guard !listing.isCut else {
      throw DocumentError(
        file: name, reason: "it holds more than \(RecordingSource.maximumFiles) files")
    }
    var source = CallSource(
      recording: RecordingSource(name: name, files: listing.files, read: reader(path)), root: path)
    source.notes = listing.notes
    return source
  }

  /// Opens the manifest at `path` together with the files beside it.
  ///
  /// Paths in a session file may point outside of the folder, because its owner wrote them.
  package static func manifest(_ path: String) -> CallSource {
    let url = URL(fileURLWithPath: path)
    let root = url.deletingLastPathComponent().path
    let name = url.lastPathComponent
    var listing = FolderListing(root, maximumDepth: 4, maximumFiles: 20_000).files
    if !listing.contains(where: { $0.path == name }) {
      listing.append(RecordingSource.File(name, size: size(of: path)))
    }
    var recording = RecordingSource(
      name: path, files: listing, manifest: name, read: reader(root))
    recording.mayLeaveFolder = true
    recording.isPresent = { file in
      FileManager.default.fileExists(atPath: file.isAbsolutePath ? file : "\(root)/\(file)")
    }
    return CallSource(recording: recording, root: root)
  }

  /// Opens media files by their paths. Missing files are reported later, by the reader.
  private static func list(_ paths: [String]) throws(DocumentError) -> CallSource {
    for path in paths {
      guard !isAddress(path) else {
        throw DocumentError(
          file: path,
          reason: "it is a web address that is not read; give an https:// or "
            + "s3:// address, or the file")
      }
      guard let isFolder = isFolder(path) else { continue }
      guard !isFolder, !Archive.isArchive(path) else {
        throw DocumentError(
          file: path,
          reason: "it is \(isFolder ? "a folder" : "an archive") among other inputs: "
            + "give it alone, or name the media files")
      }
    }
    let files = paths.map { RecordingSource.File($0, size: size(of: $0)) }
    return CallSource(
      recording: RecordingSource(
        name: paths.first ?? "", files: files, isList: true, read: reader("")),
      root: "")
  }

  private static func size(of path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }

  /// Returns a function that reads small files below `root`.
  private static func reader(
    _ root: String
  ) -> @Sendable (String) throws(DocumentError) -> [UInt8] {
    { path throws(DocumentError) in
      let full = root.isEmpty || path.isAbsolutePath ? path : "\(root)/\(path)"
      do throws(SystemError) {
        // Reading one byte more than allowed reveals a file that is too large.
        return try RegularFile.bytes(full, atMost: Document.maximumSize + 1)
      } catch {
        throw DocumentError(
          file: path, reason: "it cannot be read (\(error.reason)); check its permissions")
      }
    }
  }

  /// Adds the streams of Matroska files: some recorders write one stream per participant. Reads at
  /// most 100 files.
  private mutating func addStreams(_ streams: (String) -> [RecordingSource.StreamFacts]?) {
    var looked = 0
    for index in recording.files.indices {
      let path = recording.files[index].path
      guard path.hasSuffix(".mka") || path.hasSuffix(".mkv"), looked < 100 else { continue }
      looked += 1
      recording.files[index].streams = streams(root.isEmpty ? path : "\(root)/\(path)")
    }
  }
}
