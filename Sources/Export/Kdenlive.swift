import TesseraDocuments
import TesseraTimeline

/// A project as a document of Kdenlive.
///
/// The form is that of Kdenlive 22.12 (document version 1.04), which later versions convert when they
/// open it: a bin with a producer of each file, and for each track two playlists in a tractor.
extension Project {
  /// The text of a `.kdenlive` file.
  var kdenlive: String {
    var xml = XMLText()
    // Kdenlive numbers tracks from the lowest one; tracks of sound lie below those of pictures, with
    // the first one next to them.
    let sounds = tracks.indices.filter { tracks[$0].kind == .sound }
    let order = sounds.reversed() + tracks.indices.filter { tracks[$0].kind == .pictures }
    xml.element("mlt", ["LC_NUMERIC": "C", "producer": "main_bin", "version": "7.12.0"]) { xml in
      addProfile(to: &xml)
      for number in media.indices {
        addKdenliveProducer("file\(number)", number, to: &xml)
      }
      xml.element("playlist", ["id": "main_bin"]) { xml in
        addProperties(order, to: &xml)
        xml.property("xml_retain", 1)
        for (number, file) in media.enumerated() {
          xml.element(
            "entry",
            ["producer": "file\(number)", "in": "0", "out": "\(frameCount(of: file) - 1)"])
        }
      }
      addBlack("black_track", frameCount: Int(Int32.max), to: &xml)
      for (place, number) in order.enumerated() {
        addKdenliveTrack(tracks[number], place, to: &xml)
      }
      let last = "\(max(0, frameCount - 1))"
      xml.element("tractor", ["id": "timeline", "in": "0", "out": last]) { xml in
        xml.element("track", ["producer": "black_track"])
        for place in order.indices { xml.element("track", ["producer": "tractor\(place)"]) }
        for (place, number) in order.enumerated() {
          let isSound = tracks[number].kind == .sound
          let service = isSound ? "mix" : "qtblend"
          addTransition(service, to: place + 1, of: &xml) { xml in
            xml.property("kdenlive_id", service)
            xml.property("internal_added", 237)
            if isSound {
              xml.property("accepts_blanks", 1)
              xml.property("sum", 1)
            }
          }
        }
      }
    }
    return xml.text
  }

  private func addKdenliveTrack(_ track: Track, _ place: Int, to xml: inout XMLText) {
    let isSound = track.kind == .sound
    for number in track.clips.map(\.media).unique {
      addKdenliveProducer("track\(place)_file\(number)", number, kind: track.kind, to: &xml)
    }
    func mark(_ xml: inout XMLText) {
      if isSound { xml.property("kdenlive:audio_track", 1) }
    }
    let playlists = ["playlist\(2 * place)", "playlist\(2 * place + 1)"]
    xml.element("playlist", ["id": playlists[0]]) { xml in
      mark(&xml)
      addClips(of: track, to: &xml) { index, xml in
        let clip = track.clips[index]
        let frames = source(of: clip)
        xml.element(
          "entry",
          [
            "producer": "track\(place)_file\(clip.media)", "in": "\(frames.lowerBound)",
            "out": "\(frames.upperBound - 1)",
          ]
        ) { xml in
          xml.property("kdenlive:id", Self.binID(clip.media))
          guard isSound, let level = media[clip.media].mltLevel(gain: clip.gain) else { return }
          xml.element("filter") { xml in
            xml.property("mlt_service", "volume")
            xml.property("kdenlive_id", "volume")
            xml.property("level", level)
          }
        }
      }
    }
    // Kdenlive keeps the second clip of a dissolve on a playlist of its own.
    xml.element("playlist", ["id": playlists[1]], mark)
    xml.element("tractor", ["id": "tractor\(place)", "in": "0"]) { xml in
      mark(&xml)
      xml.property("kdenlive:track_name", track.name)
      xml.property("kdenlive:timeline_active", 1)
      for playlist in playlists {
        xml.element("track", ["hide": track.hidden, "producer": playlist])
      }
    }
  }

