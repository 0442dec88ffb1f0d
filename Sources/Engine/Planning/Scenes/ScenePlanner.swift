import TesseraCodecs
import TesseraLayout
import TesseraLettering
import TesseraMessages
import TesseraPixels
import TesseraPlan
import TesseraRequest
import TesseraSystem
import TesseraTimeline

/// Computes the layout of all slots over time.
struct ScenePlanner {
  /// A slot and the facts that layouts need about it.
  struct Seat {
    var slot: TileTimeline
    /// The names by which layout files and options can refer to the slot.
    var names: [String]
    var classes: [String]
    /// The ids of the recording's tracks in the slot.
    var trackIDs: Set<String>
    var aspectRatio: Double?
    var isLocal: Bool
    /// True if the slot has a reserved place on the canvas.
    var isKept = false
    /// True if the slot's pictures are cropped around faces.
    var isFramed = false
    /// The recordings shown in the slot.
    var takes: [PlannedParticipant.PictureStretch] = []
    var isFocused: Bool
  }

  let rendition: Rendition
  let frameCount: Int
  /// The layout at the start.
  let layout: any LayoutPolicy
  /// The layout changes, each with the frame from which it applies.
  let layouts: [(frame: Int, layout: any LayoutPolicy)]
  let events: FrameIndexedEvents
  var speech = ActiveSpeakerPlanner.Speech()
  /// True if the layouts depend on the active speaker.
  let followsSpeaker: Bool
  /// The time at which the output starts. No transition is in progress in its first picture.
  var start = MediaTime.zero

  private var frameRate: FrameRate { rendition.output.video.frameRate }

  /// Returns the layout of `seats` over time, and the canvas size.
  ///
  /// A side of the canvas that is left to the layout gets the length that the layout needs for the
  /// largest number of simultaneous participants.
  func scenes(
    of seats: [Seat]
  ) throws(RenderError) -> (timeline: LayoutTimeline, canvas: PixelSize) {
    let allItems = allItems(seats)
    let changes = changes(seats, allItems)
    let engine = try engine(for: changes, allItems, on: rendition.proposedSize)
    return try RenderError.refusing { () throws(LayoutError) in
      let timeline = try LayoutTimeline(
        changes, engine: engine, transition: transition, start: start, frameRate: frameRate)
      return (timeline, PixelSize(engine.canvas))
    }
  }

  /// Returns true if a layout's content is larger than the canvas at some time. The canvas then
  /// scrolls and needs a participant to follow.
  func scrolls(_ seats: [Seat]) throws(RenderError) -> Bool {
    try !casts(of: seats, on: rendition.proposedSize) { !$0.isScrolled }
  }

  /// Returns a canvas size, with one side left to the layout, at which everybody is always visible,
  /// or `nil` if there is none.
  func sizeForEveryone(_ seats: [Seat]) -> ProposedSize? {
    let (width, height) = (rendition.proposedSize.width, rendition.proposedSize.height)
    let sizes =
      (width.map { [ProposedSize(width: $0, height: nil)] } ?? [])
      + (height.map { [ProposedSize(width: nil, height: $0)] } ?? [])
    return sizes.first { (try? casts(of: seats, on: $0, \.missed.isEmpty)) == true }
  }

  /// Returns true if `isMet` is true for each arrangement of the call on a canvas of `size`.
  private func casts(
    of seats: [Seat], on size: ProposedSize, _ isMet: (LayoutEngine) -> Bool
  ) throws(RenderError) -> Bool {
    let allItems = allItems(seats)
    let changes = changes(seats, allItems)
    var engine = try engine(for: changes, allItems, on: size)
    return try RenderError.refusing { () throws(LayoutError) in
      for change in changes {
        if let policy = change.policy { try engine.setPolicy(policy) }
        engine.place(change.items, at: change.time)
        guard isMet(engine) else { return false }
      }
      return true
    }
  }

  /// Returns the layout engine at the start. A missing side of `size` is derived from the largest
  /// number of simultaneous participants.
  private func engine(
    for changes: [LayoutChange], _ allItems: [LayoutItem], on size: ProposedSize
  ) throws(RenderError) -> LayoutEngine {
    let kept = rendition.keptVisible.map { ReservedPlace(edge: $0.place, share: $0.size) }
    let most = changes.map(\.items).max { $0.count < $1.count } ?? []
    let (canvas, gap) = layout.measure(
      size,
      items: most.prefix(rendition.maximumTiles).filter { kept == nil || !$0.isKept }, gap: gap)
    try check(canvas)
    var engine = try RenderError.refusing { () throws(LayoutError) in
      try LayoutEngine(
        policy: layout, canvas: canvas, gap: gap, maximumTiles: rendition.maximumTiles,
        fit: rendition.output.fit, allItems: allItems, kept: kept)
    }
    engine.fillsAlone = rendition.gap == nil && !rendition.output.style.theme.keepsEdges
    engine.isLimited = rendition.limitsTiles && rendition.maximumTiles < allItems.count
    return engine
  }

