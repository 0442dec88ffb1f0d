import TesseraCaptions
import TesseraCodecs
import TesseraJobs
import TesseraLayout
import TesseraLettering
import TesseraMessages
import TesseraPixels
import TesseraPlan
import TesseraRecordings
import TesseraRequest
import TesseraSystem
import TesseraTimeline

/// Draws everything that is shown besides pictures (plates, cards, captions and overlays), in the
/// sizes at which each tile appears.
struct DrawingPlanner {
  private let plan: Plan
  private let style: TileStyle
  private let avatars: [ParticipantID: String]
  private let lettering: LetteringRenderer
  private let images: WorkerImageLoader

  /// Creates a planner for the look of `plan` with the participants `people`; `readers` decode
  /// images.
  init(_ plan: Plan, people: [PlannedParticipant], input: ImportedCall, _ readers: TaskWorkerPool) {
    self.plan = plan
    avatars = Dictionary(
      uniqueKeysWithValues: people.compactMap { person in
        person.participant.avatar.map { (person.id, input.path(of: $0)) }
      })
    style = plan.output.style
    images = WorkerImageLoader(readers)
    lettering = LetteringRenderer(theme: style.theme, images: images)
  }

  /// Draws everything. Deviations from the request are returned as notes.
  ///
  /// - Throws: ``RenderError`` if an image named in the request cannot be read.
  func draw(
    _ request: OverlayRequest, clock: CanvasClock?
  ) throws(RenderError) -> (look: PlanDrawings, notes: [UserMessage]) {
    try images.load(wanted(request))
    var look = PlanDrawings()
    var everywhere: Set<TileSizeStep> = []
    for slot in plan.slots {
      let steps = steps(of: slot)
      everywhere.formUnion(steps)
      var drawn: Set<TileTimeline.Content> = []
      for content in slot.contents.all.map(\.value) where drawn.insert(content).inserted {
        switch content {
        case .card(let card): look.cards[card] = self.look(of: card, steps)
        case .still(let path): try addStill(path, &look)
        case .nothing, .track: break
        }
      }
      draw(slot, steps, &look)
    }
    let steps = everywhere.sorted { ($0.side, $0.room) < ($1.side, $1.room) }
    for participant in plan.participants {
      look.cards[.loss(participant.id)] = self.look(of: .loss(participant.id), steps)
    }
    let isMuteSeen =
      style.theme.badge.isShown
      && plan.slots.contains { $0.decorations.all.contains(where: \.value.isMuted) }
    if isMuteSeen {
      look.microphoneOff = SizeSteppedDrawings(steps) {
        lettering.microphoneOff(step: $0).map { [$0] } ?? []
      }
    }
    if style.highlightsSpeaker {
      look.highlights = steps.map {
        PlanDrawings.Highlight(step: $0, frame: lettering.highlight(step: $0))
      }
    }
    try addOverlays(request, &look)
    look.clock = clock.map { times in
      let suffix = request.clock?.zoneText ?? ""
      let art = lettering.clock(on: plan.output.video.size, suffix: suffix)
      return PlanDrawings.DrawnClock(art: art, times: times)
    }
    look.store = lettering.store
    let usesLetters = !look.plates.isEmpty || !look.cards.isEmpty
    return (look, usesLetters ? lettering.notes : [])
  }

  /// Returns the images that are drawn, or may be.
  private func wanted(_ request: OverlayRequest) -> Set<WorkerImageLoader.Request> {
    let canvas = plan.output.video.size
    var pictures: [String] = []
    for content in plan.slots.flatMap(\.contents.all) {
      if case .still(let path) = content.value { pictures.append(path) }
    }
    for row in request.rows { if case .image(let path) = row.content { pictures.append(path) } }
    func requests(_ paths: some Sequence<String>, _ use: LetteringRenderer.ImageUse)
      -> [WorkerImageLoader
      .Request]
    {
      paths.map {
        WorkerImageLoader.Request(path: $0, longestSide: LetteringRenderer.longestSide(use))
      }
    }
    return Set(
      requests(avatars.values, .avatar) + requests(pictures, .picture(on: canvas))
        + requests([request.background].compactMap { $0 }, .backdrop(on: canvas)))
  }

  /// Returns the sizes in which a slot's tile is drawn: those at rest and those while scrolling
  /// past.
  private func steps(of slot: TileTimeline) -> [TileSizeStep] {
    let sizes = plan.scenes.states(slot.id).flatMap { attributes in
      let tile = attributes.displayFrame
      let area = attributes.decorated(slot, on: plan.output.video.size)
      return Set([
        PixelSize(width: Int(saturating: tile.width), height: Int(saturating: tile.height)),
        PixelSize(width: area.width, height: area.height),
      ])
    }
    guard let smallest = sizes.min(by: { $0.area < $1.area }),
      let largest = sizes.max(by: { $0.area < $1.area })
    else { return [] }
    let between = TileSizeStep.steps(from: smallest, to: largest)
    return Set(between + sizes.compactMap(TileSizeStep.init)).sorted {
      ($0.side, $0.room) < ($1.side, $1.room)
    }
  }

