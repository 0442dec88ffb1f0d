import TesseraCodecs
import TesseraLayout
import TesseraLettering
package import TesseraSystem
package import TesseraTimeline

extension Plan {
  /// What rendering `frames` reads, without what `losses` take away.
  package func input(for frames: Range<Int>, without losses: [CrashLoss] = []) -> SegmentInput {
    input(for: FrameCut(frames), without: losses)
  }

  /// What rendering `frames` reads, without what `losses` take away.
  package func input(for frames: FrameCut, without losses: [CrashLoss] = []) -> SegmentInput {
    var inputs = SegmentInputs(self)
    return inputs.input(for: frames, without: losses)
  }
}

/// Makes the inputs of many segments of one plan.
package struct SegmentInputs {
  private let plan: Plan
  private let rate: FrameRate
  /// The frames in which each track is seen, in the plan's order.
  package let wanted: [[Range<Int>]]
  /// Its pictures that fade.
  private let fadings: [TrackID: [SegmentInput.Fading]]
  private var packets: [TrackID: PacketDigests] = [:]
  /// What tiles need of the plan's look; many segments need the same.
  private var looks: [Look.Selection: Digested<Look>] = [:]

  /// How many packets a decoder may have read beyond the last picture that it has put out.
  private static let lookahead = 64

  /// What makes the inputs of `plan`.
  package init(_ plan: Plan) {
    self.plan = plan
    rate = plan.output.video.frameRate
    wanted = plan.tracks.map { plan.wantedFrames(ofTrack: $0.id) }
    fadings = plan.fadings
  }

  /// What rendering `cut`, which is not empty, reads; without what `losses` take away.
  package mutating func input(
    for cut: FrameCut, without losses: [CrashLoss] = []
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
      }, clock: plan.look.clock.map { SegmentInput.Clock($0, in: frames, at: rate) },
      art: plan.look.store)
  }

  private mutating func look(of slots: [Slot]) -> Digested<Look> {
    let selection = Look.Selection(slots)
    let look = looks[selection] ?? Digested(plan.look.part(selection))
    looks[selection] = look
    return look
  }

  private mutating func tracks(
    _ cut: FrameCut, _ losses: [CrashLoss]
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
          SegmentInput.Fading(
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
  /// `track` where it is seen in `frames`; `packets` names those up to a number.
  fileprivate init(
    _ track: Plan.Track, wanted: [Range<Int>], fadings: [SegmentInput.Fading],
    in frames: Range<Int>, lost: Int?, at rate: FrameRate, packets: (Int) -> String
  ) {
    let origin = frames.lowerBound
    let all = (wanted + fadings.map { $0.last..<($0.last + 1) }).merged
    let seen = (all.first?.lowerBound ?? 0)..<(all.last?.upperBound ?? 0)
    let route = PictureRoute(
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
  /// The pictures of each track that change places with something else.
  fileprivate var fadings: [TrackID: [SegmentInput.Fading]] {
    var fadings: [TrackID: [SegmentInput.Fading]] = [:]
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
            SegmentInput.Fading(last: change.frame - 1, frames: frames))
        }
      }
    }
    return fadings
  }

  /// The frames from which tracks are lost that brought workers down.
  fileprivate func lostFrames(_ losses: [CrashLoss]) -> [TrackID: Int] {
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
  /// What pictures depend on.
  fileprivate var ofPictures: OutputFormat {
    var format = self
    (format.audio, format.title) = (SoundEncoderSettings(), nil)
    (format.chapters, format.captions) = ([], [])
    return format
  }
}

extension Slot {
  /// What it shows in `frames`, counted from their beginning, with what came up to `history` frames
  /// before.
  fileprivate func slice(_ frames: Range<Int>, history: Int) -> Slot {
    var slice = Slot(id: id, participant: participant, kind: kind)
    let seen = (frames.lowerBound - history)..<frames.upperBound
    slice.contents = contents.slice(seen, from: frames.lowerBound)
    slice.decorations = decorations.slice(seen, from: frames.lowerBound)
    slice.framing = framing.slice(frames, from: frames.lowerBound)
    // Only changes of what it shows look at it.
    slice.presence = slice.contents.all.dropFirst().map(\.frame).filter {
      isPresent(around: $0 + frames.lowerBound)
    }.map { ($0 - 1)..<($0 + 1) }
    return slice
  }
}

extension Look {
  /// What tiles need of a look.
  fileprivate struct Selection: Hashable {
    var cards: Set<Slot.Card> = []
    var stills: Set<String> = []
    var plates: Set<PlateText> = []
    var hasMicrophoneOff = false
    var hasHighlights = false

    /// What tiles need that show `slots`.
    init(_ slots: [Slot]) {
      for slot in slots {
        for content in slot.contents.all.map(\.value) {
          switch content {
          case .nothing: break
          case .card(let card): cards.insert(card)
          case .still(let path): stills.insert(path)
          case .track:
            // A loss may be found while it is rendered.
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

  /// The part of it that `selection` names, and the background.
  fileprivate func part(_ selection: Selection) -> Look {
    var part = Look()
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
  /// `overlay` in `frames`; nil where nothing of it is seen.
  fileprivate init?(_ overlay: CanvasOverlay, in frames: Range<Int>, at rate: FrameRate) {
    let (first, end) = (
      max(frames.lowerBound, rate.firstFrame(at: overlay.from)),
      min(frames.upperBound, rate.firstFrame(at: overlay.to))
    )
    guard first < end else { return nil }
    var shares = Changes<Int>()
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

extension SegmentInput.Clock {
  /// What `clock` shows in `frames`.
  fileprivate init(_ clock: Look.Clock, in frames: Range<Int>, at rate: FrameRate) {
    var texts = Changes<String>()
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
