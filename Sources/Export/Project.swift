import Foundation
import TesseraPlan
package import TesseraTimeline

/// A composed call as an editor's project: every original file at its place, cut as the output is,
/// and above them a programme: what the layout shows largest.
///
/// All times of the timeline are whole frames of the output; cuts of the call apply to every
/// track, and each clip still refers to the whole file, so that an editor can lengthen it.
package struct Project: Hashable, Sendable {
  /// A file that clips refer to, with at most one stream of pictures and one of sound; a file with
  /// more streams is listed several times.
  package struct Media: Hashable, Sendable {
    /// The absolute path.
    package var path: String
    /// The index of the stream that clips show, among all streams of the file.
    package var video: Int?
    /// The index of the stream that clips play, among all streams of the file.
    package var audio: Int?
    /// The time from the file's beginning to its end.
    package var duration: MediaTime
    /// The size of its pictures as displayed.
    package var width = 0, height = 0
    /// The rate that the file states of its pictures, if it does; they may come at varying times.
    package var rate: FrameRate?
    /// Samples a second, and channels, of its sound.
    package var sampleRate = 48_000, channels = 2
  }

  /// A part of a file.
  package struct Clip: Hashable, Sendable {
    /// What it is called: the person, or the person's screen.
    package var name: String
    /// The number of the file among ``Project/media``.
    package var media: Int
    /// The time in the file, from its beginning, at which it begins.
    package var source: ExactTime
    /// Where it stands, in frames of the output.
    package var frames: Range<Int>
    /// Timeline seconds in a second of the file; other than 1 where its recorder's clock ran slow or
    /// fast.
    package var rate: Ratio
    /// The gain of its sound in decibels.
    package var gain = 0.0
  }

  /// What a track holds.
  package enum Kind: Hashable, Sendable {
    case pictures, sound
  }

  /// Clips one after the other, with gaps between them.
  package struct Track: Hashable, Sendable {
    package var name: String
    package var kind: Kind
    /// In order; none overlap.
    package var clips: [Clip] = []
    /// Whether it is what is shown and heard: an editor hides the pictures of all others.
    package var isProgramme = false
  }

  /// A moment or stretch with a name.
  package struct Marker: Hashable, Sendable {
    package var name: String
    package var frames: Range<Int>
    /// Whether it is a chapter's, and not somebody's turn.
    package var isChapter: Bool

    /// A marker called `name` at `frames`.
    package init(name: String, frames: Range<Int>, isChapter: Bool) {
      (self.name, self.frames, self.isChapter) = (name, frames, isChapter)
    }
  }

  package var name: String
  package var rate: FrameRate
  /// The size of the pictures.
  package var width, height: Int
  /// How many frames it has.
  package var frameCount: Int
  package var media: [Media] = []
  /// From the lowest to the highest; the programme is the highest of the pictures.
  package var tracks: [Track] = []
  package var markers: [Marker] = []
  /// What no form of the project carries, a sentence each.
  package var notes: [String] = []
  /// The folder of the project's file: media in it, and in folders beside it, are named relative to
  /// it. All media are named by absolute paths if it is nil.
  package var folder: String?

  /// The formats of projects, by the endings of files.
  package enum Format: String, CaseIterable, Sendable {
    /// Kdenlive's own document.
    case kdenlive
    /// MLT's XML as Shotcut writes it, which `melt` plays, too.
    case mlt
    /// Final Cut Pro 7's interchange format, which Premiere Pro, Resolve and Vegas read.
    case xml
    /// OpenTimelineIO.
    case otio
    /// An edit decision list (CMX 3600) of the programme.
    case edl

    /// True if the format has a place for gains.
    package var carriesGains: Bool { self != .otio && self != .edl }
  }

  /// The shots of the programme.
  package var shots: [Clip] { tracks.first(where: \.isProgramme)?.clips ?? [] }

  /// The text of a file.
  package func text(_ format: Format) -> String {
    switch format {
    case .kdenlive: kdenlive
    case .mlt: mlt
    case .xml: finalCut
    case .otio: otio
    case .edl: edl
    }
  }

  /// What a file of `format` does not carry, or an editor cannot show, a sentence each.
  package func notes(_ format: Format) -> [String] {
    var notes = self.notes
    let voices = tracks.filter { $0.kind == .sound }
    let gains = voices.flatMap(\.clips).filter { $0.gain != 0 }.map {
      "\($0.name) \($0.gain > 0 ? "+" : "")\(Self.decimal($0.gain)) dB"
    }
    if !format.carriesGains, !gains.isEmpty {
      notes.append(
        "an .\(format) project carries no gains; set them in the editor: "
          + "\(gains.unique.joined(separator: ", ")).")
    }
    switch format {
    case .xml:
      if voices.flatMap(\.clips).contains(where: { $0.gain > Self.mostLevel }) {
        notes.append("an .xml project carries gains up to 12 dB; set higher ones in the editor.")
      }
    case .edl:
      let heard = Set(events.filter(\.isHeard).map(\.clip.name))
      let others = voices.map(\.name).filter { !heard.contains($0) }.unique
      notes.append(
        "an .edl carries one track: the shots of the programme, each with the sound of the file that "
          + "is shown"
          + (others.isEmpty
            ? "." : "; it does not carry the voices of \(others.joined(separator: ", ")).")
      )
      if rate.denominator != 1 {
        notes.append(
          "OpenShot reads the timecodes of an .edl as seconds, which at \(rate) frames a second "
            + "places its clips early; give a whole --fps for OpenShot.")
      }
    case .kdenlive, .mlt, .otio: break
    }
    return notes
  }
}