  private func draw(_ slot: TileTimeline, _ steps: [TileSizeStep], _ look: inout PlanDrawings) {
    guard style.showsNames else { return }
    var drawn: Set<PlanDrawings.PlateText> = []
    for decorations in slot.decorations.all.map(\.value) {
      let text = PlanDrawings.PlateText(name: decorations.name, isScreen: decorations.isScreen)
      guard !text.name.isEmpty || text.isScreen, drawn.insert(text).inserted else { continue }
      let kind = text.isScreen ? TileContentKind.screen : .person
      let plate = SizeSteppedDrawings(steps) {
        lettering.namePlate(text.name, kind: kind, step: $0).map { [$0] } ?? []
      }
      let known = look.plates[text]?.steps ?? []
      var merged = plate
      merged.steps += known.filter { step in !plate.steps.contains { $0.step == step.step } }
      merged.steps.sort { ($0.step.side, $0.step.room) < ($1.step.side, $1.step.room) }
      look.plates[text] = merged
    }
  }

  private func look(of card: TileTimeline.Card, _ steps: [TileSizeStep]) -> PlanDrawings.CardStyle {
    var background = style.theme.card.color
    let art = SizeSteppedDrawings(steps) { step in
      let art =
        switch card {
        case .person(let id):
          lettering.personCard(person(id), step: step, hasPlate: style.showsNames)
        case .loss: lettering.lostCard(step: step)
        case .several(let ids):
          lettering.overflowCard(count: ids.count, people: ids.map(person), step: step)
        }
      background = art.background
      return art.groups
    }
    return PlanDrawings.CardStyle(background: background, art: art)
  }

  private func addStill(_ path: String, _ look: inout PlanDrawings) throws(RenderError) {
    guard look.stills[path] == nil else { return }
    do throws(ImageFileError) {
      look.stills[path] = try lettering.still(path, on: plan.output.video.size)
    } catch {
      throw RenderError(.failure, "\(error)")
    }
  }

  private func person(_ id: ParticipantID) -> CardParticipant {
    let name = plan.participants.first { $0.id == id }?.name ?? ""
    return CardParticipant(id: id.rawValue, name: name, avatar: avatars[id])
  }

  private func addOverlays(_ request: OverlayRequest, _ look: inout PlanDrawings)
    throws(RenderError)
  {
    let canvas = plan.output.video.size
    let end = plan.output.video.frameRate.time(ofFrame: plan.frameCount)
    let shown = request.interval ?? plan.shown
    do throws(ImageFileError) {
      if let path = request.background {
        look.background = try lettering.backdrop(path, on: canvas)
      }
      for row in request.rows {
        let to = min(row.to ?? end, end)
        guard row.from < min(to, shown.end), to > shown.start else { continue }
        let place = CanvasPosition(row.anchor)
        let group: DrawingGroup? =
          switch row.content {
          case .text(let text): lettering.label(text, on: canvas, place: place)
          case .image(let path):
            try lettering.watermark(
              path, on: canvas, place: place, opacity: row.opacity, height: row.height)
          }
        guard let group else { continue }
        look.overlays.append(CanvasOverlay(from: row.from, to: to, groups: [group]))
      }
    } catch {
      throw RenderError(.usage, "\(error)")
    }
    let cues = request.captions.filter { $0.from < shown.end && $0.to > shown.start }
    let clearance = CaptionSpaceFinder(plan, plates: look.plates)
    look.overlays += lettering.captions(
      cues, on: canvas, room: { clearance.space($0).room }, shift: { clearance.space($0).shift },
      clearance: { times, size in
        let space = clearance.space(times)
        return space.rows(under: size.height, width: space.room)
      })
    if let words = request.words {
      let area = CaptionSafeArea(canvas)
      let shownWords = plan.shownWords(coloring: words == .speaker, pieces: lettering.wordPieces)
        .filter { $0.times.start < shown.end && $0.times.end > shown.start }
      look.overlays += lettering.words(shownWords, on: canvas) { times, size in
        let space = clearance.space(times)
        return (
          space.shift, space.rows(under: size.height, width: area.width, usual: area.bottom)
        )
      }.filter(isSeen)
    }
    if let title = request.title {
      // The title card starts with the output, which may start later than the call.
      let times = plan.times
      let to = min(title.length, plan.duration)
      look.overlays.append(
        lettering.titleCard(
          title.text, on: canvas, from: times.call(.zero),
          to: to < plan.duration ? times.call(to) : shown.end))
    }
    look.overlays = look.overlays.map(inFrames)
  }

  /// Returns true if at least one frame shows the overlay. Words may be shorter than a frame.
  private func isSeen(_ overlay: CanvasOverlay) -> Bool {
    let rate = plan.output.video.frameRate
    return rate.firstFrame(showing: overlay.from) < rate.firstFrame(showing: overlay.to)
  }

  /// Returns the overlay with its times rounded to frames, for at least one frame.
  private func inFrames(_ overlay: CanvasOverlay) -> CanvasOverlay {
    let rate = plan.output.video.frameRate
    let first = rate.firstFrame(showing: overlay.from)
    var overlay = overlay
    overlay.to = rate.time(ofFrame: max(first + 1, rate.firstFrame(showing: overlay.to)))
    overlay.from = rate.time(ofFrame: first)
    return overlay
  }
}
