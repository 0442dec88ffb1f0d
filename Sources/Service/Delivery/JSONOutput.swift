package import Foundation
import TesseraSystem
import TesseraTimeline

/// JSON that commands print and requests write.
package enum JSONOutput {
  /// Returns `value` as indented JSON with sorted keys, display names and escaped bidirectional
  /// controls.
  package static func text(_ value: some Encodable) throws -> Data {
    let encoder = CanonicalJSON.encoder
    encoder.outputFormatting.insert(.prettyPrinted)
    let text = String(decoding: try encoder.encode(value), as: UTF8.self)
    return Data((text.withEscapedDirections + "\n").utf8)
  }
}
