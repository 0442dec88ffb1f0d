import Foundation
import TesseraCodecs
import TesseraLayout
import TesseraMessages
import TesseraPixels
package import TesseraPlan
import TesseraPlanning
import TesseraSoundtrack
import TesseraTimeline

extension EditorProject {
  /// Creates a project named `name` from `plan`, with the original files or the `conformed` ones.
  package init(_ plan: Plan, name: String, conformed: ConformExport? = nil) {
    let size = plan.output.video.size
    self.init(
      name: name, rate: plan.output.video.frameRate, width: size.width, height: size.height,
      frameCount: plan.cut.count)
    var builder = EditorProjectBuilder(plan: plan)
    tracks = builder.tracks(conformed)
    media = builder.media
    // A clip may end up to a frame after its file.
    for clip in tracks.flatMap(\.clips) {
      let end = clip.source.rounded + rate.time(ofFrame: clip.frames.count)
      media[clip.media].duration = max(media[clip.media].duration, end)
    }
    notes = builder.notes.unique
    addMarkers(plan)
  }

  private mutating func addMarkers(_ plan: Plan) {
    let chapters = plan.output.chapters
    for (index, chapter) in chapters.enumerated() {
      let end =
        index + 1 < chapters.count ? chapters[index + 1].start : rate.time(ofFrame: frameCount)
      let first = rate.firstFrame(showing: chapter.start)
      let frames = first..<max(first, rate.firstFrame(showing: end))
      markers.append(Marker(name: chapter.title, frames: frames, isChapter: true))
    }
    for turn in plan.turns {
      guard let interval = plan.times.output(turn.interval) else { continue }
      let first = rate.firstFrame(showing: interval.start)
      let name = plan.name(of: turn.participant, in: plan.cut[min(first, max(0, frameCount - 1))])
      markers.append(
        Marker(
          name: name, frames: first..<max(first + 1, rate.firstFrame(showing: interval.end)),
          isChapter: false))
    }
  }
}

/// A project track that is being built, with its participant.
private struct TrackDraft {
  var id: ParticipantID
  /// True for the pictures or the sound of a shared screen.
  var isScreen: Bool
  var track: EditorProject.Track
}

/// Builds the tracks and media of a project.
private struct EditorProjectBuilder {
  let plan: Plan
  private(set) var media: [EditorProject.Media] = []
  private(set) var notes: [UserMessage] = []
  /// The keys of notes that were added already, so that each is added once per file.
  private var noted: Set<String> = []
  /// The indices in ``media`` of each file, by path.
  private var known: [String: [Int]] = [:]

  private var rate: FrameRate { plan.output.video.frameRate }

  init(plan: Plan) { self.plan = plan }

  /// Builds all tracks, from the lowest to the highest.
  mutating func tracks(_ conformed: ConformExport?) -> [EditorProject.Track] {
    var (pictures, sounds) = ([TrackDraft](), [TrackDraft]())
    if let conformed {
      add(conformed, &pictures, &sounds)
    } else {
      addOriginals(&pictures, &sounds)
    }
    guard !pictures.isEmpty else { return sounds.map(\.track) }
    var programme = EditorProject.Track(name: "Programme", kind: .pictures, isProgramme: true)
    programme.clips = shots(pictures)
    return sounds.map(\.track) + pictures.map(\.track) + [programme]
  }

  private mutating func addOriginals(_ pictures: inout [TrackDraft], _ sounds: inout [TrackDraft]) {
    for track in plan.tracks {
      let isScreen = screens.contains(track.id)
      let name = self.name(track.participant) + (isScreen ? "'s screen" : "")
      place(clips(of: track, name: name), .pictures, track.participant, isScreen, in: &pictures)
    }
    for voice in plan.voices {
      let name = self.name(voice.participant) + (voice.isSpeech ? "" : "'s screen")
      place(clips(of: voice, name: name), .sound, voice.participant, !voice.isSpeech, in: &sounds)
    }
  }

