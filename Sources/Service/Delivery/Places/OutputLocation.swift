import TesseraCodecs
import TesseraJobs
import TesseraRendering
package import TesseraRequest
package import TesseraStorage
import TesseraSystem

/// The location of an output or of a file beside the outputs: the shown name, the local file, and
/// the upload address.
package struct OutputLocation: Sendable {
  /// The path or address that messages and reports show.
  package var name: String
  /// The local path at which the output is written. Equal to ``name`` for an output of this
  /// machine.
  package var file: String
  /// The file in the folder that names all others and is uploaded last, such as a playlist; `nil`
  /// for a single file and for a folder without such a list.
  package var entry: String?
  package var isFolder: Bool
  /// True if the output replaces any existing file.
  package var isReplacing: Bool
  /// True for a plan, which is uploaded with the files that it reads.
  package var isPlan: Bool

  /// Creates the place of the file or folder `name`, a path or an address.
  package init(
    _ name: String, entry: String? = nil, isFolder: Bool = false, isReplacing: Bool = false,
    isPlan: Bool = false
  ) {
    (self.name, file, self.entry, self.isFolder) = (name, name, entry, isFolder)
    (self.isReplacing, self.isPlan) = (isReplacing, isPlan)
  }

  /// The address that the file is uploaded to; `nil` for an output of this machine.
  package var location: Location? {
    guard let location = try? Location(name), location.isRemote else { return nil }
    guard isFolder, case .object(let bucket, let key) = location, key.hasSuffix("/") else {
      return location
    }
    return .object(bucket: bucket, key: String(key.dropLast()))
  }

  /// The object that is uploaded last: a folder's entry, otherwise the output itself; `nil` for an
  /// output of this machine.
  package var lastObject: Location? { entry.map { location?.appending($0) } ?? location }

  /// The local folder of the output's file, and the address prefix that replaces this folder in
  /// the upload.
  var folders: (file: String, name: String) {
    guard let location else { return (file, name) }
    let length = location.name.count + 1
    return (String(file.dropLast(length)), String("\(location)".dropLast(length)))
  }

  /// The output `name` in the same folder; `nil` for an invalid name.
  func beside(_ name: String) -> OutputLocation? {
    let folders = folders
    guard !name.contains("/"), let location = try? Location("\(folders.name)/\(name)") else {
      return nil
    }
    let file = "\(folders.file)/\(name)"
    let entries = [HLSPackager.entry, ThumbnailFolder.content.entry]
    var place = OutputLocation(
      "\(location)", entry: entries.first { FileOperations.exists("\(file)/\($0)") },
      isFolder: FileOperations.isFolder(file))
    place.file = file
    return place
  }
}

extension RenderRequest {
  /// The places of all outputs and of the files beside them; the main output is the first.
  package var places: [OutputLocation] {
    let files = outputs.map { output in
      switch output.kind {
      case .stream: OutputLocation(output.destination, entry: HLSPackager.entry, isFolder: true)
      case .thumbnails:
        OutputLocation(output.destination, entry: ThumbnailFolder.content.entry, isFolder: true)
      case .file, .poster: OutputLocation(output.destination)
      }
    }
    let texts =
      [sidecars.page, sidecars.proof, sidecars.speakers].compactMap(\.self)
      + sidecars.transcriptFiles
    return files + texts.map { OutputLocation($0) }
      + [sidecars.report].compactMap(\.self).map { OutputLocation($0, isReplacing: true) }
      + [sidecars.stems].compactMap(\.self).map {
        OutputLocation($0, isFolder: true, isReplacing: true)
      }
  }

  /// True if an input, an output or the work folder is in a bucket or at an address.
  ///
  /// - Throws: ``LocationError`` for an invalid address.
  package var hasRemotePlaces: Bool {
    get throws(LocationError) {
      let all = inputFiles + places.map(\.name) + [execution.workFolder].compactMap(\.self)
      for place in all where try Location(place).isRemote { return true }
      return inputs.contains(where: SessionFileAddresses.areNamed)
    }
  }

  /// True if ``hasRemotePlaces`` is true and all addresses are valid.
  package var isRemote: Bool { (try? hasRemotePlaces) ?? false }
}
