import Foundation
import TesseraTimeline

/// The project as MLT XML with Shotcut's annotations. `melt` plays it as well.
extension EditorProject {
  /// The project as the text of an `.mlt` file.
  var mlt: String {
    var xml = XMLWriter()
    var groups: [ClipIndex: Int] = [:]
    for (number, clips) in links.enumerated() { for clip in clips { groups[clip] = number } }
    xml.element("mlt", ["LC_NUMERIC": "C", "title": name, "producer": "main_bin"]) { xml in
      addProfile(to: &xml)
      addMedia(to: &xml) { number, kind, xml in
        // Shotcut applies filters to producers.
        if kind == .sound { media[number].addLevel(["shotcut:filter": "audioGain"], to: &xml) }
      }
      addBlack("black", frameCount: frameCount, to: &xml)
      xml.element("playlist", ["id": "background"]) { xml in
        xml.element("entry", ["producer": "black", "in": 0, "out": frameCount - 1])
      }
      for (number, track) in tracks.enumerated() {
        xml.element("playlist", ["id": "playlist\(number)"]) { xml in
          xml.properties([
            track.kind == .pictures ? "shotcut:video" : "shotcut:audio": 1,
            "shotcut:name": track.name,
          ])
          addEntries(of: track, to: &xml) { index, xml in
            if let group = groups[ClipIndex(track: number, clip: index)] {
              xml.properties(["shotcut:group": group])
            }
          }
        }
      }
      xml.element("tractor", ["id": "tractor0", "title": name, "in": 0, "out": frameCount - 1]) {
        xml in
        xml.properties(["shotcut": 1, "shotcut:projectAudioChannels": 2])
        xml.element("properties", ["name": "shotcut:markers"]) { xml in
          for (number, marker) in markers.enumerated() {
            xml.element("properties", ["name": number]) { xml in
              xml.properties([
                "text": marker.name, "start": marker.frames.lowerBound,
                "end": max(marker.frames.lowerBound, marker.frames.upperBound - 1),
                "color": marker.isChapter ? "#FF0000" : "#008000",
              ])
            }
          }
        }
        xml.element("track", ["producer": "background"])
        for (number, track) in tracks.enumerated() {
          xml.element("track", ["producer": "playlist\(number)", "hide": track.hidden])
        }
        for (number, track) in tracks.enumerated() {
          addTransition("mix", to: number + 1, ["sum": 1], of: &xml)
          if track.kind == .pictures { addTransition("qtblend", to: number + 1, [:], of: &xml) }
        }
      }
    }
    return xml.text
  }
}

// MARK: What Kdenlive's documents share

extension EditorProject {
  /// Adds the `profile` element. Its aspect ratio is reduced, as in the profiles of editors.
  func addProfile(to xml: inout XMLWriter) {
    var (divisor, rest) = (width, height)
    while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
    xml.element(
      "profile",
      [
        "description": "\(width)x\(height) \(rate) fps", "width": width,
        "height": height, "progressive": 1, "sample_aspect_num": 1, "sample_aspect_den": 1,
        "display_aspect_num": width / max(1, divisor),
        "display_aspect_den": height / max(1, divisor), "frame_rate_num": rate.numerator,
        "frame_rate_den": rate.denominator, "colorspace": 709,
      ])
  }

  /// Adds the producers of all files and the bin.
  ///
  /// Each file gets one producer for all streams, one for its pictures and one for its sound.
  /// `more` writes properties of a producer, given the file's index and kind; `bin` writes the
  /// bin's.
  func addMedia(
    to xml: inout XMLWriter, bin: (inout XMLWriter) -> Void = { _ in },
    _ more: (Int, Kind?, inout XMLWriter) -> Void
  ) {
    for (number, file) in media.enumerated() {
      let (video, audio, count) = (file.video ?? -1, file.audio ?? -1, frameCount(of: file))
      for (kind, video, audio) in [
        (nil, video, audio), (Kind.pictures, video, -1), (.sound, -1, audio),
      ]
      where video >= 0 || audio >= 0 {
        let id = (kind?.rawValue ?? "file") + "\(number)"
        xml.element("producer", ["id": id, "in": 0, "out": count - 1]) { xml in
          xml.properties([
            "length": count, "eof": "pause", "resource": path(of: file), "mlt_service": "avformat",
            "video_index": video, "audio_index": audio,
          ])
          more(number, kind, &xml)
        }
      }
    }
    xml.element("playlist", ["id": "main_bin"]) { xml in
      bin(&xml)
      xml.properties(["xml_retain": 1])
      for (number, file) in media.enumerated() {
        let last = frameCount(of: file) - 1
        xml.element("entry", ["producer": "file\(number)", "in": 0, "out": last])
      }
    }
  }

  /// Adds the silent black producer below all tracks.
  func addBlack(_ id: String, frameCount: Int, to xml: inout XMLWriter) {
    xml.element("producer", ["id": id, "in": 0, "out": frameCount - 1]) { xml in
      xml.properties([
        "length": frameCount, "eof": "continue", "resource": "black", "aspect_ratio": 1,
        "mlt_service": "color", "mlt_image_format": "rgba", "set.test_audio": 0,
      ])
    }
  }

  /// Adds the entries of a track and the blanks between them; `more` writes into the entry of a
  /// clip.
  func addEntries(
    of track: Track, to xml: inout XMLWriter, _ more: (Int, inout XMLWriter) -> Void
  ) {
    var place = 0
    for (index, clip) in track.clips.enumerated() {
      let (blank, source) = (clip.frames.lowerBound - place, source(of: clip))
      if blank > 0 { xml.element("blank", ["length": blank]) }
      let producer = "\(track.kind)\(clip.media)"
      xml.element(
        "entry", ["producer": producer, "in": source.lowerBound, "out": source.upperBound - 1]
      ) { more(index, &$0) }
      place = clip.frames.upperBound
    }
  }

  /// Adds a permanent transition from the black track to track `number`.
  func addTransition(
    _ service: String, to number: Int, _ more: XMLWriter.Attributes, of xml: inout XMLWriter
  ) {
    xml.element("transition") { xml in
      xml.properties([
        "a_track": 0, "b_track": number, "mlt_service": service, "always_active": 1,
      ])
      xml.properties(more)
    }
  }
}

extension EditorProject.Track {
  /// The `hide` attribute of the track for MLT: `video`, `audio` or `both`.
  var hidden: String { kind == .sound ? "video" : isProgramme ? "audio" : "both" }
}

extension EditorProject.Media {
  /// Adds MLT's `volume` filter for the gain, unless the level stays unchanged.
  ///
  /// MLT upmixes mono to stereo at 1/√2 of its amplitude; mono files are raised by 3.01 dB to
  /// compensate.
  func addLevel(_ mark: XMLWriter.Attributes, to xml: inout XMLWriter) {
    let level = gain + (channels == 1 ? 3.01 : 0)
    guard level != 0 else { return }
    xml.element("filter") { xml in
      xml.properties(["mlt_service": "volume", "level": String(format: "%g", level)])
      xml.properties(mark)
    }
  }
}
