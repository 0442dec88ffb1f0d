import Foundation
package import TesseraMessages
import TesseraPlan
import TesseraSystem
package import TesseraTimeline

/// A composed call as an editor's project: the original files at their positions, and a programme
/// track.
///
/// Files are cut as the output is. The programme, the highest track, shows what the layout shows
/// largest. All times of the timeline are whole frames of the output. Each clip still refers to the
/// whole file, so that an editor can lengthen it.
package struct EditorProject: Hashable, Sendable {
  /// A file that clips refer to, with at most one video and one audio stream.
  ///
  /// A file with more streams is listed several times.
  package struct Media: Hashable, Sendable {
    /// The absolute path.
    package var path: String
    /// The index of the video stream among all streams of the file; `nil` for none.
    package var video: Int?
    /// The index of the audio stream among all streams of the file; `nil` for none.
    package var audio: Int?
    /// The duration from the file's beginning to its end.
    package var duration: MediaTime
    /// The display size of the pictures in pixels.
    package var width = 0, height = 0
    /// The frame rate that the file states, if any. The actual rate may vary.
    package var rate: FrameRate?
    /// The number of audio channels.
    package var channels = 2
    /// The gain of the sound in dB.
    package var gain = 0.0
  }

  /// A part of a file on a track.
  package struct Clip: Hashable, Sendable {
    /// The displayed name: the participant, or the participant's screen.
    package var name: String
    /// The index of the file in ``EditorProject/media``.
    package var media: Int
    /// The in-point: the time in the file, from its beginning, at which the clip starts.
    package var source: ExactTime
    /// The range on the timeline, in frames of the output.
    package var frames: Range<Int>
    /// Timeline seconds per second of the file. Differs from 1 if the recorder's clock ran slow or
    /// fast.
    package var rate: Ratio
  }

  /// The kind of media on a track.
  package enum Kind: String, Hashable, Sendable {
    case pictures, sound
  }

  /// A track of clips in order, with gaps between them.
  package struct Track: Hashable, Sendable {
    package var name: String
    package var kind: Kind
    /// The clips in order of time, without overlaps.
    package var clips: [Clip] = []
    /// True for the programme. Editors hide the pictures of all other tracks.
    package var isProgramme = false
  }

  /// A named moment or stretch of the timeline.
  package struct Marker: Hashable, Sendable {
    package var name: String
    package var frames: Range<Int>
    /// True for a chapter, false for a speaker's turn.
    package var isChapter: Bool
  }

  package var name: String
  package var rate: FrameRate
  /// The size of the canvas in pixels.
  package var width, height: Int
  /// The length of the timeline in frames.
  package var frameCount: Int
  package var media: [Media] = []
  /// The tracks from bottom to top. The programme is the highest picture track.
  package var tracks: [Track] = []
  package var markers: [Marker] = []
  /// Remarks on the call that no project format can represent, one sentence each.
  package var notes: [UserMessage] = []
  /// The folder of the project file; `nil` refers to all media by absolute paths.
  ///
  /// Media in the folder, and in folders beside it, are referenced by relative paths.
  package var folder: String?

  /// The project formats, by file extension.
  package enum Format: String, CaseIterable, Sendable {
    /// Kdenlive's document format.
    case kdenlive
    /// MLT XML with Shotcut's annotations, which `melt` plays as well.
    case mlt
    /// Final Cut Pro 7's interchange format, which Premiere Pro, Resolve and Vegas read.
    case xml
    /// OpenTimelineIO.
    case otio
    /// An edit decision list (CMX 3600), which contains the programme only.
    case edl
  }

  /// The clips of the programme.
  package var shots: [Clip] { tracks.first(where: \.isProgramme)?.clips ?? [] }

  /// Returns the project as the text of a file in `format`.
  package func text(_ format: Format) -> String {
    switch format {
    case .kdenlive: kdenlive
    case .mlt: mlt
    case .xml: finalCut
    case .otio: otio
    case .edl: edl
    }
  }

  /// Returns the content of a file in `format`, such as `8 files on 13 tracks, 8 shots`.
  package func summary(_ format: Format) -> String {
    let shown = shots.count.counted("shot")
    guard format != .edl else {
      return "\(shown) of \(Set(shots.map(\.media)).count.counted("file")) on 1 track"
    }
    return "\(media.count.counted("file")) on \(tracks.count.counted("track")), \(shown)"
  }

  /// Returns the reason why `format` cannot represent the project, as a predicate; `nil` if it can.
  package func problem(_ format: Format) -> UserMessage? {
    let isStated = [1, 1001].contains(rate.denominator)
    if !isStated, format == .xml || format == .edl {
      return
        "cannot state \(rate) frames a second; give a whole \(option: "fps"), or one like 29.97."
    }
    guard format == .edl, shots.isEmpty else { return nil }
    return "would list no shot, as the call has no pictures; export another format than .edl."
  }

  /// Returns the notes for a file of `format`: everything that the format or its editors cannot
  /// represent.
  package func notes(_ format: Format) -> [UserMessage] {
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
        + "is shown\(others.isEmpty ? "." : "; it does not carry the voices of \(others).")")
    return notes
  }

  var perSecond: Double { Double(rate.numerator) / Double(rate.denominator) }

  /// Returns the frames of a clip within its file, counted at the timeline's rate.
  func source(of clip: Clip) -> Range<Int> {
    let first = Int(saturating: (clip.source.seconds * perSecond).rounded())
    return first..<first + clip.frames.count
  }

  /// Returns the length of a file in frames, at the timeline's rate.
  func frameCount(of media: Media) -> Int { max(1, rate.firstFrame(at: media.duration)) }

  /// Returns the path by which a project file refers to `media`.
  ///
  /// Relative to ``folder`` if the file is in it or in a folder beside it, otherwise absolute.
  func path(of media: Media) -> String {
    guard let folder else { return media.path }
    let (own, parts) = (folder.pathParts, media.path.pathParts)
    let shared = zip(own, parts).prefix { $0 == $1 }.count
    // A relative path through the root would break if the project moved.
    guard shared > 0, own.count - shared <= 1 else { return media.path }
    let up = Array(repeating: Substring(".."), count: own.count - shared)
    return (up + parts.dropFirst(shared)).joined(separator: "/")
  }

  /// The position of a clip: its track and its index there.
  struct ClipIndex: Hashable {
    var track: Int
    var clip: Int
  }

  /// The groups of clips that an editor moves together: a picture and the sound recorded with it.
  var links: [[ClipIndex]] {
    tracks.indices.filter { tracks[$0].kind == .pictures && !tracks[$0].isProgramme }
      .flatMap { number in
        tracks[number].clips.indices.map { clip in
          [ClipIndex(track: number, clip: clip)] + voices(under: tracks[number].clips[clip])
        }
      }.filter { $0.count > 1 }
  }

  /// Returns the sound clips that play the file of `picture` in sync with it.
  private func voices(under picture: Clip) -> [ClipIndex] {
    func shift(_ clip: Clip) -> Int { source(of: clip).lowerBound - clip.frames.lowerBound }
    return tracks.indices.filter { tracks[$0].kind == .sound }.flatMap { number in
      tracks[number].clips.enumerated().filter { _, voice in
        voice.media == picture.media && voice.frames.overlaps(picture.frames)
          && abs(shift(voice) - shift(picture)) <= 1
      }.map { ClipIndex(track: number, clip: $0.offset) }
    }
  }

  /// The shots of the programme, divided where the sound of the shown file starts or stops.
  var events: [(clip: Clip, isHeard: Bool)] {
    shots.flatMap { shot -> [(clip: Clip, isHeard: Bool)] in
      var heard = voices(under: shot).map { tracks[$0.track].clips[$0.clip].frames }.merged
        .map { $0.clamped(to: shot.frames) }
      var silent = [shot.frames].subtracting(heard)
      // If sound ends within the last frame of a shot, that frame is no separate event.
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
