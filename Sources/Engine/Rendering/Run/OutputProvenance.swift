import Foundation
import TesseraCodecs
import TesseraJobs
import TesseraSystem

/// The provenance that an output stores in its comment tag: a digest of the job that made it. A
/// batch compares it to skip finished jobs.
package struct OutputProvenance: Hashable, Sendable {
  /// The digest of the job, 64 hexadecimal digits.
  package let digest: String
  /// True if the render had losses, which were reported then.
  package let hasLosses: Bool

  /// The text before the digest, and the suffix for a render with losses.
  private static let (name, losses) = ("tessera-batch ", " losses")
  private static let digits = 64

  package init(_ digest: String, hasLosses: Bool) {
    (self.digest, self.hasLosses) = (digest, hasLosses)
  }

  /// The content of the comment tag.
  package var text: String { Self.name + digest + (hasLosses ? Self.losses : "") }

  /// Reads the provenance of the output at `path`, a file or an HLS folder; nil if it has none. The
  /// file is searched, not parsed.
  package init?(of path: String) {
    let path = FileOperations.isFolder(path) ? "\(path)/\(HLSPackager.entry)" : path
    guard let file = try? RegularFile(path) else { return nil }
    for (offset, count) in OutputMark.tagPlaces(file) {
      guard let bytes = try? file.bytes(count, from: offset) else { continue }
      if let found = OutputProvenance(in: Data(bytes)) {
        self = found
        return
      }
    }
    return nil
  }

  /// Parses the content of a comment tag; nil if it contains no provenance.
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
