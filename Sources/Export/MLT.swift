import TesseraTimeline

/// A project as MLT's XML with the annotations that Shotcut needs, which `melt` plays, too.
extension Project {
  /// The text of an `.mlt` file.
  var mlt: String {
    var xml = XMLText()
    let producers = mltProducers
    let groups = Dictionary(
      links.enumerated().flatMap { group, clips in clips.map { ($0, group) } },
      uniquingKeysWith: { first, _ in first })
    xml.element("mlt", ["LC_NUMERIC": "C", "title": name, "producer": "main_bin"]) { xml in
      addProfile(to: &xml)
      for (number, producer) in producers.enumerated() {
        addProducer("producer\(number)", producer, to: &xml)
      }
      xml.element("playlist", ["id": "main_bin"]) { xml in
        xml.property("xml_retain", 1)
        for (number, producer) in producers.enumerated()
        where producer.kind == .pictures || media[producer.media].video == nil {
          xml.element("entry", ["producer": "producer\(number)"])
        }
      }
      let last = "\(max(0, frameCount - 1))"
      addBlack("black", frameCount: frameCount, to: &xml)
      xml.element("playlist", ["id": "background"]) { xml in
        xml.element("entry", ["producer": "black", "in": "0", "out": last])
      }
      for (number, track) in tracks.enumerated() {
        xml.element("playlist", ["id": "playlist\(number)"]) { xml in
          xml.property(track.kind == .pictures ? "shotcut:video" : "shotcut:audio", 1)
          xml.property("shotcut:name", track.name)
          addClips(of: track, to: &xml) { index, xml in
            let clip = track.clips[index]
            let producer = producers.firstIndex(of: Producer(clip, track.kind)) ?? 0
            let frames = source(of: clip)
            xml.element(
              "entry",
              [
                "producer": "producer\(producer)", "in": "\(frames.lowerBound)",
                "out": "\(frames.upperBound - 1)",
              ]
            ) { xml in
              if let group = groups[ClipIndex(track: number, clip: index)] {
                xml.property("shotcut:group", group)
              }
            }
          }
        }
      }
      xml.element("tractor", ["id": "tractor0", "title": name, "in": "0", "out": last]) { xml in
        xml.property("shotcut", 1)
        xml.property("shotcut:projectAudioChannels", 2)
        addShotcutMarkers(to: &xml)
        xml.element("track", ["producer": "background"])
        for (number, track) in tracks.enumerated() {
          xml.element("track", ["producer": "playlist\(number)", "hide": track.hidden])
        }
        addTransitions(to: &xml)
      }
    }
    return xml.text
  }

  /// A file as clips of one kind use it: filters belong to producers, so that another gain is another
  /// producer.
  private struct Producer: Hashable {
    var media: Int
    var kind: Kind
    var gain: Double

    init(_ clip: Clip, _ kind: Kind) {
      (self.media, self.kind) = (clip.media, kind)
      gain = kind == .sound ? clip.gain : 0
    }
  }

  private var mltProducers: [Producer] {
    tracks.flatMap { track in track.clips.map { Producer($0, track.kind) } }.unique
  }

  private func addProducer(_ id: String, _ producer: Producer, to xml: inout XMLText) {
    let file = media[producer.media]
    let count = frameCount(of: file)
    xml.element("producer", ["id": id, "in": "0", "out": "\(count - 1)"]) { xml in
      xml.property("length", count)
      xml.property("eof", "pause")
      xml.property("resource", path(of: file))
      xml.property("mlt_service", "avformat")
      let isSound = producer.kind == .sound
      xml.property("video_index", isSound ? -1 : file.video ?? -1)
      xml.property("audio_index", isSound ? file.audio ?? -1 : -1)
      guard isSound, let level = file.mltLevel(gain: producer.gain) else { return }
      xml.element("filter") { xml in
        xml.property("mlt_service", "volume")
        xml.property("shotcut:filter", "audioGain")
        xml.property("level", level)
      }
    }
  }

