import TesseraDocuments
import TesseraTimeline

/// The project as a Kdenlive document.
///
/// Written in the form of Kdenlive 22.12, which later versions convert on opening: a bin with a
/// producer for each file, and for each track a tractor with two playlists.
extension EditorProject {
  /// The project as the text of a `.kdenlive` file.
  var kdenlive: String {
    var xml = XMLWriter()
    // Kdenlive numbers tracks from the bottom. Sound tracks are below the picture tracks, the first
    // one directly below them.
    let sounds = tracks.indices.filter { tracks[$0].kind == .sound }
    let order = sounds.reversed() + tracks.indices.filter { tracks[$0].kind == .pictures }
    xml.element("mlt", ["LC_NUMERIC": "C", "producer": "main_bin", "version": "7.12.0"]) { xml in
      addProfile(to: &xml)
      addMedia(to: &xml) {
        addProperties(order, to: &$0)
      } _: { number, _, xml in
        let file = media[number]
        xml.properties([
          // The bin's folders occupy the first two numbers.
          "kdenlive:id": number + 2, "kdenlive:folderid": -1,
          "kdenlive:clip_type": file.video == nil ? 1 : file.audio == nil ? 2 : 0,
        ])
      }
      addBlack("black_track", frameCount: Int(Int32.max), to: &xml)
      for (place, number) in order.enumerated() { add(tracks[number], place, to: &xml) }
      xml.element("tractor", ["id": "timeline", "in": 0, "out": frameCount - 1]) { xml in
        xml.element("track", ["producer": "black_track"])
        for place in order.indices { xml.element("track", ["producer": "tractor\(place)"]) }
        for (place, number) in order.enumerated() {
          let isSound = tracks[number].kind == .sound
          let service = isSound ? "mix" : "qtblend"
          addTransition(
            service, to: place + 1,
            ["kdenlive_id": service, "internal_added": 237, "sum": isSound ? 1 : 0], of: &xml)
        }
      }
    }
    return xml.text
  }

  private func add(_ track: Track, _ place: Int, to xml: inout XMLWriter) {
    let isSound = track.kind == .sound
    let mark: XMLWriter.Attributes = isSound ? ["kdenlive:audio_track": 1] : [:]
    // Kdenlive stores the second clip of a dissolve on a second playlist.
    let playlists = ["playlist\(2 * place)", "playlist\(2 * place + 1)"]
    xml.element("playlist", ["id": playlists[0]]) { xml in
      xml.properties(mark)
      addEntries(of: track, to: &xml) { index, xml in
        let number = track.clips[index].media
        xml.properties(["kdenlive:id": number + 2])
        if isSound { media[number].addLevel(["kdenlive_id": "volume"], to: &xml) }
      }
    }
    xml.element("playlist", ["id": playlists[1]]) { $0.properties(mark) }
    xml.element("tractor", ["id": "tractor\(place)", "in": 0]) { xml in
      xml.properties(mark)
      xml.properties(["kdenlive:track_name": track.name, "kdenlive:timeline_active": 1])
      for playlist in playlists {
        xml.element("track", ["hide": track.hidden, "producer": playlist])
      }
    }
  }

  private func addProperties(_ order: [Int], to xml: inout XMLWriter) {
    // The number names the folder of the document's cache.
    let id = media.reduce(Int64(frameCount)) { $0 &+ $1.duration.nanoseconds } & .max
    let properties: XMLWriter.Attributes = [
      "version": "1.04", "kdenliveversion": "22.12.3", "documentid": id, "audioChannels": 2,
      "activeTrack": order.count - 1, "compositing": 1, "enableproxy": 0, "generateproxy": 0,
      "position": 0, "seekOffset": 30000, "zoom": 8, "guides": guides.json(),
      "groups": groups(order).json(),
    ]
    for (key, value) in properties { xml.properties(["kdenlive:docproperties.\(key)": value]) }
    // Kdenlive's built-in profiles. If none is named, Kdenlive creates one from the `profile`
    // element.
    let digits = Int(saturating: (perSecond * (rate.denominator == 1 ? 1 : 100)).rounded())
    if height * 16 == width * 9, [720, 1080].contains(height),
      [24, 25, 30, 50, 60, 2398, 2997, 5994].contains(digits)
    {
      xml.properties(["kdenlive:docproperties.profile": "atsc_\(height)p_\(digits)"])
    }
  }

  /// The markers. Kdenlive allows one per frame, so the names of several are joined.
  private var guides: DocumentValue {
    let places = Dictionary(grouping: markers, by: \.frames.lowerBound)
    return .list(
      places.sorted { $0.key < $1.key }.map { frame, markers in
        .object([
          "comment": .text(markers.map(\.name).unique.joined(separator: " · ")),
          "pos": .number(DecimalLiteral(frame)),
          "type": .number(DecimalLiteral(markers.contains(where: \.isChapter) ? 0 : 3)),
        ])
      })
  }

  /// Returns the groups of linked clips. Kdenlive identifies a clip by its track and first frame.
  private func groups(_ order: [Int]) -> DocumentValue {
    .list(
      links.map { clips in
        let children = clips.map { index -> DocumentValue in
          let place = order.firstIndex(of: index.track) ?? 0
          let frame = tracks[index.track].clips[index.clip].frames.lowerBound
          return .object([
            "data": .text("\(place):\(frame)"), "leaf": .text("clip"), "type": .text("Leaf"),
          ])
        }
        return .object([
          "children": .list(children), "type": .text(clips.count == 2 ? "AVSplit" : "Normal"),
        ])
      })
  }
}

extension DocumentValue {
  static func object(_ members: KeyValuePairs<String, DocumentValue>) -> DocumentValue {
    var object = Members()
    for (key, value) in members { object.append(key, value) }
    return .object(object)
  }
}
