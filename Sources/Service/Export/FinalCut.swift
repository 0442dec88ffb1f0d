import Foundation
import TesseraTimeline

/// The project in Final Cut Pro 7's XML interchange format, version 5.
extension EditorProject {
  /// The project as the text of an `.xml` file.
  var finalCut: String {
    var xml = XMLWriter(doctype: "xmeml")
    let timeline = FinalCutRate(rate)
    var described: Set<Int> = []
    let rows = finalCutRows
    var groups: [ClipIndex: [ClipIndex]] = [:]
    for group in links { for clip in group { groups[clip] = group } }
    xml.element("xmeml", ["version": "5"]) { xml in
      xml.element("sequence", ["id": "sequence-1"]) { xml in
        xml.values(["name": name, "duration": frameCount])
        timeline.add(to: &xml)
        xml.element("timecode") { xml in
          timeline.add(to: &xml)
          xml.values(["string": "00:00:00:00", "frame": 0, "displayformat": "NDF"])
        }
        xml.element("media") { xml in
          xml.element("video") { xml in
            xml.element("format") { addPictureFormat(width, height, timeline, to: &$0) }
            for row in rows where !row.isSound { add(row, rows, groups, &described, to: &xml) }
          }
          xml.element("audio") { xml in
            for row in rows where row.isSound { add(row, rows, groups, &described, to: &xml) }
          }
        }
        for marker in markers {
          xml.element("marker") { xml in
            xml.values([
              "name": marker.name, "comment": marker.isChapter ? "Chapter" : "Turn",
              "in": marker.frames.lowerBound, "out": marker.frames.upperBound,
            ])
          }
        }
      }
    }
    return xml.text
  }

  /// A track of the format: one audio channel or the pictures of a project track, numbered by kind.
  private typealias Row = (track: Int, isSound: Bool, channel: Int, channels: Int, number: Int)

  private var finalCutRows: [Row] {
    var counts = [true: 0, false: 0]
    return tracks.enumerated().flatMap { number, track -> [Row] in
      let isSound = track.kind == .sound
      let channels = isSound && track.clips.contains { media[$0.media].channels > 1 } ? 2 : 1
      return (1...channels).map { channel in
        counts[isSound, default: 0] += 1
        return (number, isSound, channel, channels, counts[isSound] ?? 1)
      }
    }
  }

  private func name(_ clip: Int, _ row: Row) -> String {
    "clipitem-\(row.track + 1)-\(clip + 1)-\(row.channel)"
  }

  private func add(
    _ row: Row, _ rows: [Row], _ groups: [ClipIndex: [ClipIndex]], _ described: inout Set<Int>,
    to xml: inout XMLWriter
  ) {
    let track = tracks[row.track]
    let stereo: XMLWriter.Attributes = [
      "currentExplodedTrackIndex": row.channel - 1, "totalExplodedTrackCount": 2,
      "premiereTrackType": "Stereo",
    ]
    xml.element("track", row.channels == 2 ? stereo : [:]) { xml in
      for (number, clip) in track.clips.enumerated() {
        let file = media[clip.media]
        let rate = fileRate(file)
        let first = Int(saturating: (clip.source.seconds * rate.perSecond).rounded())
        let length = Double(clip.frames.count) / perSecond * rate.perSecond
        xml.element("clipitem", ["id": name(number, row)]) { xml in
          xml.values(["name": clip.name, "enabled": "TRUE", "duration": frames(of: file, rate)])
          rate.add(to: &xml)
          xml.values([
            "start": clip.frames.lowerBound, "end": clip.frames.upperBound, "in": first,
            "out": first + max(1, Int(saturating: length.rounded())),
          ])
          let isNew = described.insert(clip.media).inserted
          xml.element("file", ["id": "file-\(clip.media + 1)"]) { xml in
            if isNew { add(file, rate, to: &xml) }
          }
          if row.isSound {
            xml.element("sourcetrack") {
              $0.values(["mediatype": "audio", "trackindex": row.channel])
            }
            if file.gain != 0 { addLevel(file.gain, to: &xml) }
          }
          // A clip moves together with its linked clips, and its two channels together.
          let clip = ClipIndex(track: row.track, clip: number)
          for member in groups[clip] ?? (row.channels == 2 ? [clip] : []) {
            for other in rows where other.track == member.track {
              xml.element("link") { xml in
                xml.values([
                  "linkclipref": name(member.clip, other),
                  "mediatype": other.isSound ? "audio" : "video", "trackindex": other.number,
                  "clipindex": member.clip + 1,
                ])
              }
            }
          }
        }
      }
      xml.values([
        "enabled": row.isSound || track.isProgramme ? "TRUE" : "FALSE", "locked": "FALSE",
      ])
    }
  }

