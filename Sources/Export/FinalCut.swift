import Foundation
import TesseraTimeline

/// A project in Final Cut Pro 7's interchange format, version 5.
extension Project {
  /// The text of an `.xml` file.
  var finalCut: String {
    var xml = XMLText(doctype: "xmeml")
    let items = FinalCutItems(self)
    var described: Set<Int> = []
    xml.element("xmeml", ["version": "5"]) { xml in
      xml.element("sequence", ["id": "sequence-1"]) { xml in
        xml.element("name", [:], name)
        xml.element("duration", [:], frameCount)
        add(FinalCutRate(rate), to: &xml)
        xml.element("timecode") { xml in
          add(FinalCutRate(rate), to: &xml)
          xml.element("string", [:], "00:00:00:00")
          xml.element("frame", [:], 0)
          xml.element("displayformat", [:], "NDF")
        }
        xml.element("media") { xml in
          xml.element("video") { xml in
            xml.element("format") { xml in
              addPictureFormat(width, height, FinalCutRate(rate), to: &xml)
            }
            add(.pictures, items, &described, to: &xml)
          }
          xml.element("audio") { xml in
            xml.element("format") { xml in addSoundFormat(48_000, to: &xml) }
            add(.sound, items, &described, to: &xml)
          }
        }
        for marker in markers {
          xml.element("marker") { xml in
            xml.element("name", [:], marker.name)
            xml.element("comment", [:], marker.isChapter ? "Chapter" : "Turn")
            xml.element("in", [:], marker.frames.lowerBound)
            xml.element("out", [:], marker.frames.upperBound)
          }
        }
      }
    }
    return xml.text
  }

  private func add(
    _ kind: Kind, _ items: FinalCutItems, _ described: inout Set<Int>, to xml: inout XMLText
  ) {
    for place in items.tracks where tracks[place.track].kind == kind {
      let track = tracks[place.track]
      let channels = items.channels(of: track)
      let attributes: KeyValuePairs =
        channels == 2
        ? [
          "currentExplodedTrackIndex": "\(place.channel - 1)", "totalExplodedTrackCount": "2",
          "premiereTrackType": "Stereo",
        ] : [:]
      xml.element("track", attributes) { xml in
        for (number, clip) in track.clips.enumerated() {
          let index = ClipIndex(track: place.track, clip: number)
          add(clip, index, place, items, &described, to: &xml)
        }
        xml.element(
          "enabled", [:], kind == .sound || track.isProgramme ? "TRUE" : "FALSE")
        xml.element("locked", [:], "FALSE")
      }
    }
  }

  private func add(
    _ clip: Clip, _ index: ClipIndex, _ place: FinalCutItems.Place, _ items: FinalCutItems,
    _ described: inout Set<Int>, to xml: inout XMLText
  ) {
    let kind = tracks[index.track].kind
    let file = media[clip.media]
    let rate = fileRate(file)
    let first = Int(saturating: (clip.source.seconds * rate.perSecond).rounded())
    let length = Double(clip.frames.count) / perSecond * rate.perSecond
    xml.element("clipitem", ["id": items.name(index, channel: place.channel)]) { xml in
      xml.element("name", [:], clip.name)
      xml.element("enabled", [:], "TRUE")
      xml.element("duration", [:], frameCount(of: file, rate))
      add(rate, to: &xml)
      xml.element("start", [:], clip.frames.lowerBound)
      xml.element("end", [:], clip.frames.upperBound)
      xml.element("in", [:], first)
      xml.element("out", [:], first + max(1, Int(saturating: length.rounded())))
      if described.insert(clip.media).inserted {
        add(file, clip.media, rate, to: &xml)
      } else {
        xml.element("file", ["id": "file-\(clip.media + 1)"])
      }
      if kind == .sound {
        xml.element("sourcetrack") { xml in
          xml.element("mediatype", [:], "audio")
          xml.element("trackindex", [:], place.channel)
        }
        if clip.gain != 0 { addLevel(clip.gain, to: &xml) }
      }
      for link in items.links(of: index) {
        xml.element("link") { xml in
          xml.element("linkclipref", [:], link.name)
          xml.element("mediatype", [:], link.kind == .pictures ? "video" : "audio")
          xml.element("trackindex", [:], link.track)
          xml.element("clipindex", [:], link.clip)
        }
      }
    }
  }

  private func add(_ file: Media, _ number: Int, _ rate: FinalCutRate, to xml: inout XMLText) {
    xml.element("file", ["id": "file-\(number + 1)"]) { xml in
      xml.element("name", [:], URL(fileURLWithPath: file.path).lastPathComponent)
      xml.element("pathurl", [:], url(of: file))
      add(rate, to: &xml)
      xml.element("duration", [:], frameCount(of: file, rate))
      xml.element("media") { xml in
        if file.video != nil {
          xml.element("video") { xml in
            addPictureFormat(file.width, file.height, rate, to: &xml)
          }
        }
        if file.audio != nil {
          xml.element("audio") { xml in
            addSoundFormat(file.sampleRate, to: &xml)
            xml.element("channelcount", [:], file.channels)
          }
        }
      }
    }
  }

  /// The file as the format's readers expect it: a URL of this machine, or one relative to the
  /// project.
  private func url(of file: Media) -> String {
    let path = path(of: file)
    let encoded =
      path.addingPercentEncoding(
        withAllowedCharacters: CharacterSet(charactersIn: "/-_.~").union(.asciiAlphanumerics))
      ?? path
    return path.isAbsolutePath ? "file://localhost\(encoded)" : encoded
  }

