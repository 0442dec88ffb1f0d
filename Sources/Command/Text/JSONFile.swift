import Foundation
import TesseraSystem
import TesseraTimeline

/// Values as JSON for people and programs.
enum JSONFile {
  /// The value as indented JSON with its keys in order.
  static func text(_ value: some Encodable) throws -> Data {
    let encoder = PlainJSON.encoder
    encoder.outputFormatting.insert(.prettyPrinted)
    let text = String(decoding: try encoder.encode(value), as: UTF8.self)
    return Data((text.withEscapedDirections + "\n").utf8)
  }
}
