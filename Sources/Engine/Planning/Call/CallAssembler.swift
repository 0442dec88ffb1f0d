import TesseraCodecs
import TesseraPlan
import TesseraRecordings
import TesseraRequest
import TesseraSoundtrack
import TesseraTimeline

/// Combines the recording's description of each participant with the probed contents of their
/// files.
struct CallAssembler {
  let input: ImportedCall
  /// The recording after placement: every track has its time on the timeline.
  let recording: Recording
  let probes: [String: InputProbe]
  let frameRate: FrameRate
  /// The value of `--freeze-after`; `nil` if it was not given.
  let freezeAfter: MediaTime?
  /// The choice of audio track for files with several audio tracks.
  let audioTrack: AudioTrackChoice

  private var nextTrack = 0

  init(
    _ input: ImportedCall, placed recording: Recording, probes: [String: InputProbe],
    frameRate: FrameRate, freezeAfter: MediaTime?, audioTrack: AudioTrackChoice = .preferred
  ) {
    (self.input, self.recording, self.probes) = (input, recording, probes)
    (self.frameRate, self.freezeAfter) = (frameRate, freezeAfter)
    self.audioTrack = audioTrack
  }

  /// Returns all participants in the recording's order, each with the sources of their tracks.
  /// Numbers the tracks.
  mutating func people(_ names: ParticipantNameResolver) -> [PlannedParticipant] {
    recording.participants.map { participant in
      var person = PlannedParticipant(
        id: ParticipantID(rawValue: participant.id), participant: participant,
        names: names.names(of: participant.id))
      person.isFocused = names.focus == participant.id
      for track in participant.tracks.sorted(by: { $0.start < $1.start }) {
        add(track, to: &person)
      }
      if participant.hasTile, person.lanes.isEmpty {
        person.lanes.append(PlannedParticipant.PictureLane(kind: .camera, names: person.names))
      }
      return person
    }
  }

  private mutating func newTrack() -> TrackID {
    nextTrack += 1
    return TrackID(rawValue: nextTrack)
  }

  private mutating func add(_ track: Track, to person: inout PlannedParticipant) {
    let path = input.path(of: track.file)
    let origin = origin(of: track)
    if !person.files.contains(path) {
      person.files.append(path)
      // Still images are not opened as media files, so they have no media losses.
      let losses = track.kind == .still ? [] : probes[path]?.losses ?? []
      person.losses += losses.map { cause in
        var loss = Loss(named(cause, track, of: person), of: person.id, source: path)
        if case .media(let media) = cause {
          loss.intervals = media.intervals(from: origin, rate: track.rate)
        }
        return loss
      }
    }
    if track.kind == .still {
      let lane = lane(for: track, .screen, &person)
      let end = track.stop ?? Recording.maximumTime
      person.lanes[lane].stills.append((path, frames(track.start, end)))
      return
    }
    guard let probe = probes[path] else { return }
    if !track.kind.isSoundOnly, person.participant.hasTile {
      let pictures = probe.pictures(track.stream)
      if !pictures.isEmpty {
        let lane = lane(for: track, track.kind == .screen ? .screen : .camera, &person)
        for source in pictures {
          guard let take = take(source, track, origin, person) else { continue }
          person.lanes[lane].takes.append(take)
        }
      }
    }
    guard track.isHeard else { return }
    for source in voices(of: track) {
      person.voices.append(
        Plan.Voice(
          id: newTrack(), participant: person.id, source: source, isSpeech: track.kind.isSpeech))
    }
  }

  /// Returns the voices of a track's audio, even if the track is not to be heard.
  func voices(of track: Track) -> [VoiceSource] {
    guard track.kind != .still, let probe = probes[input.path(of: track.file)] else { return [] }
    let origin = origin(of: track)
    return probe.sounds(track.stream, choice: audioTrack).compactMap { sound in
      var source = probe.voice(
        sound, start: origin.rounded, interval: sound.track.interval, rate: track.rate)
      source.sound.channel = track.channel
      source.interval = heard(source, track, origin)
      guard source.interval.end > max(.zero, source.interval.start) else { return nil }
      if track.gain != 0 { source.gain = GainCurve(constant: Float(track.gain)) }
      return source
    }
  }

  /// Returns the timeline time at which the file of a track starts.
  private func origin(of track: Track) -> ExactTime {
    ExactTime(track.start) - ExactTime(track.inPoint ?? .zero) * track.rate
  }

