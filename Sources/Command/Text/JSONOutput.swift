import Foundation
import TesseraSystem
import TesseraTimeline

/// JSON output of commands.
enum JSONOutput {
  /// Returns `value` as indented JSON with sorted keys, display names and escaped bidirectional
  /// controls.
  static func text(_ value: some Encodable) throws -> Data {
    let encoder = CanonicalJSON.encoder
    encoder.outputFormatting.insert(.prettyPrinted)
    let text = String(decoding: try encoder.encode(value), as: UTF8.self)
    return Data((text.withEscapedDirections + "\n").utf8)
  }
}
