import Foundation
package import TesseraPixels
package import TesseraTimeline

/// A master playlist of HTTP Live Streaming (RFC 8216, section 4.3.4): the renditions that a player
/// chooses from.
package struct MasterPlaylist: Hashable, Sendable {
  /// A video rendition at one size and quality.
  package struct Variant: Hashable, Sendable {
    /// The address of the media playlist, relative to the master playlist.
    package var address: String
    /// The segments of the rendition.
    package var playlist: MediaPlaylist
    /// The address of the I-frame playlist.
    package var keyframesAddress: String { address.folderPath + "keyframes.m3u8" }
    /// The codec identifier of RFC 6381.
    package var codec: String
    package var size: PixelSize
    /// The frame rate in frames per second.
    package var frameRate: Ratio
  }

  /// The audio rendition, shared by all variants.
  package struct Sound: Hashable, Sendable {
    /// The address of the media playlist, relative to the master playlist.
    package var address: String
    /// The segments of the audio.
    package var playlist: MediaPlaylist
    /// The codec identifier of RFC 6381.
    package var codec: String
    package var channelCount: Int
    /// The language tag of RFC 5646; `und` if unknown.
    package var language = "und"
  }

  /// A subtitle rendition, available with all variants.
  package struct Captions: Hashable, Sendable {
    /// The address of the media playlist, relative to the master playlist.
    package var address: String
    package var playlist: MediaPlaylist
    /// The display name, unique within the playlist.
    package var name: String
    /// The language tag of RFC 5646; `nil` if unknown.
    package var language: String?
    /// True if players show the captions unless the viewer turns them off.
    package var isDefault = false
  }

  /// The video renditions. Players start with the first.
  package var variants: [Variant]
  /// The audio rendition; `nil` for silent video.
  package var sound: Sound?
  /// The subtitle renditions.
  package var captions: [Captions] = []
  /// The address of the chapter list; `nil` if there are no chapters.
  package var chapters: String?
  /// The title; `nil` if there is none.
  package var title: String?

  /// The program's name and version for a comment; `nil` for no such comment.
  package var tool: String?
  /// An additional comment; `nil` if there is none.
  package var comment: String?

  /// The target duration of all video and audio playlists in seconds: no segment is longer.
  package var targetDuration: Int {
    let playlists = variants.map(\.playlist) + [sound?.playlist].compactMap { $0 }
    return playlists.reduce(1) { max($0, $1.targetDuration) }
  }

  /// The content of the playlist file.
  package var text: String {
    var lines = ["#EXTM3U", "#EXT-X-VERSION:6", "#EXT-X-INDEPENDENT-SEGMENTS"]
    if let tool { lines.append("# Made by \(tool)") }
    if let comment { lines.append("# \(comment)") }
    if let title { lines.append(Self.data("com.apple.hls.title", "VALUE", title)) }
    if let chapters { lines.append(Self.data("com.apple.hls.chapters", "URI", chapters)) }
    if let sound {
      lines.append(
        "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"audio\",NAME=\"Audio\","
          + "LANGUAGE=\"\(Self.quotable(sound.language))\",DEFAULT=YES,AUTOSELECT=YES,"
          + "CHANNELS=\"\(sound.channelCount)\",URI=\"\(sound.address)\"")
    }
    for captions in captions {
      let language = captions.language.map { ",LANGUAGE=\"\(Self.quotable($0))\"" } ?? ""
      lines.append(
        "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"captions\",NAME=\"\(Self.quotable(captions.name))\""
          + "\(language),DEFAULT=\(captions.isDefault ? "YES" : "NO"),AUTOSELECT=YES,"
          + "URI=\"\(captions.address)\"")
    }
    for variant in variants { lines += [attributes(of: variant), variant.address] }
    for variant in variants {
      guard let keyframes = variant.playlist.keyframes else { continue }
      lines.append(
        "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=\(keyframes.peakBitRate(targetDuration: targetDuration)),"
          + "CODECS=\"\(variant.codec)\",RESOLUTION=\(variant.size.width)x\(variant.size.height),"
          + "URI=\"\(variant.keyframesAddress)\"")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func attributes(of variant: Variant) -> String {
    let target = targetDuration
    let together = [variant.playlist] + [sound?.playlist].compactMap { $0 }
    // Only one subtitle rendition plays at a time, with its own target duration.
    let peak =
      together.reduce(0) { $0 + $1.peakBitRate(targetDuration: target) }
      + (captions.map { $0.playlist.peakBitRate(targetDuration: $0.playlist.targetDuration) }.max()
        ?? 0)
    let average =
      together.reduce(0) { $0 + $1.averageBitRate }
      + (captions.map(\.playlist.averageBitRate).max() ?? 0)
    let codecs = [variant.codec] + [sound?.codec].compactMap { $0 }
    var line =
      "#EXT-X-STREAM-INF:BANDWIDTH=\(peak),AVERAGE-BANDWIDTH=\(average),"
      + "CODECS=\"\(codecs.joined(separator: ","))\","
      + "RESOLUTION=\(variant.size.width)x\(variant.size.height),"
      + String(format: "FRAME-RATE=%.3f", variant.frameRate.value)
    if sound != nil { line += ",AUDIO=\"audio\"" }
    if !captions.isEmpty { line += ",SUBTITLES=\"captions\"" }
    return line
  }

  private static func data(_ identifier: String, _ key: String, _ value: String) -> String {
    "#EXT-X-SESSION-DATA:DATA-ID=\"\(identifier)\",\(key)=\"\(quotable(value))\""
  }

  /// Replaces the characters that a quoted string of a playlist must not contain.
  private static func quotable(_ text: String) -> String {
    String(
      text.map { character in
        if character == "\"" { return "'" }
        let isPlain = character.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 }
        return isPlain ? character : " "
      })
  }
}
