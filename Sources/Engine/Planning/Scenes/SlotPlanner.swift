import TesseraPlan
import TesseraRecordings
import TesseraRequest
import TesseraSoundtrack
import TesseraTimeline

/// Determines the presence, contents and decorations of a participant's slots over time.
struct SlotPlanner {
  let frameRate: FrameRate
  /// The number of frames of the timeline.
  let frameCount: Int
  let events: FrameIndexedEvents
  /// The choice of participants that get a tile.
  let tiles: TiledParticipants

  /// The tolerance at the ends of a call, since recordings rarely start and end on the same frame.
  ///
  /// A participant who joins or leaves this close to the timeline's ends counts as present from the
  /// start or to the end. Pictures that start or end later or earlier than the sound by less than
  /// this leave no room for a card.
  static let settling = MediaTime(nanoseconds: 500_000_000)
  /// The time for which the plate on a shared screen is shown, and the duration of its fade-out.
  static let plateTime = MediaTime(seconds: 3)
  static let plateFading = MediaTime(nanoseconds: 500_000_000)
  /// The minimum absence after which a participant loses the tile.
  static let shortestAbsence = MediaTime(seconds: 5)

  private var settling: Int { frameRate.firstFrame(showing: Self.settling) }
  private var shortestAbsence: Int { frameRate.firstFrame(showing: Self.shortestAbsence) }

  /// Returns the slot with number `id` for `lane` of `person`.
  func slot(_ lane: PlannedParticipant.PictureLane, of person: PlannedParticipant, id: SlotID)
    -> TileTimeline
  {
    var slot = TileTimeline(id: id, participant: person.id, kind: lane.kind)
    let kinds: Set<TrackKind> = lane.kind == .screen ? [.screen, .still] : [.camera]
    let off = events.off(person.participant.id, kinds)
    let shown = lane.shown.subtracting(off)
    if lane.kind == .screen || lane.source != nil {
      slot.presence = settled(shown)
    } else {
      slot.presence = presence(of: person)
      if tiles == .cameras {
        slot.presence = slot.presence.intersection(settled(joined(shown)))
      }
    }
    slot.contents = contents(
      lane, of: person, shown: held(shown, of: lane, off: off), presence: slot.presence)
    slot.decorations = decorations(of: person, screen: lane.kind == .screen ? slot.presence : nil)
    return slot
  }

  /// Returns `shown` extended by gaps between recordings in which the last picture is held: the
  /// next picture arrives before a card would appear, and the participant did not turn the camera
  /// off.
  private func held(
    _ shown: [Range<Int>], of lane: PlannedParticipant.PictureLane, off: [Range<Int>]
  ) -> [Range<Int>] {
    let gaps = zip(shown, shown.dropFirst()).map { $0.upperBound..<$1.lowerBound }
    let held = gaps.filter { gap in
      lane.takes.contains {
        $0.shown.last?.upperBound == gap.lowerBound && gap.upperBound <= $0.heldUntil
      } && !off.contains { $0.overlaps(gap) }
    }
    return (shown + held).merged
  }

  /// Returns the merged `ranges` with short absences between them closed.
  private func joined(_ ranges: [Range<Int>]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    for range in ranges {
      if let last = result.last, range.lowerBound - last.upperBound < shortestAbsence {
        result[result.count - 1] = last.lowerBound..<range.upperBound
      } else {
        result.append(range)
      }
    }
    return result
  }

  /// Returns the frames in which the person is present.
  ///
  /// The recorder's events decide if there are any. Otherwise the person is present while there is
  /// something to see or hear, including short absences. A person with neither is present all the
  /// time, because a recording of them is lost.
  private func presence(of person: PlannedParticipant) -> [Range<Int>] {
    if let known = events.presence(of: person.participant.id) { return settled(known) }
    let voices = person.voices.map { frameRate.frames(showing: $0.source.interval) }
    let seen = person.lanes.filter { $0.kind == .camera && $0.source == nil }
      .flatMap { $0.takes.map(\.track.frames) }
    let ranges = (voices + seen).merged
    guard !ranges.isEmpty else { return [0..<frameCount] }
    return settled(joined(ranges))
  }

  private func settled(_ ranges: [Range<Int>]) -> [Range<Int>] {
    ranges.map { range in
      let first = range.lowerBound < settling ? 0 : range.lowerBound
      let isLast = frameCount - range.upperBound < settling
      return first..<max(first + 1, isLast ? frameCount : min(frameCount, range.upperBound))
    }.filter { $0.lowerBound < frameCount }.merged
  }