  /// Adds conformed files, which start with the call. Clips cover the times with pictures or sound.
  private mutating func add(
    _ conformed: ConformExport, _ pictures: inout [TrackDraft], _ sounds: inout [TrackDraft]
  ) {
    for picture in conformed.pictures {
      guard let slot = plan.slots.first(where: { $0.id == picture.slot }),
        let owner = slot.participant
      else { continue }
      let isScreen = slot.kind == .screen
      let name = self.name(owner) + (isScreen ? "'s screen" : "")
      let shown = slot.contents.frames(before: plan.frameCount) {
        if case .track = $0 { true } else { false }
      }
      let size = picture.rendition.output.video.size
      let file = EditorProject.Media(
        path: picture.file, video: 0, duration: .zero, width: size.width, height: size.height,
        rate: rate)
      place(
        clips(of: file, name: name, shown.intersection(slot.presence)), .pictures, owner, isScreen,
        in: &pictures)
    }
    for participant in plan.participants {
      guard let file = conformed.voices[participant.id] else { continue }
      let heard = plan.voices.filter { $0.participant == participant.id }
        .map { frames(of: $0.source.interval) }
      let silent = silences(of: participant.id)
      place(
        clips(
          of: EditorProject.Media(path: file, audio: 0, duration: .zero), name: participant.name,
          heard.merged.subtracting(silent)), .sound, participant.id, false, in: &sounds)
    }
  }

  /// Returns the clips of a file that starts with the call, for the given frames.
  private mutating func clips(
    of file: EditorProject.Media, name: String, _ frames: [Range<Int>]
  ) -> [EditorProject.Clip] {
    let number = media.count
    let clips = frames.flatMap { frames in
      plan.cut.ranges.compactMap { range -> EditorProject.Clip? in
        let kept = range.clamped(to: frames)
        guard !kept.isEmpty else { return nil }
        return EditorProject.Clip(
          name: name, media: number, source: ExactTime(rate.time(ofFrame: kept.lowerBound)),
          frames: plan.cut.output(of: kept), rate: .one)
      }
    }
    if !clips.isEmpty {
      var file = file
      file.path = URL(fileURLWithPath: file.path).standardizedFileURL.path
      file.duration = rate.time(ofFrame: plan.frameCount)
      media.append(file)
    }
    return clips
  }

  /// Adds clips to the first track of the participant and kind with room for them, or to a new
  /// track.
  private func place(
    _ clips: [EditorProject.Clip], _ kind: EditorProject.Kind, _ id: ParticipantID,
    _ isScreen: Bool,
    in lanes: inout [TrackDraft]
  ) {
    guard let first = clips.first, let last = clips.last else { return }
    let span = first.frames.lowerBound..<last.frames.upperBound
    let index = lanes.indices.first { index in
      lanes[index].id == id && lanes[index].isScreen == isScreen
        && !lanes[index].track.clips.contains { $0.frames.overlaps(span) }
    }
    if let index {
      lanes[index].track.clips = (lanes[index].track.clips + clips).sorted {
        $0.frames.lowerBound < $1.frames.lowerBound
      }
    } else {
      lanes.append(
        TrackDraft(
          id: id, isScreen: isScreen,
          track: EditorProject.Track(name: first.name, kind: kind, clips: clips)))
    }
  }

  /// The tracks with pictures of shared screens.
  private var screens: Set<TrackID> {
    var screens: Set<TrackID> = []
    for slot in plan.slots where slot.kind != .camera {
      for change in slot.contents.all {
        if case .track(let id) = change.value { screens.insert(id) }
      }
    }
    return screens
  }

  private func name(_ id: ParticipantID) -> String {
    plan.participants.first { $0.id == id }?.name ?? id.rawValue
  }