  /// Returns the loss cause with the participant's name added, if the file is unreadable and only a
  /// manifest states its owner.
  private func named(_ cause: Loss.Cause, _ track: Track, of person: PlannedParticipant)
    -> Loss.Cause
  {
    guard !input.isPlainList, case .unreadable(let error, _) = cause else { return cause }
    let missing = Loss.MissingFile(name: person.participant.name, kind: track.kind.lossKind)
    return .unreadable(error, missing: missing)
  }

  /// Returns the index of the lane for `track`, and adds the lane if it does not exist.
  private func lane(
    for track: Track, _ kind: TileTimeline.Kind, _ person: inout PlannedParticipant
  ) -> Int {
    let known = person.lanes.firstIndex { $0.kind == kind && $0.source == track.source }
    if known == nil {
      person.lanes.append(PlannedParticipant.PictureLane(kind: kind, source: track.source))
    }
    let index = known ?? person.lanes.count - 1
    person.lanes[index].names += person.names + track.names + [track.id]
    person.lanes[index].classes = track.classes
    person.lanes[index].trackIDs.insert(track.id)
    return index
  }

  private mutating func take(
    _ source: PictureSource, _ track: Track, _ origin: ExactTime, _ person: PlannedParticipant
  ) -> PlannedParticipant.PictureStretch? {
    guard let first = source.track.firstPicture else { return nil }
    var clock = source.track.clock
    clock.start = clock.start * track.rate + origin
    clock.rate = track.rate
    var source = source
    source.showFields(at: frameRate, on: clock)
    let begin = max(clock.time(ticks: source.index.ticks[first.packet]), ExactTime(track.start))
    let end = end(of: source.track, track)
    guard end > max(.zero, begin) else { return nil }
    var plan = Plan.Track(
      id: newTrack(), participant: person.id, source: source, clock: clock,
      aspectRatio: first.aspectRatio, frames: frames(begin.rounded, end.rounded))
    if end < source.track.end * track.rate + origin { plan.cutoff = end }
    let ends = recorded(with: track, of: person.participant).flatMap { other in
      (probes[input.path(of: other.file)]?.file?.tracks ?? []).filter {
        other.id != track.id || $0.link == source.track.link && $0.run == source.track.run
      }.filter(\.isDecodable).map { self.end(of: $0, other) }
    }
    let last = min(ends.max() ?? end, self.end(track))
    return PictureHoldRule(frameRate: frameRate, freezeAfter: freezeAfter).take(
      of: plan, track.kind, recordedUntil: self.frames(begin.rounded, last.rounded).upperBound)
  }

  /// Returns `track` and the participant's audio tracks in other files that the recorder started
  /// with it. A file with both pictures and sound counts as a recording by itself.
  private func recorded(with track: Track, of participant: Participant) -> [Track] {
    let kind: TrackKind? =
      switch track.kind {
      case .camera: .microphone
      case .screen: .screenAudio
      default: nil
      }
    return [track]
      + participant.tracks.filter {
        $0.kind == kind && $0.file != track.file
          && max($0.start, track.start) - min($0.start, track.start) < SlotPlanner.settling
      }
  }

  /// Returns the timeline time at which `stream` of the track's file ends or is cut off.
  private func end(of stream: MediaTrack, _ track: Track) -> ExactTime {
    min(stream.end * track.rate + origin(of: track), end(track))
  }

  /// Returns the latest timeline time at which `track` can be seen or heard.
  private func end(_ track: Track) -> ExactTime {
    let stop = ExactTime(track.stop ?? Recording.maximumTime)
    guard let out = track.outPoint else { return stop }
    return min(stop, origin(of: track) + ExactTime(out) * track.rate)
  }

  private func heard(
    _ voice: VoiceSource, _ track: Track, _ origin: ExactTime
  ) -> TimeRange {
    // The clock fit can shift the first and last sample, and the interval includes these shifts.
    let (first, last) = voice.clock.shifts(of: voice.sound)
    let (begin, stop) = (voice.sound.track.start, voice.sound.track.end)
    let start = max(
      (begin + ExactTime(min(.zero, first))) * track.rate + origin, ExactTime(track.start)
    ).rounded
    var end = ((stop + ExactTime(last)) * track.rate + origin).rounded
    if let stop = track.stop { end = min(end, stop) }
    if let out = track.outPoint { end = min(end, origin.rounded + out * track.rate) }
    return TimeRange(start: start, end: end)
  }

  private func frames(_ start: MediaTime, _ end: MediaTime) -> Range<Int> {
    let first = max(0, frameRate.firstFrame(showing: start))
    return first..<max(first + 1, frameRate.firstFrame(showing: end))
  }
}
