package import TesseraMedia
import TesseraSystem

/// What kind of file is made.
package struct OutputKind: Sendable {
  /// What messages call it.
  package let name: String
  /// The format.
  package let container: OutputContainer

  /// A file of that format, which messages call `name`.
  package init(_ container: OutputContainer, name: String) {
    (self.container, self.name) = (container, name)
  }

  /// That of the file `path`.
  package init(path: String) { self.init(OutputContainer(path: path) ?? .mp4, name: path) }
}

extension OutputKind {
  /// What to do about a name whose ending is none of a video or of sound.
  package static func unknownEnding(_ place: String) -> String {
    guard !FileSystem.isFolder(place), !place.hasSuffix("/") else {
      let file = place + (place.hasSuffix("/") ? "" : "/") + "call.mp4"
      return
        "\(place) is a folder: name a file in it, such as -o \"\(file)\", or make it one for HTTP "
        + "Live Streaming with --hls 1080p,720p."
    }
    if let comma = place.firstIndex(of: ","), place[comma...].contains("="),
      OutputContainer(path: String(place[..<comma])) != nil
    {
      return "\(place): the options of an output follow a colon: \(place[..<comma]):"
        + "\(place[comma...].dropFirst())."
    }
    let endings = OutputContainer.endings
    return "the name \(place) does not say what to make: give -o one that ends in "
      + "\(endings.dropLast().joined(separator: ", ")) or \(endings[endings.count - 1])."
  }
}