  private mutating func clips(of track: Plan.Track, name: String) -> [EditorProject.Clip] {
    let source = track.source
    let number = media(source.path, source.track, name, track.clock.rate)
    return plan.cut.ranges.compactMap { range in
      let frames = range.clamped(to: track.frames)
      guard !frames.isEmpty else { return nil }
      let time = ExactTime(rate.time(ofFrame: frames.lowerBound))
      let place = source.track.clock.start + (time - track.clock.start) * track.clock.rate.inverse
      return EditorProject.Clip(
        name: name, media: number, source: max(.zero, place), frames: plan.cut.output(of: frames),
        rate: track.clock.rate)
    }
  }

  private mutating func clips(of voice: Plan.Voice, name: String) -> [EditorProject.Clip] {
    let source = voice.source
    // A mute starts from 0 dB on both sides, so the first point of the curve is the gain alone.
    let gain = Double(source.gain?.points.first?.decibels ?? 0)
    let number = media(source.path, source.sound.track, name, source.rate, gain)
    let heard = frames(of: source.interval)
    let silent = voice.isSpeech ? silences(of: voice.participant) : []
    return plan.cut.ranges.flatMap { [$0.clamped(to: heard)].subtracting(silent) }.map {
      frames in
      let time = ExactTime(rate.time(ofFrame: frames.lowerBound) - source.start)
      return EditorProject.Clip(
        name: name, media: number, source: max(.zero, time * source.rate.inverse),
        frames: plan.cut.output(of: frames), rate: source.rate)
    }
  }

  /// Returns the frames that start in `interval`.
  private func frames(of interval: TimeRange) -> Range<Int> {
    let first = max(0, rate.firstFrame(at: interval.start))
    return first..<max(first, min(plan.frameCount, rate.firstFrame(at: interval.end)))
  }

  /// Returns the frames in which a participant is muted, including those muted in part.
  private func silences(of id: ParticipantID) -> [Range<Int>] {
    plan.mutes.filter { $0.participant == id }.map { mute in
      let nearest = rate.firstFrame(showing: mute.interval.start)
      let first = rate.time(ofFrame: nearest) > mute.interval.start ? nearest - 1 : nearest
      return max(0, first)..<max(1, first + 1, rate.firstFrame(at: mute.interval.end))
    }.merged
  }

  /// Returns the index in ``media`` of the entry for the file at `path` with `track`; adds one if
  /// necessary.
  private mutating func media(
    _ path: String, _ track: MediaTrack, _ name: String, _ rate: Ratio, _ gain: Double = 0
  ) -> Int {
    let file = SegmentedFile.name(of: path)
    let own = track.stream.video == nil ? \EditorProject.Media.audio : \.video
    let number = (known[file] ?? []).first {
      let stream = media[$0][keyPath: own]
      return stream == nil
        || stream == track.stream.index && (own == \.video || media[$0].gain == gain)
    }
    if let number, media[number][keyPath: own] != nil {
      media[number].duration = max(media[number].duration, track.end.rounded)
      return number
    }
    let absolute = URL(fileURLWithPath: file).standardizedFileURL.path
    if file != path, noted.insert("segments of \(file)").inserted {
      notes.append(
        "\(file: file) is in segments, which few editors read; join them into one file first (ffmpeg -i "
          + "\(URL(fileURLWithPath: file).lastPathComponent) -c copy \(name).mp4).")
    }
    let parts = (rate.value - 1) * 1e6
    // Pictures and sound of a file share one clock, although each measures it slightly differently.
    // One note is enough.
    if abs(parts) >= 1, noted.insert("clock of \(file)").inserted {
      let count = Int(saturating: abs(parts).rounded())
      notes.append(
        "\(file: file): its clock runs \(count) ppm \(parts > 0 ? "fast" : "slow"); the project plays it as "
          + "it is, so that it comes apart by \(count * 36 / 10) ms in an hour.")
    }
    let index = number ?? media.count
    if number == nil {
      known[file, default: []].append(index)
      media.append(EditorProject.Media(path: absolute, duration: .zero))
    }
    media[index].duration = max(media[index].duration, track.end.rounded)
    media[index].add(track, gain)
    return index
  }

