import Foundation
import TesseraCodecs
import TesseraJobs
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
    for (offset, count) in FileMark.tagPlaces(file) {
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
}
