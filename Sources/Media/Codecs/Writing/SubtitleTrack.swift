import CTesseraFFmpeg
import Foundation
import TesseraTimeline

/// A subtitle track.
package struct SubtitleTrack: Hashable, Sendable, Codable {
  /// A text that is shown for some time.
  package struct Cue: Hashable, Sendable, Codable {
    /// The start, in milliseconds from the start of the output.
    package var start: Int64
    /// The end, in milliseconds from the start of the output.
    package var end: Int64
    /// The lines, without markup.
    package var text: String

    /// Creates a cue with `text` from `start` to `end`, in milliseconds.
    package init(start: Int64, end: Int64, text: String) {
      (self.start, self.end, self.text) = (start, end, text)
    }
  }

  /// The cues in order of time, without overlap.
  package var cues: [Cue]
  /// The three-letter language code, such as `eng`; `nil` if unknown.
  package var language: String?
  /// The name of the track; `nil` if it has none.
  package var title: String?

  /// True if players show the track unless the viewer turns it off.
  package var isDefault = false
  /// True if the cues are in the language of the call and not translated.
  package var isSpoken = false

  /// Creates a track of `cues`, which are sorted; a cue that overlaps the next one is cut short.
  package init(_ cues: [Cue], language: String? = nil, title: String? = nil) {
    var sorted = cues.filter { $0.start < $0.end && $0.start >= 0 && !$0.text.isEmpty }
      .enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
      .map(\.element)
    for index in sorted.indices.dropLast() {
      sorted[index].end = min(sorted[index].end, sorted[index + 1].start)
    }
    self.cues = sorted.filter { $0.start < $0.end }
    (self.language, self.title) = (language, title)
  }
}

extension SubtitleTrack {
  /// Returns the codec parameters of the track in files of format `container`.
  func parameters(in container: OutputContainer) -> CodecParameters {
    let codec =
      switch container {
      case .mp4: "mov_text"
      case .webm: "webvtt"
      default: "subrip"
      }
    return CodecParameters(
      codec: codec, timeBase: Ratio(1, 1000),
      extradata: container == .mp4 ? Self.sampleDescription : Data(), frameRate: nil, numbers: [:])
  }

  /// The metadata of the stream.
  var tags: [String: String] {
    var tags: [String: String] = [:]
    tags["language"] = language
    tags["title"] = title
    return tags
  }

  /// Returns the text of the cue as files of format `container` require it. WebVTT escapes markup
  /// characters; an MP4 file counts bytes in 16 bits, so longer texts are cut.
  private static func content(_ cue: Cue, in container: OutputContainer) -> String {
    var (text, size) = ("", 0)
    for character in cue.text {
      let written =
        switch character {
        case "&" where container == .webm: "&amp;"
        case "<" where container == .webm: "&lt;"
        case ">" where container == .webm: "&gt;"
        default: String(character)
        }
      size += written.utf8.count
      guard size <= Int(UInt16.max) else { break }
      text += written
    }
    return text
  }

  /// The cues as a WebVTT file with the timestamps of an HLS stream (RFC 8216, section 3.5).
  var webVTT: String {
    let cues = cues.map { cue in
      // An empty line would end the cue.
      let lines = Self.content(cue, in: .webm).split(whereSeparator: \.isNewline)
      return "\(Self.stamp(cue.start)) --> \(Self.stamp(cue.end))\n"
        + lines.joined(separator: "\n") + "\n"
    }
    let head = "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n"
    return ([head] + cues).joined(separator: "\n")
  }

  private static func stamp(_ milliseconds: Int64) -> String {
    MediaTime(nanoseconds: milliseconds *| 1_000_000).cueStamp
  }

  /// Returns the packet of the cue in files of format `container`.
  static func packet(
    _ cue: Cue, in container: OutputContainer
  ) throws(FFmpegError) -> EncodedPacket {
    var bytes = Array(content(cue, in: container).utf8)
    if container == .mp4 {
      // 3GPP TS 26.245: the text is preceded by its length.
      bytes.insert(contentsOf: [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)], at: 0)
    }
    let packet = try Packet.allocate()
    let raw = unsafe packet.raw
    try check(unsafe av_new_packet(raw, CInt(bytes.count)), "write captions", "no file")
    for (index, byte) in bytes.enumerated() { unsafe raw.pointee.data[index] = byte }
    unsafe (raw.pointee.pts, raw.pointee.dts) = (cue.start, cue.start)
    unsafe raw.pointee.duration = cue.end -| cue.start
    unsafe raw.pointee.flags = AV_PKT_FLAG_KEY
    return EncodedPacket(packet, timeBase: AVRational(num: 1, den: 1000))
  }

  /// The sample description of 3GPP timed text: white letters at the bottom of the picture, without
  /// a background. ffmpeg considers this font and size as the player's default, so captions that it
  /// extracts have no markup.
  private static let sampleDescription: Data = {
    var bytes: [UInt8] = [0, 0, 0, 0, 1, 0xff, 0, 0, 0, 0]
    bytes += [UInt8](repeating: 0, count: 8)  // the text box: the player's own
    bytes += [0, 0, 0, 0, 0, 1, 0, 16, 0xff, 0xff, 0xff, 0xff]  // style: font 1, size 16, white
    let font = Array("Arial".utf8)
    let table: [UInt8] = Array("ftab".utf8) + [0, 1, 0, 1, UInt8(font.count)] + font
    bytes += [0, 0, 0, UInt8(table.count + 4)] + table
    return Data(bytes)
  }()
}
