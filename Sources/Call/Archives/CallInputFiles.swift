import Foundation
package import TesseraDocuments
package import TesseraMessages
package import TesseraRecordings
import TesseraSystem

/// The inputs of a command, prepared for the importers.
///
/// An input is a folder, an archive that was unpacked into a folder, a manifest or session file, or
/// a list of media files. `ImporterRegistry` then recognizes the recorder.
package struct CallInputFiles: Sendable {
  /// The listing and the file access that importers receive.
  package var recording: RecordingSource
  /// The folder to which all paths are relative; empty for the current one.
  package let root: String
  /// Warnings for the user about reading the inputs.
  package private(set) var notes: [UserMessage] = []

  /// The folder that an archive was unpacked into, and warnings for the user.
  package typealias Unpacked = (folder: String, notes: [UserMessage])

  /// The maximum depth of folders that are listed.
  static let maximumDepth = 16
}

extension CallInputFiles {
  /// Opens `inputs`: one folder, archive, manifest or session file, or any number of media files.
  ///
  /// - Parameters:
  ///   - inputs: the paths as the user gave them.
  ///   - unpacked: the content of the only input; `nil` if that is no archive.
  /// - Throws: a sentence if an input cannot be read in this way.
  package init(_ inputs: [String], unpacked: Unpacked? = nil) throws(DocumentError) {
    guard let input = inputs.first, inputs.count == 1 else {
      self = try Self.list(inputs)
      return
    }
    if let unpacked {
      self = try Self.folder(unpacked.folder, name: input)
      notes = unpacked.notes + notes
    } else if let isFolder = Self.isFolder(input), isFolder || Self.isManifest(input) {
      self = isFolder ? try Self.folder(input, name: input) : Self.manifest(input)
    } else {
      self = try Self.list(inputs)
    }
  }

  /// True if `path` is an archive, which has to be unpacked.
  package static func isArchive(_ path: String) -> Bool {
    isFolder(path) == false && ZipArchive.isArchive(path)
  }

  /// True if `path` is a folder, an archive, a manifest or a session file. False for media files.
  package static func isCall(_ path: String) -> Bool {
    guard let isFolder = isFolder(path) else { return false }
    return isFolder || ZipArchive.isArchive(path) || isManifest(path)
  }

  /// True for a folder or a link to one; `nil` if nothing exists at `path`.
  private static func isFolder(_ path: String) -> Bool? {
    FileOperations.exists(path) ? FileOperations.isFolder(path) : nil
  }

  /// True if `path` is a URL. libavformat would fetch it, which is not allowed.
  private static func isAddress(_ path: String) -> Bool {
    guard let colon = path.firstRange(of: "://") else { return false }
    return colon.lowerBound > path.startIndex
      && path[..<colon.lowerBound].allSatisfy { $0.isASCII && ($0.isLetter || "+.-".contains($0)) }
  }

  /// True if a single file is a manifest by its extension.
  package static func isManifest(_ path: String) -> Bool {
    DocumentValue.Syntax(fileName: path) != nil
      || ["jsonl", "ndjson", "txt"].contains(URL(fileURLWithPath: path).pathExtension.lowercased())
  }

  private static func folder(_ path: String, name: String) throws(DocumentError) -> CallInputFiles {
    let listing = FolderListing(
      path, maximumDepth: maximumDepth, maximumFiles: RecordingSource.maximumFiles)
    guard !listing.isCut else {
      throw DocumentError(
        file: name, reason: "it holds more than \(RecordingSource.maximumFiles) files")
    }
    var source = CallInputFiles(
      recording: RecordingSource(name: name, files: listing.files, read: reader(path)), root: path)
    source.notes = listing.notes
    return source
  }

  /// Opens the manifest at `path` together with the files beside it.
  ///
  /// Paths in a session file may point outside of the folder, because its owner wrote them.
  package static func manifest(_ path: String) -> CallInputFiles {
    let url = URL(fileURLWithPath: path)
    let root = url.deletingLastPathComponent().path
    let name = url.lastPathComponent
    var listing = FolderListing(root, maximumDepth: 4, maximumFiles: 20_000).files
    if !listing.contains(where: { $0.path == name }) {
      listing.append(RecordingSource.File(name, size: FileOperations.byteCount(of: path)))
    }
    var recording = RecordingSource(
      name: path, files: listing, manifest: name, read: reader(root))
    recording.mayLeaveFolder = true
    recording.isPresent = { file in
      FileManager.default.fileExists(atPath: file.isAbsolutePath ? file : "\(root)/\(file)")
    }
    return CallInputFiles(recording: recording, root: root)
  }

  /// Opens media files by their paths. Missing files are reported later, by the reader.
  private static func list(_ paths: [String]) throws(DocumentError) -> CallInputFiles {
    for path in paths {
      guard !isAddress(path) else {
        throw DocumentError(
          file: path,
          reason: "it is a web address that is not read; give an https:// or "
            + "s3:// address, or the file")
      }
      guard let isFolder = isFolder(path) else { continue }
      guard !isFolder, !ZipArchive.isArchive(path) else {
        throw DocumentError(
          file: path,
          reason: "it is \(isFolder ? "a folder" : "an archive") among other inputs: "
            + "give it alone, or name the media files")
      }
    }
    let files = paths.map { RecordingSource.File($0, size: FileOperations.byteCount(of: $0)) }
    return CallInputFiles(
      recording: RecordingSource(
        name: paths.first ?? "", files: files, isList: true, read: reader("")),
      root: "")
  }

  /// Returns a function that reads small files below `root`.
  private static func reader(
    _ root: String
  ) -> @Sendable (String) throws(DocumentError) -> [UInt8] {
    { path throws(DocumentError) in
      let full = root.isEmpty || path.isAbsolutePath ? path : "\(root)/\(path)"
      do throws(SystemError) {
        // Reading one byte more than allowed reveals a file that is too large.
        return try RegularFile.bytes(full, atMost: DocumentValue.maximumSize + 1)
      } catch {
        throw DocumentError(
          file: path, reason: "it cannot be read (\(error.reason)); check its permissions")
      }
    }
  }

  /// The Matroska files in a folder, at most 100, by their indexes in the recording's files: some
  /// recorders write one stream per participant.
  package var matroskaFiles: [(index: Int, path: String)] {
    guard !recording.isList else { return [] }
    let files = recording.files.enumerated().map { (index: $0, path: $1.path) }
    return files.filter { $0.path.hasSuffix(".mka") || $0.path.hasSuffix(".mkv") }.prefix(100)
      .map { ($0, root.isEmpty ? $1 : "\(root)/\($1)") }
  }
}
