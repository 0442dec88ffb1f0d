import Foundation
package import TesseraPixels
package import TesseraTimeline

/// The renditions that a player chooses from: a Master Playlist of HTTP Live Streaming (RFC 8216,
/// section 4.3.4).
package struct MasterPlaylist: Hashable, Sendable {
  /// The same pictures at one size and quality.
  package struct Variant: Hashable, Sendable {
    /// Where its playlist is.
    package var address: String
    /// Its segments.
    package var playlist: MediaPlaylist
    /// The address of the playlist of its keyframes.
    package var keyframesAddress: String { address.folderPath + "keyframes.m3u8" }
    /// Its codec as RFC 6381 has it.
    package var codec: String
    /// The size of its pictures.
    package var size: PixelSize
    /// Its pictures a second.
    package var frameRate: Ratio

    /// The variant whose playlist is at `address`.
    package init(
      address: String, playlist: MediaPlaylist, codec: String, size: PixelSize, frameRate: Ratio
    ) {
      (self.address, self.playlist, self.codec) = (address, playlist, codec)
      (self.size, self.frameRate) = (size, frameRate)
    }
  }

  /// The sound of all variants.
  package struct Sound: Hashable, Sendable {
    /// Where its playlist is.
    package var address: String
    /// Its segments.
    package var playlist: MediaPlaylist
    /// Its codec as RFC 6381 has it.
    package var codec: String
    /// How many channels it has.
    package var channelCount: Int
    /// The language in the terms of RFC 5646; `und` where it is not known.
    package var language = "und"

    /// The sound whose playlist is at `address`.
    package init(address: String, playlist: MediaPlaylist, codec: String, channelCount: Int) {
      (self.address, self.playlist) = (address, playlist)
      (self.codec, self.channelCount) = (codec, channelCount)
    }
  }

  /// Captions that can be turned on with any variant.
  package struct Captions: Hashable, Sendable {
    /// Where their playlist is.
    package var address: String
    /// Their segments.
    package var playlist: MediaPlaylist
    /// What players call them; no two have one name.
    package var name: String
    /// Their language in the terms of RFC 5646; nil where it is not known.
    package var language: String?
    /// True if players show them unless the viewer turns them off.
    package var isDefault = false

    /// The captions whose playlist is at `address`.
    package init(address: String, playlist: MediaPlaylist, name: String, language: String?) {
      (self.address, self.playlist) = (address, playlist)
      (self.name, self.language) = (name, language)
    }
  }

  /// The variants, the one to begin with first.
  package var variants: [Variant]
  /// The sound; nil where there is none.
  package var sound: Sound?
  /// The captions.
  package var captions: [Captions] = []
  /// Where the chapters are; nil where there are none.
  package var chapters: String?
  /// What all is called; nil where it has no title.
  package var title: String?

  /// What made it, for a comment; nil where that is not said.
  package var tool: String?
  /// A comment on all; nil where there is none.
  package var comment: String?

  /// The renditions `variants`, with `sound`.
  package init(variants: [Variant], sound: Sound?) {
    (self.variants, self.sound) = (variants, sound)
  }

  /// What no segment of pictures or sound is longer than: one for all of them.
  package var targetDuration: Int {
    let playlists = variants.map(\.playlist) + [sound?.playlist].compactMap { $0 }
    return playlists.reduce(1) { max($0, $1.targetDuration) }
  }

  /// The playlist's text.
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
    // Captions are played one at a time, with a target of their own.
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

  /// `text` without what a quoted string cannot hold.
  private static func quotable(_ text: String) -> String {
    String(
      text.map { character in
        if character == "\"" { return "'" }
        let isPlain = character.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 }
        return isPlain ? character : " "
      })
  }
}