  private func add(_ file: Media, _ rate: FinalCutRate, to xml: inout XMLWriter) {
    // Readers of the format expect a URL on the local machine.
    let path = path(of: file)
    let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "&;:"))
    let encoded = path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path
    xml.values([
      "name": URL(fileURLWithPath: file.path).lastPathComponent,
      "pathurl": (path.isAbsolutePath ? "file://localhost" : "") + encoded,
    ])
    rate.add(to: &xml)
    xml.values(["duration": frames(of: file, rate)])
    xml.element("media") { xml in
      if file.video != nil {
        xml.element("video") { addPictureFormat(file.width, file.height, rate, to: &$0) }
      }
      guard file.audio != nil else { return }
      xml.element("audio") { $0.values(["channelcount": file.channels]) }
    }
  }

  private func addPictureFormat(
    _ width: Int, _ height: Int, _ rate: FinalCutRate, to xml: inout XMLWriter
  ) {
    xml.element("samplecharacteristics") { xml in
      rate.add(to: &xml)
      xml.values([
        "width": width, "height": height, "anamorphic": "FALSE", "pixelaspectratio": "square",
        "fielddominance": "none",
      ])
    }
  }

  /// Adds an audio level filter. The format states an amplitude and allows at most 12 dB.
  private func addLevel(_ gain: Double, to xml: inout XMLWriter) {
    let level = pow(10, min(12, gain) / 20)
    xml.element("filter") { xml in
      xml.element("effect") { xml in
        xml.values([
          "name": "Audio Levels", "effectid": "audiolevels", "effectcategory": "audiolevels",
          "effecttype": "audiolevels", "mediatype": "audio",
        ])
        xml.element("parameter") { xml in
          xml.values([
            "parameterid": "level", "name": "Level", "valuemin": 0, "valuemax": "3.98107",
            "value": String(format: "%.6f", level),
          ])
        }
      }
    }
  }

  /// Returns the frame rate in which positions in a file are stated.
  ///
  /// The file's own rate, or the timeline's if the file has none or one that the format cannot
  /// state.
  private func fileRate(_ file: Media) -> FinalCutRate {
    guard let own = file.rate else { return FinalCutRate(rate) }
    let stated = FinalCutRate(own)
    let exact = Double(own.numerator) / Double(own.denominator)
    return abs(stated.perSecond / exact - 1) < 0.000_1 ? stated : FinalCutRate(rate)
  }

  private func frames(of file: Media, _ rate: FinalCutRate) -> Int {
    max(1, Int(saturating: (file.duration.seconds * rate.perSecond).rounded(.up)))
  }
}

/// A frame rate as the format states it: a whole number, or 1000/1001 of it.
private struct FinalCutRate {
  var timebase: Int
  var isNTSC: Bool

  /// Creates the representable rate nearest to `rate`.
  init(_ rate: FrameRate) {
    let exact = Double(rate.numerator) / Double(rate.denominator)
    timebase = max(1, Int(saturating: exact.rounded()))
    isNTSC = abs(exact - Double(timebase) * 1000 / 1001) < abs(exact - Double(timebase))
  }

  var perSecond: Double { Double(timebase) * (isNTSC ? 1000.0 / 1001 : 1) }

  func add(to xml: inout XMLWriter) {
    xml.element("rate") { $0.values(["timebase": timebase, "ntsc": isNTSC ? "TRUE" : "FALSE"]) }
  }
}