  /// Returns the shots of the programme.
  ///
  /// At each moment the programme shows the largest tile, or the active speaker among several of
  /// nearly that size. If no such tile has pictures, it stays on the last file, or shows any
  /// participant with pictures.
  private func shots(_ pictures: [TrackDraft]) -> [EditorProject.Clip] {
    var edges: Set<Int> = [0, plan.cut.count]
    for time in plan.scenes.changeTimes {
      edges.insert(plan.cut.output(from: rate.firstFrame(showing: time)))
    }
    for clip in pictures.flatMap(\.track.clips) {
      edges.formUnion([clip.frames.lowerBound, clip.frames.upperBound])
    }
    let slots = Dictionary(plan.slots.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    // Rounding can put two edges one frame apart. The previous shot is extended by that frame
    // instead of a shot of a single frame.
    let count = plan.cut.count
    let sorted = edges.filter {
      $0 == 0 || $0 == count || ($0 > 1 && $0 < count && !edges.contains($0 + 1))
    }.sorted()
    var shots: [EditorProject.Clip] = []
    for (first, end) in zip(sorted, sorted.dropFirst()) {
      let there = pictures.compactMap { lane in
        lane.track.clips.first { $0.frames.overlaps(first..<end) }.map { (lane: lane, clip: $0) }
      }
      // Transitions are complete by the end of a shot.
      let time = rate.time(ofFrame: plan.cut[end - 1])
      let speaker = plan.turns.last { $0.interval.start <= time }?.participant
      let tiles = plan.scenes.attributes(at: time).filter { $0.isVisible && $0.alpha == 1 }
      let shown = tiles.compactMap {
        tile -> (area: Double, isSpeaker: Bool, clip: EditorProject.Clip)? in
        guard let slot = slots[tile.id], let owner = slot.participant,
          let found = there.last(where: {
            $0.lane.id == owner && $0.lane.isScreen == (slot.kind == .screen)
          })
        else { return nil }
        let size = tile.displayFrame.size
        return (size.width * size.height, owner == speaker, found.clip)
      }
      // Tiles of one row may differ by a pixel.
      let largest = shown.map(\.area).max() ?? 0
      let best = shown.filter { $0.area > largest * 0.9 }.max { !$0.isSpeaker && $1.isSpeaker }
      // A card has no file, so the previous file stays.
      let before = there.first { $0.clip.media == shots.last?.media }
      guard var clip = best?.clip ?? before?.clip ?? there.first?.clip else { continue }
      let skipped = ExactTime(
        rate.time(ofFrame: first) - rate.time(ofFrame: clip.frames.lowerBound))
      clip.source = max(.zero, clip.source + skipped * clip.rate.inverse)
      clip.frames = first..<end
      if let last = shots.last, last.media == clip.media, last.frames.upperBound == first,
        last.name == clip.name, isOne(last, clip)
      {
        shots[shots.count - 1].frames = last.frames.lowerBound..<end
      } else {
        shots.append(clip)
      }
    }
    return shots
  }

  /// True if `clip` continues the file where `last` ends, to 1 ms.
  private func isOne(_ last: EditorProject.Clip, _ clip: EditorProject.Clip) -> Bool {
    let length = ExactTime(
      rate.time(ofFrame: clip.frames.lowerBound) - rate.time(ofFrame: last.frames.lowerBound))
    let gap = clip.source - (last.source + length * last.rate.inverse)
    return max(gap, .zero - gap) < ExactTime(1, over: 1000)
  }
}

extension EditorProject.Media {
  /// Records the stream of `track` and its properties.
  fileprivate mutating func add(_ track: MediaTrack, _ gain: Double) {
    if let picture = track.stream.video {
      video = track.stream.index
      (width, height) = (picture.size.width, picture.size.height)
      let stated = track.clock.nominalRate ?? picture.averageFrameRate
      rate = FrameRate(stated.numerator, stated.denominator)
    } else {
      (audio, self.gain) = (track.stream.index, gain)
      channels = track.stream.audio?.channels ?? channels
    }
  }
}