  /// The transition between layouts. Shots are cut without a transition.
  private var transition: LayoutTransition {
    layout is CutsLayout ? LayoutTransition(duration: .zero) : rendition.transition
  }

  /// The gap between tiles in pixels: the rendition's, otherwise the theme's; `nil` for the
  /// default.
  private var gap: Double? {
    if let gap = rendition.gap { return gap }
    let theme = rendition.output.style.theme
    guard theme.gap > 0 else { return nil }
    let size = rendition.proposedSize
    let side = [size.width, size.height].compactMap { $0 }.min() ?? 1080
    return (theme.gap * side / 1080).rounded()
  }

  /// Returns all layout items in join order. Participants who join in the same frame keep the order
  /// of the seats.
  private func allItems(_ seats: [Seat]) -> [LayoutItem] {
    let starts = seats.map { $0.slot.presence.first?.lowerBound ?? frameCount }
    return seats.indices.sorted { (starts[$0], $0) < (starts[$1], $1) }.map { index in
      let seat = seats[index]
      let last = seat.slot.presence.last?.upperBound ?? frameCount
      var item = LayoutItem(
        id: seat.slot.id, sources: seat.names, classes: seat.classes,
        kind: seat.slot.kind == .screen ? .screen : .camera, aspectRatio: seat.aspectRatio,
        isLocal: seat.isLocal, isFocused: seat.isFocused,
        presence: TimeRange(
          start: frameRate.time(ofFrame: starts[index]), end: frameRate.time(ofFrame: last)))
      (item.isKept, item.isFramed) = (seat.isKept, seat.isFramed)
      return item
    }
  }

  /// Returns the layout's input at the start and at each frame at which it changes: the
  /// participants present, the speaker, the large participant, and the layout itself.
  private func changes(_ seats: [Seat], _ allItems: [LayoutItem]) -> [LayoutChange] {
    let byID = Dictionary(uniqueKeysWithValues: seats.map { ($0.slot.id, $0) })
    let turns =
      followsSpeaker || seats.count > rendition.maximumTiles ? speech.turns : []
    let frames = Set(
      [0] + seats.flatMap { $0.slot.presence.flatMap { [$0.lowerBound, $0.upperBound] } }
        + turns.map { frame($0.interval.start) } + layouts.map(\.frame) + events.focus.map(\.frame)
        + events.classes.map(\.frame) + seats.flatMap { $0.slot.contents.all.map(\.frame) }
        // The last frame is included because participants may get a seat until then.
        + [max(0, frameCount - 1)])
    let spoken = Dictionary(grouping: turns, by: \.id).mapValues { turns in
      turns.map { (frame: frame($0.interval.start), time: $0.interval.start) }
    }
    return frames.filter { $0 < frameCount }.sorted().map { frame in
      let speaker = turns.last { self.frame($0.interval.start) <= frame }?.id
      let focus = events.focus.last { $0.frame <= frame }
      let items = allItems.compactMap { item -> LayoutItem? in
        guard let seat = byID[item.id], seat.slot.presence.contains(where: { $0.contains(frame) })
        else { return nil }
        var item = item
        item.isSeen = seat.slot.shows(in: frame)
        if let owner = seat.slot.participant, seat.slot.kind == .camera {
          item.isSpeaking = owner == speaker
          item.lastSpoke = spoken[owner]?.last { $0.frame <= frame }?.time
          if !seats.contains(where: \.isFocused), let focus {
            item.isFocused = focus.id == owner.rawValue
          }
        }
        if let change = events.classes.last(where: {
          $0.frame <= frame && seat.trackIDs.contains($0.track)
        }) {
          item.classes = change.classes
        }
        return item
      }
      return LayoutChange(
        time: frameRate.time(ofFrame: frame), items: items,
        policy: layouts.last { $0.frame == frame }?.layout)
    }
  }

  private func frame(_ time: MediaTime) -> Int { max(0, frameRate.firstFrame(showing: time)) }

  private func check(_ canvas: Size) throws(RenderError) {
    let sides = ProposedSize.canvasSides
    let limits = Double(sides.lowerBound)...Double(sides.upperBound)
    guard limits.contains(canvas.width), limits.contains(canvas.height) else {
      throw RenderError(
        .usage,
        "\(option: "size") \(rendition.proposedSize) makes a canvas with this layout whose sides are not from "
          + "\(sides.lowerBound) to \(sides.upperBound) pixels; give both sides.")
    }
  }
}

extension PixelSize {
  fileprivate init(_ size: Size) {
    self.init(width: Int(saturating: size.width), height: Int(saturating: size.height))
  }
}

extension Rendition {
  /// The requested canvas size.
  fileprivate var proposedSize: ProposedSize {
    let fixed = output.video.size
    return size ?? ProposedSize(width: Double(fixed.width), height: Double(fixed.height))
  }
}

extension TileTimeline {
  fileprivate func shows(in frame: Int) -> Bool { contents[frame]?.isPicture ?? false }
}
