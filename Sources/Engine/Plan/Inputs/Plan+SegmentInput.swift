import TesseraCodecs
import TesseraLayout
import TesseraLettering
package import TesseraSystem
package import TesseraTimeline

extension Plan {
  /// Returns everything that rendering `frames` reads, except the tracks that `losses` give up.
  package func input(for frames: FrameSelection, without losses: [CrashedTrackLoss] = [])
    -> SegmentInput
  {
    var inputs = SegmentInputBuilder(self)
    return inputs.input(for: frames, without: losses)
  }
}

/// Builds the ``SegmentInput`` of many segments of one plan, and caches what they share.
package struct SegmentInputBuilder {
  private let plan: Plan
  private let rate: FrameRate
  /// The frames that show each track, in the order of the plan's tracks.
  package let wanted: [[Range<Int>]]
  /// For each track, the last pictures that still fade out while other content replaces them in a
  /// slot.
  private let fadings: [TrackID: [SegmentInput.Crossfade]]
  private var packets: [TrackID: PacketDigests] = [:]
  /// Digests of parts of the plan's look. Many segments need the same parts.
  private var looks: [PlanDrawings.DrawingKeys: DigestEncoded<PlanDrawings>] = [:]

  /// Largest number of packets that a decoder may have read beyond the last picture that it
  /// returned.
  private static let lookahead = 64

  package init(_ plan: Plan) {
    self.plan = plan
    rate = plan.output.video.frameRate
    wanted = plan.tracks.map { plan.wantedFrames(ofTrack: $0.id) }
    fadings = plan.fadings
  }

  /// Returns everything that rendering `cut` reads, except the tracks that `losses` give up. `cut`
  /// must not be empty.
  package mutating func input(
    for cut: FrameSelection, without losses: [CrashedTrackLoss] = []
  ) -> SegmentInput {
    let frames = cut.bounds
    let scenes = plan.scenes.attributes(in: frames, at: rate)
    let items = scenes.items
    let slots = plan.slots.filter { items.contains($0.id) }.map {
      $0.slice(frames, history: plan.output.history)
    }
    return SegmentInput(
      origin: frames.lowerBound, count: frames.count, output: plan.output.ofPictures, slots: slots,
      scenes: scenes, tracks: tracks(cut, losses), look: look(of: slots),
      overlays: plan.look.overlays.compactMap {
        SegmentInput.Overlay($0, in: frames, at: rate)
      }, clock: plan.look.clock.map { SegmentInput.DrawnClock($0, in: frames, at: rate) },
      art: plan.look.store)
  }

  private mutating func look(of slots: [TileTimeline]) -> DigestEncoded<PlanDrawings> {
    let selection = PlanDrawings.DrawingKeys(slots)
    let look = looks[selection] ?? DigestEncoded(plan.look.part(selection))
    looks[selection] = look
    return look
  }

  private mutating func tracks(
    _ cut: FrameSelection, _ losses: [CrashedTrackLoss]
  ) -> [SegmentInput.Track] {
    let frames = cut.bounds
    let lost = plan.lostFrames(losses)
    var tracks: [SegmentInput.Track] = []
    for (number, track) in plan.tracks.enumerated() {
      let fadings = fadings[track.id, default: []].filter { fading in
        cut.ranges.contains { $0.overlaps(fading.frames) }
      }
      guard !fadings.isEmpty || !wanted[number].intersection(cut.ranges).isEmpty else { continue }
      let origin = frames.lowerBound
      let seen = SegmentInput.Track.seen(wanted[number].intersection(plan.cut.ranges), in: frames) {
        track.decodingStart(toShow: $0, at: rate)
      }
      let input = SegmentInput.Track(
        track, wanted: seen.moved(by: -origin),
        fadings: fadings.map {
          SegmentInput.Crossfade(
            last: $0.last - origin, frames: $0.frames.clamped(to: frames).moved(by: -origin))
        }, in: frames, lost: lost[track.id], at: rate
      ) { last in
        let digests = packets[track.id] ?? PacketDigests(track.source.index)
        packets[track.id] = digests
        return digests.name(upTo: min(track.source.index.count, last + 1 + Self.lookahead))
      }
      tracks.append(input)
    }
    return tracks
  }
}

extension SegmentInput.Track {
  /// Creates the part of `track` that `frames` show. `packets` returns a digest of the packets up
  /// to a number.
  fileprivate init(
    _ track: Plan.Track, wanted: [Range<Int>], fadings: [SegmentInput.Crossfade],
    in frames: Range<Int>, lost: Int?, at rate: FrameRate, packets: (Int) -> String
  ) {
    let origin = frames.lowerBound
    let all = (wanted + fadings.map { $0.last..<($0.last + 1) }).merged
    let seen = (all.first?.lowerBound ?? 0)..<(all.last?.upperBound ?? 0)
    let route = PictureSchedule(
      track.source, clock: track.clock, frameRate: rate, origin: origin, cutoff: track.cutoff,
      heldFrom: track.heldFrom, seen)
    let hold = rate.firstFrame(showing: Plan.Track.longestHold)
    self.init(
      id: track.id, wanted: wanted, fadings: fadings, route: route,
      end: min(track.frames.upperBound - origin, frames.count + hold),
      lostFrom: lost.map { $0 - origin }, head: track.source.head,
      packets: packets(route.lastPacket))
  }
}