// MARK: What all formats are written from

extension Project {
  /// The highest gain that Final Cut Pro's level has, in decibels.
  static let mostLevel = 12.0

  /// The frame of a file that has the rate of the timeline which is shown at `time` of it.
  func frame(at time: ExactTime) -> Int { Int(saturating: (time.seconds * perSecond).rounded()) }

  /// Frames a second.
  var perSecond: Double { Double(rate.numerator) / Double(rate.denominator) }

  /// The frames of a clip in a file that has the rate of the timeline.
  func source(of clip: Clip) -> Range<Int> {
    let first = frame(at: clip.source)
    return first..<first + clip.frames.count
  }

  /// How many frames a file has, at the timeline's rate.
  func frameCount(of media: Media) -> Int { max(1, rate.firstFrame(at: media.duration)) }

  /// The path by which a project names `media`: relative to ``folder`` if the file is in it or in a
  /// folder beside it, absolute otherwise.
  func path(of media: Media) -> String {
    guard let folder else { return media.path }
    let (own, parts) = (folder.pathParts, media.path.pathParts)
    let shared = zip(own, parts).prefix { $0 == $1 }.count
    // A path that leads through the root would not move with the project.
    guard shared > 0, own.count - shared <= 1 else { return media.path }
    let up = Array(repeating: Substring(".."), count: own.count - shared)
    return (up + parts.dropFirst(shared)).joined(separator: "/")
  }

  /// The place of a clip among tracks.
  struct ClipIndex: Hashable {
    var track: Int
    var clip: Int
  }

  /// Clips that an editor moves together: a picture, and the clips of the sound recorded with it.
  var links: [[ClipIndex]] {
    tracks.indices.flatMap { number -> [[ClipIndex]] in
      let track = tracks[number]
      guard track.kind == .pictures, !track.isProgramme else { return [] }
      return track.clips.indices.compactMap { index in
        let voices = voices(under: track.clips[index])
        return voices.isEmpty ? nil : [ClipIndex(track: number, clip: index)] + voices
      }
    }
  }

  /// The clips of sound that play the same file at the same time as `picture` shows it.
  private func voices(under picture: Clip) -> [ClipIndex] {
    tracks.indices.filter { tracks[$0].kind == .sound }.flatMap { number in
      tracks[number].clips.indices.filter { index in
        let voice = tracks[number].clips[index]
        let shift = source(of: voice).lowerBound - voice.frames.lowerBound
        let own = source(of: picture).lowerBound - picture.frames.lowerBound
        return voice.media == picture.media && abs(shift - own) <= 1
          && voice.frames.overlaps(picture.frames)
      }.map { ClipIndex(track: number, clip: $0) }
    }
  }

  /// A part of a shot that is heard as a whole or not at all.
  struct Event {
    var clip: Clip
    /// True if the sound of the same file is heard with it.
    var isHeard: Bool
  }

  /// The shots of the programme, divided where the sound of the file that is shown starts or stops.
  var events: [Event] {
    shots.flatMap { shot -> [Event] in
      let voices = tracks.filter { $0.kind == .sound }.flatMap(\.clips)
        .filter { $0.media == shot.media }
      var heard = self.voices(under: shot).map { tracks[$0.track].clips[$0.clip].frames }.merged
        .map { $0.clamped(to: shot.frames) }
      var silent = [shot.frames].subtracting(heard)
      // Where sound ends for good within the last frame, it is no event of its own.
      let end = voices.map(\.frames.upperBound).max() ?? 0
      if let last = silent.last, last.count == 1, last.lowerBound == end, !heard.isEmpty {
        silent.removeLast()
        heard[heard.count - 1] = heard[heard.count - 1].lowerBound..<last.upperBound
      }
      return (heard.map { ($0, true) } + silent.map { ($0, false) })
        .sorted { $0.0.lowerBound < $1.0.lowerBound }
        .map { frames, isHeard in
          var clip = shot
          clip.source =
            clip.source
            + ExactTime(
              rate.time(ofFrame: frames.lowerBound) - rate.time(ofFrame: shot.frames.lowerBound))
          clip.frames = frames
          return Event(clip: clip, isHeard: isHeard)
        }
    }
  }

  /// A number with at most two decimals.
  static func decimal(_ value: Double) -> String {
    let text = String(format: "%.2f", value)
    return text.hasSuffix(".00") ? String(text.dropLast(3)) : text
  }
}

extension Array where Element: Hashable {
  /// The elements without repetitions, in order.
  var unique: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
