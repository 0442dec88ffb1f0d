import Foundation
import TesseraDocuments
package import TesseraRecordings
import TesseraSystem

/// What was given on a command line, made ready for the importers: a folder, an archive that is
/// unpacked first, a manifest or session file, or media files.
package struct Source: Sendable {
  /// What the importers see.
  package var recording: RecordingSource
  /// The folder to which all paths are relative; empty is the current one.
  package let root: String
  /// What people should know about how it was read.
  package private(set) var notes: [String] = []

  /// The deepest folder that is looked into.
  static let maximumDepth = 16

  /// Opens `inputs`: one folder, archive, manifest or session file; or media files.
  ///
  /// - Parameters:
  ///   - inputs: the paths as they were given.
  ///   - workFolder: where an archive is unpacked, into a folder of its own.
  ///   - limits: how much of an archive is unpacked.
  ///   - unpack: unpacks an archive into a folder and returns what people should know; nil does it
  ///     here.
  ///   - streams: what a Matroska file's container says about its streams, for recorders that put
  ///     everyone into one file; nil where it cannot be read.
  /// - Returns: the source, for `Importers.recording(from:)`.
  /// - Throws: ``ArchiveError`` or `DocumentError`, one sentence.
  package static func open(
    _ inputs: [String], workFolder: String, limits: ArchiveLimits = ArchiveLimits(),
    unpack: ((Archive, _ folder: String) throws -> [String])? = nil,
    streams: (_ path: String) -> [RecordingSource.StreamFacts]? = { _ in nil }
  ) throws -> Source {
    guard let input = inputs.first, inputs.count == 1 else { return try list(inputs) }
    guard let isFolder = isFolder(input) else { return try list(inputs) }
    var source: Source
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

  /// Whether `path` is an archive that would be unpacked.
  package static func isArchive(_ path: String) -> Bool {
    isFolder(path) == false && Archive.isArchive(path)
  }

  /// Whether `path` is a folder, an archive, or a manifest or session file, and not a media file.
  package static func isCall(_ path: String) -> Bool {
    guard let isFolder = isFolder(path) else { return false }
    return isFolder || Archive.isArchive(path) || isManifest(path)
  }

  /// Whether a folder is at `path`, or a link to one; nil where nothing is.
  private static func isFolder(_ path: String) -> Bool? {
    let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    guard let facts = try? FileManager.default.attributesOfItem(atPath: target) else { return nil }
    return facts[.type] as? FileAttributeType == .typeDirectory
  }

  /// Whether `path` is a web address: libavformat would fetch it, and is not allowed to.
  private static func isAddress(_ path: String) -> Bool {
    guard let colon = path.firstRange(of: "://") else { return false }
    return colon.lowerBound > path.startIndex
      && path[..<colon.lowerBound].allSatisfy { $0.isASCII && ($0.isLetter || "+.-".contains($0)) }
  }

  /// Whether a single file is a manifest and no recording.
  package static func isManifest(_ path: String) -> Bool {
    Document.Syntax(fileName: path) != nil
      || ["jsonl", "ndjson", "txt"].contains(URL(fileURLWithPath: path).pathExtension.lowercased())
  }

  private static func folder(_ path: String, name: String) throws(DocumentError) -> Source {
    let listing = FolderListing(
      path, maximumDepth: maximumDepth, maximumFiles: RecordingSource.maximumFiles)
    guard !listing.isCut else {
      throw DocumentError(
        file: name, reason: "it holds more than \(RecordingSource.maximumFiles) files")
    }
    var source = Source(
      recording: RecordingSource(name: name, files: listing.files, read: reader(path)), root: path)
    source.notes = listing.notes
    return source
  }

  /// A manifest with the files beside it; a session file's paths may lead anywhere, as its owner
  /// has named it.
  package static func manifest(_ path: String) -> Source {
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
    return Source(recording: recording, root: root)
  }

  /// Media files as they were given; the reader says whether they are there.
  private static func list(_ paths: [String]) throws(DocumentError) -> Source {
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
    return Source(
      recording: RecordingSource(
        name: paths.first ?? "", files: files, isList: true, read: reader("")),
      root: "")
  }

  private static func size(of path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }

  /// Reads small files below `root`.
  private static func reader(
    _ root: String
  ) -> @Sendable (String) throws(DocumentError) -> [UInt8] {
    { path throws(DocumentError) in
      let full = root.isEmpty || path.isAbsolutePath ? path : "\(root)/\(path)"
      do throws(SystemError) {
        // One byte more than is read shows that there is more.
        return try RegularFile.bytes(full, atMost: Document.maximumSize + 1)
      } catch {
        throw DocumentError(
          file: path, reason: "it cannot be read (\(error.reason)); check who may read it")
      }
    }
  }

  /// Looks at the streams of Matroska files, of which some recorders put one for each person.
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
