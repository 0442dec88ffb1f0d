import TesseraTimeline

/// A project as MLT's XML, which Shotcut and Kdenlive open and `melt` plays.
extension Project {
  /// The text of an `.mlt` file.
  var mlt: String {
    var lines = [
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>",
      "<mlt LC_NUMERIC=\"C\" title=\"\(name.asMarkup)\" producer=\"main\">",
      "  <profile width=\"\(width)\" height=\"\(height)\" progressive=\"1\" "
        + "sample_aspect_num=\"1\" sample_aspect_den=\"1\" display_aspect_num=\"\(width)\" "
        + "display_aspect_den=\"\(height)\" frame_rate_num=\"\(rate.numerator)\" "
        + "frame_rate_den=\"\(rate.denominator)\" colorspace=\"709\"/>",
    ]
    for (number, file) in media.enumerated() {
      let kind = kind(of: number)
      let last = max(0, rate.firstFrame(at: file.duration) - 1)
      lines += [
        "  <producer id=\"file\(number)\" in=\"0\" out=\"\(last)\">",
        property("resource", file.path), property("mlt_service", "avformat"),
        property(kind == .sound ? "video_index" : "audio_index", "-1"),
        property(kind == .sound ? "audio_index" : "video_index", "\(file.stream)"), "  </producer>",
      ]
    }
    lines += [
      "  <producer id=\"black\" in=\"0\" out=\"\(max(0, frameCount - 1))\">",
      property("resource", "black"), property("mlt_service", "color"), "  </producer>",
    ]
    for (number, track) in tracks.enumerated() { lines += playlist(track, number) }
    lines += [
      "  <tractor id=\"main\" in=\"0\" out=\"\(max(0, frameCount - 1))\">", "    <multitrack>",
      "      <track producer=\"black\"/>",
    ]
    for (number, track) in tracks.enumerated() {
      let hidden = track.isProgramme ? "audio" : track.kind == .sound ? "video" : "both"
      lines.append("      <track producer=\"track\(number)\" hide=\"\(hidden)\"/>")
    }
    lines.append("    </multitrack>")
    for (number, track) in tracks.enumerated() where track.isProgramme || track.kind == .sound {
      lines += [
        "    <transition>", property("a_track", "0"), property("b_track", "\(number + 1)"),
        property("mlt_service", track.kind == .sound ? "mix" : "qtblend"),
        property("always_active", "1"), property("sum", "1"), "    </transition>",
      ]
    }
    return (lines + ["  </tractor>", "</mlt>"]).joined(separator: "\n") + "\n"
  }

  /// What the clips of a file are.
  private func kind(of number: Int) -> Kind {
    tracks.first { $0.clips.contains { $0.media == number } }?.kind ?? .pictures
  }

  private func playlist(_ track: Track, _ number: Int) -> [String] {
    var lines = [
      "  <playlist id=\"track\(number)\">", property("shotcut:name", track.name),
      property("kdenlive:track_name", track.name),
    ]
    var place = 0
    for clip in track.clips {
      if clip.frames.lowerBound > place {
        lines.append("    <blank length=\"\(clip.frames.lowerBound - place)\"/>")
      }
      let first = frame(at: clip.source)
      lines.append(
        "    <entry producer=\"file\(clip.media)\" in=\"\(first)\" "
          + "out=\"\(first + clip.frames.count - 1)\"/>")
      place = clip.frames.upperBound
    }
    return lines + ["  </playlist>"]
  }

  private func property(_ name: String, _ value: String) -> String {
    "    <property name=\"\(name)\">\(value.asMarkup)</property>"
  }
}
