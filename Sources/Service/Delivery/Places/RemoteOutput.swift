import TesseraCodecs
import TesseraJobs
import TesseraRendering
package import TesseraStorage
import TesseraSystem

/// An output: where it is made and where it goes.
package struct RemoteOutput {
  package let path: String
  package let location: Location
  package let isFolder: Bool
  /// The file of a folder that comes last.
  package var entry: String?
  package var isPlan = false
  /// Whether it is what a command names by `-o`.
  package var isMain = false

  /// An output that is made at `path` and goes to `location`.
  package init(path: String, location: Location, isFolder: Bool, entry: String? = nil) {
    (self.path, self.location, self.isFolder, self.entry) = (path, location, isFolder, entry)
  }

  /// The folder in which it is made, and the prefix that this becomes.
  package var folders: (path: String, prefix: String) {
    let prefix = "\(location)".dropLast(location.name.count + 1)
    return (String(path.dropLast(location.name.count + 1)), String(prefix))
  }

  /// What lies beside it under that name; nil for an invalid name.
  package func beside(_ name: String) -> RemoteOutput? {
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
  package var withoutSlash: Location {
    guard case .object(let bucket, let key) = self, key.hasSuffix("/") else { return self }
    return .object(bucket: bucket, key: String(key.dropLast()))
  }
}
