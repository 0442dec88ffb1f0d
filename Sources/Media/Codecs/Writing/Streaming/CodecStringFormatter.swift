import Foundation

/// Formats codec identifiers of RFC 6381, with profile and level: `avc1.640028`.
enum CodecStringFormatter {
  /// Returns the identifier of the only track in a fragmented MP4 with the initialization segment
  /// `head`; returns `nil` for codecs that do not stream.
  static func inHead(_ head: Data) -> String? {
    let path = ["moov", "trak", "mdia", "minf", "stbl", "stsd"]
    var box: MediaBox? = MediaBox(type: "", content: [UInt8](head)[...])
    for type in path { box = box?.children().first { $0.type == type } }
    // Skips the version, flags and entry count.
    guard let entry = box?.children(after: 8).first else { return nil }
    return name(of: entry)
  }

  private static func name(of entry: MediaBox) -> String? {
    /// Returns the bytes of a configuration box in a visual sample entry.
    func description(_ type: String, atLeast count: Int) -> [UInt8]? {
      let box = entry.children(after: 78).first { $0.type == type }
      return box.flatMap { $0.content.count >= count ? Array($0.content) : nil }
    }
    switch entry.type {
    case "avc1":
      return description("avcC", atLeast: 4).map { "avc1." + hex($0[1...3]) }
    case "hvc1":
      return description("hvcC", atLeast: 13).map { "hvc1." + profile($0) }
    case "av01":
      return description("av1C", atLeast: 3).map { bytes in
        let (profile, level, tier) = (bytes[1] >> 5, Int(bytes[1] & 31), bytes[2] >> 7)
        let depth = bytes[2] & 0x40 == 0 ? 8 : bytes[2] & 0x20 == 0 ? 10 : 12
        return "av01.\(profile).\(two(level))\(tier == 0 ? "M" : "H").\(two(depth))"
      }
    case "vp09":
      return description("vpcC", atLeast: 7).map { bytes in
        "vp09.\(two(Int(bytes[4]))).\(two(Int(bytes[5]))).\(two(Int(bytes[6] >> 4)))"
      }
    // AAC-LC is the only variant that Tessera encodes.
    case "mp4a": return "mp4a.40.2"
    case "Opus": return "Opus"
    case "fLaC": return "fLaC"
    default: return nil
    }
  }

  /// Formats profile, compatibility flags in reversed bit order, tier and level, and constraint
  /// bytes without trailing zeros (ISO/IEC 14496-15, annex E.3).
  private static func profile(_ bytes: [UInt8]) -> String {
    let space = ["", "A", "B", "C"][Int(bytes[1] >> 6)]
    let compatible = bytes[2...5].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let reversed = (0..<32).reduce(UInt32(0)) { $0 | (compatible >> $1 & 1) << (31 - $1) }
    var constraints = bytes[6...11]
    while constraints.last == 0 { constraints.removeLast() }
    let parts =
      ["\(space)\(bytes[1] & 31)", String(reversed, radix: 16)]
      + ["\(bytes[1] & 0x20 == 0 ? "L" : "H")\(bytes[12])"]
      + constraints.map { String($0, radix: 16, uppercase: true) }
    return parts.joined(separator: ".")
  }

  private static func two(_ number: Int) -> String { String(format: "%02d", number) }

  private static func hex(_ bytes: ArraySlice<UInt8>) -> String {
    bytes.map { String(format: "%02x", Int($0)) }.joined()
  }

  /// A box of an ISO base media file (ISO/IEC 14496-12).
  private struct MediaBox {
    let type: String
    let content: ArraySlice<UInt8>

    /// Parses the child boxes, which start after `skipped` bytes.
    func children(after skipped: Int = 0) -> [MediaBox] {
      var (boxes, rest) = ([MediaBox](), content.dropFirst(skipped))
      while rest.count >= 8 {
        let size = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard size >= 8, size <= rest.count else { break }
        let type = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
        boxes.append(MediaBox(type: type, content: rest.prefix(size).dropFirst(8)))
        rest = rest.dropFirst(size)
      }
      return boxes
    }
  }
}