  private func add(_ rate: FinalCutRate, to xml: inout XMLText) {
    xml.element("rate") { xml in
      xml.element("timebase", [:], rate.timebase)
      xml.element("ntsc", [:], rate.isNTSC ? "TRUE" : "FALSE")
    }
  }

  private func addPictureFormat(
    _ width: Int, _ height: Int, _ rate: FinalCutRate, to xml: inout XMLText
  ) {
    xml.element("samplecharacteristics") { xml in
      add(rate, to: &xml)
      xml.element("width", [:], width)
      xml.element("height", [:], height)
      xml.element("anamorphic", [:], "FALSE")
      xml.element("pixelaspectratio", [:], "square")
      xml.element("fielddominance", [:], "none")
    }
  }

  private func addSoundFormat(_ sampleRate: Int, to xml: inout XMLText) {
    xml.element("samplecharacteristics") { xml in
      xml.element("depth", [:], 16)
      xml.element("samplerate", [:], sampleRate)
    }
  }

  /// Adds a level, which is an amplitude.
  private func addLevel(_ gain: Double, to xml: inout XMLText) {
    xml.element("filter") { xml in
      xml.element("effect") { xml in
        xml.element("name", [:], "Audio Levels")
        for key in ["effectid", "effectcategory", "effecttype"] {
          xml.element(key, [:], "audiolevels")
        }
        xml.element("mediatype", [:], "audio")
        xml.element("parameter") { xml in
          xml.element("parameterid", [:], "level")
          xml.element("name", [:], "Level")
          xml.element("valuemin", [:], 0)
          xml.element("valuemax", [:], "3.98107")
          let level = pow(10, min(Self.mostLevel, gain) / 20)
          xml.element("value", [:], String(format: "%.6f", level))
        }
      }
    }
  }

  /// The rate in which positions in a file are counted: its own, or the timeline's where it has no
  /// constant one that the format can state.
  private func fileRate(_ file: Media) -> FinalCutRate {
    let timeline = FinalCutRate(rate)
    guard let own = file.rate else { return timeline }
    let stated = FinalCutRate(own)
    let exact = Double(own.numerator) / Double(own.denominator)
    return abs(stated.perSecond / exact - 1) < 0.000_1 ? stated : timeline
  }

  private func frameCount(of file: Media, _ rate: FinalCutRate) -> Int {
    max(1, Int(saturating: (file.duration.seconds * rate.perSecond).rounded(.up)))
  }
}

/// A rate as the format states it: a whole number, or 1000/1001 of it.
private struct FinalCutRate {
  var timebase: Int
  var isNTSC: Bool

  /// The rate next to `rate`.
  init(_ rate: FrameRate) {
    let exact = Double(rate.numerator) / Double(rate.denominator)
    timebase = max(1, Int(saturating: exact.rounded()))
    let whole = Double(timebase)
    isNTSC = abs(exact - whole * 1000 / 1001) < abs(exact - whole)
  }

  var perSecond: Double { Double(timebase) * (isNTSC ? 1000.0 / 1001 : 1) }
}

/// The names and links of a project's clips, with a track for each channel of stereo sound.
private struct FinalCutItems {
  /// A channel of a track.
  struct Place {
    var track: Int
    /// From 1.
    var channel: Int
    /// The number among the tracks of its kind, from 1.
    var number: Int
  }

  struct Link {
    var name: String
    var kind: Project.Kind
    /// Numbers from 1: of the track among those of its kind, of the clip on it.
    var track, clip: Int
  }

  private let project: Project
  private(set) var tracks: [Place] = []
  private var groups: [Project.ClipIndex: [Project.ClipIndex]] = [:]

  init(_ project: Project) {
    self.project = project
    var counts: [Project.Kind: Int] = [:]
    for (number, track) in project.tracks.enumerated() {
      for channel in 1...channels(of: track) {
        counts[track.kind, default: 0] += 1
        tracks.append(Place(track: number, channel: channel, number: counts[track.kind] ?? 1))
      }
    }
    for group in project.links {
      for index in group { groups[index] = group }
    }
  }

  /// How many tracks of the format a track takes.
  func channels(of track: Project.Track) -> Int {
    guard track.kind == .sound else { return 1 }
    return track.clips.contains { project.media[$0.media].channels > 1 } ? 2 : 1
  }

  func name(_ index: Project.ClipIndex, channel: Int) -> String {
    "clipitem-\(index.track + 1)-\(index.clip + 1)-\(channel)"
  }

  /// The clips that move with a clip, itself among them; none if it moves alone.
  func links(of index: Project.ClipIndex) -> [Link] {
    let isSound = project.tracks[index.track].kind == .sound
    let isStereo = channels(of: project.tracks[index.track]) == 2
    let group = groups[index] ?? (isSound && isStereo ? [index] : [])
    return group.flatMap { member in
      tracks.filter { $0.track == member.track }.map { place in
        Link(
          name: name(member, channel: place.channel), kind: project.tracks[member.track].kind,
          track: place.number, clip: member.clip + 1)
      }
    }
  }
}

extension CharacterSet {
  fileprivate static let asciiAlphanumerics = CharacterSet(
    charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
}