  /// Returns the contents of the slot: the newest track with a picture, otherwise the person's
  /// card.
  ///
  /// If the card would be shown only for a moment, or the picture is held, the previous content
  /// remains, or nothing is shown.
  private func contents(
    _ lane: PlannedParticipant.PictureLane, of person: PlannedParticipant, shown: [Range<Int>],
    presence: [Range<Int>]
  ) -> ValueTimeline<TileTimeline.Content> {
    let isLost =
      person.lanes.allSatisfy { $0.takes.isEmpty && $0.stills.isEmpty }
      && person.voices.isEmpty && !person.files.isEmpty
    let card = TileTimeline.Content.card(isLost ? .loss(person.id) : .person(person.id))
    var contents = ValueTimeline<TileTimeline.Content>(.nothing)
    for range in presence {
      let borders =
        shown + lane.stills.map(\.frames)
        + lane.takes.flatMap { $0.shown + $0.shown.intersection([$0.track.frames]) }
      let inside = Set(
        borders.flatMap { [$0.lowerBound, $0.upperBound] }.filter(range.contains)
          + [range.lowerBound, range.upperBound])
      let cuts = inside.sorted()
      for (start, end) in zip(cuts, cuts.dropFirst()) {
        let isShown = shown.contains { $0.contains(start) }
        if isShown, let content = lane.content(in: start) {
          contents.append(content, from: start)
        } else if isShown, start > range.lowerBound {
          continue
        } else if end - start >= settling || start..<end == range {
          contents.append(card, from: start)
        } else if start == range.lowerBound {
          contents.append(.nothing, from: start)
        }
      }
    }
    return contents
  }

  /// Returns the decorations of the person's tile. `screen` contains the frames in which the tile
  /// shows a screen; its plate fades out after a while, so that it does not cover the screen.
  private func decorations(of person: PlannedParticipant, screen: [Range<Int>]?) -> ValueTimeline<
    TileTimeline.Decorations
  > {
    let muted = screen == nil ? events.off(person.participant.id, [.microphone]) : []
    let names = events.names(of: person.participant.id)
    let fades = (screen ?? []).flatMap { range in
      let end = range.lowerBound + frameRate.firstFrame(showing: Self.plateTime)
      return Self.plateFade(range.lowerBound..<end, frameRate)
    }
    let cuts = Set(
      [0] + muted.flatMap { [$0.lowerBound, $0.upperBound] } + names.map(\.frame)
        + fades.map(\.frame))
    var changes = ValueTimeline<TileTimeline.Decorations>()
    for frame in cuts.filter({ $0 < frameCount }).sorted() {
      var decorations = TileTimeline.Decorations()
      let usual = person.participant.isMix ? "" : person.participant.name
      decorations.name = names.last { $0.frame <= frame }?.name ?? usual
      decorations.isMuted = muted.contains { $0.contains(frame) }
      decorations.isScreen = screen != nil
      decorations.plateOpacity = fades.last { $0.frame <= frame }?.opacity ?? 255
      changes.append(decorations, from: frame)
    }
    return changes
  }

  /// Returns the opacities of a plate that is shown in `range` and fades out afterwards.
  fileprivate static func plateFade(
    _ range: Range<Int>, _ rate: FrameRate
  ) -> [(frame: Int, opacity: UInt8)] {
    let length = max(1, rate.firstFrame(showing: plateFading))
    return [(range.lowerBound, 255)]
      + (1...length).map { (range.upperBound + $0 - 1, UInt8(255 * (length - $0) / length)) }
  }
}

extension PlannedParticipant.PictureLane {
  /// Returns the content to show in `frame`: the take or still image that started last. A picture
  /// that is only held after the end of its track has lower priority.
  fileprivate func content(in frame: Int) -> TileTimeline.Content? {
    let seen = takes.filter { $0.shown.contains { $0.contains(frame) } }
    let take = seen.last { $0.track.frames.contains(frame) } ?? seen.last
    let still = stills.last { $0.frames.contains(frame) }
    switch (take, still) {
    case (let take?, let still?) where still.frames.lowerBound <= take.track.frames.lowerBound:
      return .track(take.track.id)
    case (_, let still?): return .still(still.path)
    case (let take?, nil): return .track(take.track.id)
    case (nil, nil): return nil
    }
  }
}

extension TileTimeline {
  /// Limits the slot's name plate to `ranges`, and removes the active speaker's frame in `alone`,
  /// where the slot fills the canvas.
  mutating func direct(
    names ranges: [Range<Int>], alone: [Range<Int>], _ rate: FrameRate, before end: Int
  ) {
    let fades = [(frame: 0, opacity: UInt8(0))] + ranges.flatMap { SlotPlanner.plateFade($0, rate) }
    var opacities = ValueTimeline<UInt8>()
    for fade in fades.sorted(by: { $0.frame < $1.frame })
    where fade.opacity == 255 || !ranges.contains(where: { $0.contains(fade.frame) }) {
      opacities.append(fade.opacity, from: fade.frame)
    }
    let cuts = Set(
      decorations.all.map(\.frame) + opacities.all.map(\.frame)
        + alone.flatMap { [$0.lowerBound, $0.upperBound] })
    var changes = ValueTimeline<Decorations>()
    for frame in cuts.filter({ $0 < end }).sorted() {
      guard var value = decorations[frame] else { continue }
      value.plateOpacity = opacities[frame] ?? 0
      value.isSpeaking = value.isSpeaking && !alone.contains { $0.contains(frame) }
      changes.append(value, from: frame)
    }
    decorations = changes
  }

  /// Marks the frames in which the slot's person speaks.
  mutating func speak(_ speaking: [Range<Int>], before end: Int) {
    let cuts = Set(
      decorations.all.map(\.frame) + speaking.flatMap { [$0.lowerBound, $0.upperBound] })
    var changes = ValueTimeline<Decorations>()
    for frame in cuts.filter({ $0 < end }).sorted() {
      guard var value = decorations[frame] else { continue }
      value.isSpeaking = speaking.contains { $0.contains(frame) }
      changes.append(value, from: frame)
    }
    decorations = changes
  }
}
