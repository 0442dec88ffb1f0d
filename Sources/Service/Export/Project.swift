import Foundation
import TesseraPlan
package import TesseraSystem
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
    /// The channels of its sound.
    package var channels = 2
    /// The gain of its sound in decibels.
    package var gain = 0.0
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
  }

  /// What a track holds.
  package enum Kind: String, Hashable, Sendable {
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
  /// The facts about the call that no form of the project carries, a sentence each.
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

  /// The reason that there can be no file of `format`, as what the file would do; `nil` if none.
  package func problem(_ format: Format) -> Message? {
    let isStated = [1, 1001].contains(rate.denominator)
    if !isStated, format == .xml || format == .edl {
      return
        "cannot state \(rate) frames a second; give a whole \(option: "fps"), or one like 29.97."
    }
    guard format == .edl, shots.isEmpty else { return nil }
    return "would list no shot, as the call has no pictures; export another format than .edl."
  }

  /// The facts that a file of `format` does not carry or an editor cannot show, a sentence each.
  package func notes(_ format: Format) -> [String] {
    var notes = self.notes
    let voices = tracks.filter { $0.kind == .sound }
    let limit = format == .otio || format == .edl ? 0 : format == .xml ? 12 : .infinity
    let gains = voices.flatMap(\.clips).filter {
      media[$0.media].gain > limit || limit == 0 && media[$0.media].gain != 0
    }.map { "\($0.name) \(String(format: "%g", media[$0.media].gain)) dB" }.unique.joined(
      separator: ", ")
    if !gains.isEmpty {
      notes.append(
        "an .\(format) project carries \(limit == 0 ? "no gains" : "gains up to 12 dB"); set them in "
          + "the editor: \(gains).")
    }
    guard format == .edl else { return notes }
    let heard = Set(events.filter(\.isHeard).map(\.clip.name))
    let others = voices.map(\.name).filter { !heard.contains($0) }.unique.joined(separator: ", ")
    notes.append(
      "an .edl carries one track: the shots of the programme, each with the sound of the file that "
        + "is shown" + (others.isEmpty ? "." : "; it does not carry the voices of \(others)."))
    return notes
  }

  /// Frames a second.
  var perSecond: Double { Double(rate.numerator) / Double(rate.denominator) }

  /// The frames of a clip in a file that has the rate of the timeline.
  func source(of clip: Clip) -> Range<Int> {
    let first = Int(saturating: (clip.source.seconds * perSecond).rounded())
    return first..<first + clip.frames.count
  }

  /// The number of frames of a file, at the timeline's rate.
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
    tracks.indices.filter { tracks[$0].kind == .pictures && !tracks[$0].isProgramme }
      .flatMap { number in
        tracks[number].clips.indices.map { clip in
          [ClipIndex(track: number, clip: clip)] + voices(under: tracks[number].clips[clip])
        }
      }.filter { $0.count > 1 }
  }

  /// The clips of sound that play the same file at the same time as `picture` shows it.
  private func voices(under picture: Clip) -> [ClipIndex] {
    func shift(_ clip: Clip) -> Int { source(of: clip).lowerBound - clip.frames.lowerBound }
    return tracks.indices.filter { tracks[$0].kind == .sound }.flatMap { number in
      tracks[number].clips.enumerated().filter { _, voice in
        voice.media == picture.media && voice.frames.overlaps(picture.frames)
          && abs(shift(voice) - shift(picture)) <= 1
      }.map { ClipIndex(track: number, clip: $0.offset) }
    }
  }

  /// The shots of the programme, divided where the sound of the file that is shown starts or stops.
  var events: [(clip: Clip, isHeard: Bool)] {
    shots.flatMap { shot -> [(clip: Clip, isHeard: Bool)] in
      var heard = voices(under: shot).map { tracks[$0.track].clips[$0.clip].frames }.merged
        .map { $0.clamped(to: shot.frames) }
      var silent = [shot.frames].subtracting(heard)
      // Where sound ends for good within the last frame, it is no event of its own.
      let end = tracks.filter { $0.kind == .sound }.flatMap(\.clips)
        .filter { $0.media == shot.media }.map(\.frames.upperBound).max()
      if let last = silent.last, last.count == 1, last.lowerBound == end, let voice = heard.last {
        heard[heard.count - 1] = voice.lowerBound..<last.upperBound
        silent.removeLast()
      }
      return (heard.map { ($0, true) } + silent.map { ($0, false) })
        .sorted { $0.0.lowerBound < $1.0.lowerBound }
        .map { frames, isHeard in
          var clip = shot
          let skipped =
            rate.time(ofFrame: frames.lowerBound) - rate.time(ofFrame: shot.frames.lowerBound)
          (clip.source, clip.frames) = (shot.source + ExactTime(skipped), frames)
          return (clip, isHeard)
        }
    }
  }
}

extension Array where Element: Hashable {
  /// The elements without repetitions, in order.
  var unique: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