  private func addShotcutMarkers(to xml: inout XMLText) {
    guard !markers.isEmpty else { return }
    xml.element("properties", ["name": "shotcut:markers"]) { xml in
      for (number, marker) in markers.enumerated() {
        xml.element("properties", ["name": "\(number)"]) { xml in
          xml.property("text", marker.name)
          xml.property("start", marker.frames.lowerBound)
          xml.property("end", max(marker.frames.lowerBound, marker.frames.upperBound - 1))
          xml.property("color", marker.isChapter ? "#FF0000" : "#008000")
        }
      }
    }
  }

  /// Shotcut expects each track's mix, and the blend of each track of pictures with the lowest one,
  /// whose own blend is off.
  private func addTransitions(to xml: inout XMLText) {
    let bottom = tracks.firstIndex { $0.kind == .pictures } ?? 0
    for (number, track) in tracks.enumerated() {
      addTransition("mix", to: number + 1, of: &xml) { $0.property("sum", 1) }
      guard track.kind == .pictures else { continue }
      addTransition("qtblend", from: number == bottom ? 0 : bottom + 1, to: number + 1, of: &xml) {
        if number == bottom { $0.property("disable", 1) }
      }
    }
  }
}

// MARK: What Kdenlive's documents share

extension Project {
  /// Adds the `profile` element. Its shape is reduced, as editors' own profiles are.
  func addProfile(to xml: inout XMLText) {
    var (divisor, rest) = (width, height)
    while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
    divisor = max(1, divisor)
    xml.element(
      "profile",
      [
        "description": "\(width)x\(height) \(Self.decimal(perSecond)) fps", "width": "\(width)",
        "height": "\(height)", "progressive": "1", "sample_aspect_num": "1",
        "sample_aspect_den": "1", "display_aspect_num": "\(width / divisor)",
        "display_aspect_den": "\(height / divisor)", "frame_rate_num": "\(rate.numerator)",
        "frame_rate_den": "\(rate.denominator)", "colorspace": "709",
      ])
  }

  /// Adds the silent black that lies below all tracks.
  func addBlack(_ id: String, frameCount: Int, to xml: inout XMLText) {
    xml.element("producer", ["id": id, "in": "0", "out": "\(max(0, frameCount - 1))"]) { xml in
      xml.property("length", frameCount)
      xml.property("eof", "continue")
      xml.property("resource", "black")
      xml.property("aspect_ratio", 1)
      xml.property("mlt_service", "color")
      xml.property("mlt_image_format", "rgba")
      xml.property("set.test_audio", 0)
    }
  }

  /// Adds the clips of a track as `add` writes them, and the blanks between them.
  func addClips(of track: Track, to xml: inout XMLText, _ add: (Int, inout XMLText) -> Void) {
    var place = 0
    for (index, clip) in track.clips.enumerated() {
      if clip.frames.lowerBound > place {
        xml.element("blank", ["length": "\(clip.frames.lowerBound - place)"])
      }
      add(index, &xml)
      place = clip.frames.upperBound
    }
  }

  /// Adds a transition that is always active between two tracks, counted from the black one.
  func addTransition(
    _ service: String, from first: Int = 0, to second: Int, of xml: inout XMLText,
    _ more: (inout XMLText) -> Void
  ) {
    xml.element("transition") { xml in
      xml.property("a_track", first)
      xml.property("b_track", second)
      xml.property("mlt_service", service)
      xml.property("always_active", 1)
      more(&xml)
    }
  }
}

extension Project.Track {
  /// What MLT leaves out of the track: `video`, `audio` or `both`.
  var hidden: String { kind == .sound ? "video" : isProgramme ? "audio" : "both" }
}

extension Project.Media {
  /// The level of MLT's `volume` filter for a gain, in decibels; nil if there is nothing to change.
  ///
  /// MLT spreads one channel over two at 1/√2 of its amplitude; one channel is raised by as much.
  func mltLevel(gain: Double) -> String? {
    let level = gain + (channels == 1 ? 3.0103 : 0)
    return level == 0 ? nil : Project.decimal(level)
  }
}
