import TesseraJobs
import TesseraMedia
import TesseraRendering
import TesseraStorage
import TesseraSystem

/// An output: where it is made and where it goes.
struct RemoteOutput {
  let path: String
  let location: Location
  let isFolder: Bool
  /// The file of a folder that comes last.
  var entry: String?
  var isPlan = false
  /// Whether it is what a command names by `-o`.
  var isMain = false

  /// The folder in which it is made, and the prefix that this becomes.
  var folders: (path: String, prefix: String) {
    let prefix = "\(location)".dropLast(location.name.count + 1)
    return (String(path.dropLast(location.name.count + 1)), String(prefix))
  }

  /// What lies beside it under that name; nil for an invalid name.
  func beside(_ name: String) -> RemoteOutput? {
    let (path, prefix) = folders
    guard !name.contains("/"), let place = try? Location("\(prefix)/\(name)") else { return nil }
    let own = "\(path)/\(name)"
    let entries = [StreamFolder.entry, ThumbnailFolder.content.entry]
    return RemoteOutput(
      path: own, location: place, isFolder: FileSystem.isFolder(own),
      entry: entries.first { FileSystem.exists("\(own)/\($0)") })
  }
}

extension Location {
  /// The prefix of a folder as an object's location.
  var withoutSlash: Location {
    guard case .object(let bucket, let key) = self, key.hasSuffix("/") else { return self }
    return .object(bucket: bucket, key: String(key.dropLast()))
  }
}