extension Plan {
  /// For each track, the last pictures that still fade out while other content replaces them in a
  /// slot.
  fileprivate var fadings: [TrackID: [SegmentInput.Crossfade]] {
    var fadings: [TrackID: [SegmentInput.Crossfade]] = [:]
    guard output.contentFade > 0 else { return fadings }
    for slot in slots {
      let visible = visibility(of: slot.id)
      for (before, change) in zip(slot.contents.all, slot.contents.all.dropFirst()) {
        guard case .track(let id) = before.value, change.value != .nothing,
          slot.isPresent(around: change.frame)
        else { continue }
        let fading = change.frame..<(change.frame + output.contentFade)
        for frames in visible.intersection([fading]) {
          fadings[id, default: []].append(
            SegmentInput.Crossfade(last: change.frame - 1, frames: frames))
        }
      }
    }
    return fadings
  }

  /// For each track that crashed workers, the first frame in which it is given up.
  fileprivate func lostFrames(_ losses: [CrashedTrackLoss]) -> [TrackID: Int] {
    var frames: [TrackID: Int] = [:]
    for loss in losses {
      let time = MediaTime(nanoseconds: max(0, loss.time))
      frames[loss.id] = min(
        frames[loss.id] ?? .max, output.video.frameRate.firstFrame(at: time))
    }
    return frames
  }
}

extension OutputFormat {
  /// The format without the settings that pictures do not depend on: sound, chapters, captions and
  /// title.
  fileprivate var ofPictures: OutputFormat {
    var format = self
    (format.audio, format.title) = (SoundEncoderSettings(), nil)
    (format.chapters, format.captions) = ([], [])
    return format
  }
}

extension TileTimeline {
  /// Returns the slot's values in `frames`, counted from their first frame, with the changes of up
  /// to `history` frames before them.
  fileprivate func slice(_ frames: Range<Int>, history: Int) -> TileTimeline {
    var slice = TileTimeline(id: id, participant: participant, kind: kind)
    let seen = (frames.lowerBound - history)..<frames.upperBound
    slice.contents = contents.slice(seen, from: frames.lowerBound)
    slice.decorations = decorations.slice(seen, from: frames.lowerBound)
    slice.framing = framing.slice(frames, from: frames.lowerBound)
    // Only crossfades of contents read the presence.
    slice.presence = slice.contents.all.dropFirst().map(\.frame).filter {
      isPresent(around: $0 + frames.lowerBound)
    }.map { ($0 - 1)..<($0 + 1) }
    return slice
  }
}

extension PlanDrawings {
  /// The keys of those entries of a look that some tiles need.
  fileprivate struct DrawingKeys: Hashable {
    var cards: Set<TileTimeline.Card> = []
    var stills: Set<String> = []
    var plates: Set<PlateText> = []
    var hasMicrophoneOff = false
    var hasHighlights = false

    /// Collects the keys of all look entries that tiles of `slots` need.
    init(_ slots: [TileTimeline]) {
      for slot in slots {
        for content in slot.contents.all.map(\.value) {
          switch content {
          case .nothing: break
          case .card(let card): cards.insert(card)
          case .still(let path): stills.insert(path)
          case .track:
            // A loss may only be found while rendering: include the card that replaces lost
            // pictures.
            if let owner = slot.participant { cards.insert(.loss(owner)) }
          }
        }
        for decorations in slot.decorations.all.map(\.value) {
          plates.insert(PlateText(name: decorations.name, isScreen: decorations.isScreen))
          hasMicrophoneOff = hasMicrophoneOff || decorations.isMuted
          hasHighlights = hasHighlights || decorations.isSpeaking
        }
      }
    }
  }

  /// Returns the entries that `selection` names, and the background.
  fileprivate func part(_ selection: DrawingKeys) -> PlanDrawings {
    var part = PlanDrawings()
    part.background = background
    part.cards = cards.filter { selection.cards.contains($0.key) }
    part.stills = stills.filter { selection.stills.contains($0.key) }
    part.plates = plates.filter { selection.plates.contains($0.key) }
    if selection.hasMicrophoneOff { part.microphoneOff = microphoneOff }
    if selection.hasHighlights { part.highlights = highlights }
    return part
  }
}

extension SegmentInput.Overlay {
  /// Creates the part of `overlay` that `frames` show; nil if nothing of it is visible there.
  fileprivate init?(_ overlay: CanvasOverlay, in frames: Range<Int>, at rate: FrameRate) {
    let (first, end) = (
      max(frames.lowerBound, rate.firstFrame(at: overlay.from)),
      min(frames.upperBound, rate.firstFrame(at: overlay.to))
    )
    guard first < end else { return nil }
    var shares = ValueTimeline<Int>()
    if overlay.fade > .zero {
      for frame in first..<end {
        shares.append(overlay.share(at: rate.time(ofFrame: frame)), from: frame - frames.lowerBound)
      }
    } else {
      shares.append(256, from: first - frames.lowerBound)
    }
    guard shares.all.contains(where: { $0.value > 0 }) else { return nil }
    if end < frames.upperBound { shares.append(0, from: end - frames.lowerBound) }
    (fill, groups, self.shares) = (overlay.fill, overlay.groups, shares)
  }
}

extension SegmentInput.DrawnClock {
  /// Creates the texts that `clock` shows in `frames`.
  fileprivate init(_ clock: PlanDrawings.DrawnClock, in frames: Range<Int>, at rate: FrameRate) {
    var texts = ValueTimeline<String>()
    var shown: Int64?
    for frame in frames {
      let second = clock.times.second(at: rate.time(ofFrame: frame))
      guard second != shown else { continue }
      texts.append(clock.times.text(ofSecond: second), from: frame - frames.lowerBound)
      shown = second
    }
    (art, self.texts) = (clock.art, texts)
  }
}
