import Foundation
import TesseraMedia
import TesseraSystem

/// What an output says that it was made from: a comment among its tags, by which whoever renders
/// many calls knows that one is done.
package struct MadeFrom: Hashable, Sendable {
  /// A digest, 64 hexadecimal digits.
  package let digest: String
  /// Whether something was lost, which was named then.
  package let hasLosses: Bool

  /// The word that stands before the digest, and the one after it where something was lost.
  private static let (name, losses) = ("tessera-batch ", " losses")
  private static let digits = 64

  /// What was made from `digest`.
  package init(_ digest: String, hasLosses: Bool) {
    (self.digest, self.hasLosses) = (digest, hasLosses)
  }

  /// The comment.
  package var text: String { Self.name + digest + (hasLosses ? Self.losses : "") }

  /// What the output at `path` says, a file or a folder for HTTP Live Streaming; nil where it says
  /// nothing of the kind. Its bytes are searched, not parsed.
  package init?(of path: String) {
    let path = FileSystem.isFolder(path) ? "\(path)/\(StreamFolder.entry)" : path
    guard let file = try? RegularFile(path) else { return nil }
    for (offset, count) in Self.places(file) {
      guard let bytes = try? file.bytes(count, from: offset) else { continue }
      if let found = MadeFrom(in: Data(bytes)) {
        self = found
        return
      }
    }
    return nil
  }

  /// What a comment says; nil where it says nothing of the kind.
  package init?(text: String) { self.init(in: Data(text.utf8)) }

  init?(in bytes: Data) {
    guard let place = bytes.range(of: Data(Self.name.utf8)) else { return nil }
    let digest = bytes[place.upperBound...].prefix(Self.digits)
    guard digest.count == Self.digits,
      digest.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
    else { return nil }
    let rest = bytes[digest.endIndex...]
    self.init(
      String(decoding: digest, as: UTF8.self), hasLosses: rest.starts(with: Array(Self.losses.utf8))
    )
  }

  private static let length = 64 << 10

  /// Where tags can be: at the end of an MP4's index, near the beginning of other formats, and at
  /// the end of some.
  private static func places(_ file: borrowing RegularFile) -> [(offset: Int, count: Int)] {
    guard let size = try? file.byteCount else { return [] }
    var places: [(offset: Int, count: Int)] = []
    var offset = 0
    // Boxes: their size and name, before the sound and pictures.
    while let head = try? file.bytes(16, from: offset), head.count == 16 {
      let name = String(decoding: head[4..<8], as: UTF8.self)
      guard ["ftyp", "moov", "free", "styp"].contains(name) else { break }
      let length = head[..<4].reduce(0) { $0 << 8 | Int($1) }
      guard length >= 8 else { break }
      offset += length
      if name == "moov" {
        let start = max(offset - length, offset - Self.length)
        places.append((start, min(size, offset) - start))
        break
      }
    }
    if places.isEmpty { places.append((0, 4 * length)) }
    return places + [(max(0, size - length), length)]
  }
}