  /// Adds a producer of a file: for the bin, or for a track that takes only its pictures or sound.
  private func addKdenliveProducer(
    _ id: String, _ number: Int, kind: Kind? = nil, to xml: inout XMLText
  ) {
    let file = media[number]
    let count = frameCount(of: file)
    xml.element("producer", ["id": id, "in": "0", "out": "\(count - 1)"]) { xml in
      xml.property("length", count)
      xml.property("eof", "pause")
      xml.property("resource", path(of: file))
      xml.property("mlt_service", "avformat")
      xml.property("video_index", file.video ?? -1)
      xml.property("audio_index", file.audio ?? -1)
      xml.property("kdenlive:id", Self.binID(number))
      xml.property("kdenlive:folderid", -1)
      xml.property("kdenlive:clip_type", file.video == nil ? 1 : file.audio == nil ? 2 : 0)
      guard let kind else { return }
      xml.property("set.test_audio", kind == .sound ? 0 : 1)
      xml.property("set.test_image", kind == .sound ? 1 : 0)
    }
  }

  /// The number of a file in Kdenlive's bin, whose folders take the first two.
  private static func binID(_ media: Int) -> Int { media + 2 }

  private func addProperties(_ order: [Int], to xml: inout XMLText) {
    let properties: KeyValuePairs<String, Any> = [
      "version": "1.04", "kdenliveversion": "22.12.3", "documentid": documentID, "audioChannels": 2,
      "activeTrack": order.count - 1, "compositing": 1, "enableproxy": 0, "generateproxy": 0,
      "position": 0, "seekOffset": 30000, "zoom": 8, "guides": guides.json(),
      "groups": groups(order).json(),
    ]
    for (key, value) in properties { xml.property("kdenlive:docproperties.\(key)", value) }
    // A document whose profile Kdenlive does not have makes a new one of the `profile` element.
    if let profile = kdenliveProfile { xml.property("kdenlive:docproperties.profile", profile) }
  }

  /// The number by which Kdenlive names the folder of a document's cache.
  private var documentID: UInt32 {
    (name + media.map(\.path).joined()).utf8.reduce(2_166_136_261) {
      ($0 ^ UInt32($1)) &* 16_777_619
    }
  }

  /// The name of the profile of Kdenlive that the project has; nil if there is none.
  private var kdenliveProfile: String? {
    let rates = [
      "24": "24", "25": "25", "30": "30", "50": "50", "60": "60", "24000/1001": "2398",
      "30000/1001": "2997", "60000/1001": "5994",
    ]
    guard height * 16 == width * 9, [720, 1080].contains(height), let name = rates["\(rate)"]
    else { return nil }
    return "atsc_\(height)p_\(name)"
  }

  /// The markers; Kdenlive has one at a frame, so that names of several are joined.
  private var guides: Document {
    let places = Dictionary(grouping: markers, by: \.frames.lowerBound)
    return .list(
      places.sorted { $0.key < $1.key }.map { frame, markers in
        var guide = Document.Members()
        let names = markers.map(\.name).unique.joined(separator: " · ")
        guide.append("comment", .text(names))
        guide.append("pos", .number(Numeral(frame)))
        guide.append("type", .number(Numeral(markers.contains(where: \.isChapter) ? 0 : 3)))
        return .object(guide)
      })
  }

  /// The groups of linked clips, which are named by track and first frame.
  private func groups(_ order: [Int]) -> Document {
    .list(
      links.map { clips in
        let children = clips.map { index -> Document in
          let place = order.firstIndex(of: index.track) ?? 0
          var leaf = Document.Members()
          leaf.append(
            "data", .text("\(place):\(tracks[index.track].clips[index.clip].frames.lowerBound)"))
          leaf.append("leaf", .text("clip"))
          leaf.append("type", .text("Leaf"))
          return .object(leaf)
        }
        var group = Document.Members()
        group.append("children", .list(children))
        group.append("type", .text(clips.count == 2 ? "AVSplit" : "Normal"))
        return .object(group)
      })
  }
}
