import TesseraLayout
import TesseraMedia
import TesseraPixels
import TesseraSoundtrack
public import TesseraSystem
import TesseraTimeline

/// Answers all questions about a request: reads the inputs and makes the plan.
public enum Planner {
  /// The plan for `request`. Inputs that cannot be read become cards, with what is wrong among the
  /// losses.
  ///
  /// - Throws: ``RenderError`` where nothing of any input can be rendered, or the request
  ///   contradicts itself.
  public static func plan(
    _ request: RenderRequest, cancellation: Cancellation
  ) throws(RenderError) -> Plan {
    guard !request.inputs.isEmpty else {
      throw RenderError(.usage, "there is nothing to render: name at least one recording.")
    }
    let names = try People(request)
    let probes = probe(request.inputs, cancellation)
    guard !cancellation.isCancelled else { throw .stopped(cancellation) }
    guard probes.contains(where: \.isUsable) else {
      throw RenderError(.failure, nothingUsable(probes))
    }
    let rate = request.output.video.frameRate
    let people = cast(probes, names, rate)
    let end = people.compactMap(\.end).max() ?? .zero
    let frameCount = rate.frameCount(of: end)
    let frames = try range(request, frameCount: frameCount, end: end)
    let slots = SlotPlanner(frameRate: rate, frameCount: frameCount)
    let seats = people.enumerated().map { index, person in
      ScenePlanner.Seat(
        slot: slots.camera(of: person, id: index), names: person.names,
        aspectRatio: person.camera.first?.content.aspectRatio, isLocal: person.isLocal,
        isFocused: person.isFocused)
    }
    let (scenes, canvas) = try ScenePlanner(request: request, frameCount: frameCount)
      .scenes(of: seats)
    var plan = Plan(
      scenes: scenes, output: request.output, frameCount: frameCount, frames: frames)
    plan.output.video.size = canvas
    plan.add(people, seats.map(\.slot))
    for (person, probe) in zip(people, probes) {
      plan.losses += probe.losses.map {
        Loss($0, of: person.id, source: probe.path)
      }
    }
    plan.addWhatIsNotSeen()
    plan.notes += probes.compactMap { emptinessNote($0, shown: plan.shown) }
    plan.notes += probes.flatMap(unusedNotes)
    plan.output.contentFade = rate.firstFrame(showing: request.transition.duration)
    let (look, notes) = try LookPlanner(plan).draw(request.overlays)
    plan.look = look
    plan.notes += notes
    return plan
  }

  /// The people whom `probes` are the files of, one each.
  private static func cast(
    _ probes: [InputProbe], _ names: People, _ rate: FrameRate
  ) -> [Person] {
    var nextTrack = 0
    func newTrack() -> TrackID {
      nextTrack += 1
      return TrackID(rawValue: nextTrack)
    }
    return probes.enumerated().map { index, probe in
      var person = Person(
        id: ParticipantID(rawValue: "\(index + 1)"), name: names.names[index][0],
        names: names.names[index], files: [probe.path])
      person.isLocal = index == names.local
      person.isFocused = index == names.focus
      let start = names.starts[index]
      for source in probe.pictures where source.interval.moved(by: start).end > .zero {
        let interval = source.interval.moved(by: start)
        var clock = source.track.clock
        clock.start = clock.start + ExactTime(start)
        person.camera.append(
          Person.Take(
            content: Plan.Track(
              id: newTrack(), participant: person.id, source: source, clock: clock,
              aspectRatio: source.track.firstPicture?.aspectRatio ?? 1,
              frames: SlotPlanner(frameRate: rate, frameCount: 0).frames(interval)),
            interval: interval))
      }
      for sound in probe.sounds {
        let interval = sound.track.interval.moved(by: start)
        person.voices.append(
          Person.Take(
            content: Plan.Voice(
              id: newTrack(), participant: person.id,
              source: VoiceSource(sound, start: start, interval: interval)),
            interval: interval))
      }
      return person
    }
  }

  /// Reads all inputs, several at a time.
  private static func probe(_ inputs: [String], _ cancellation: Cancellation) -> [InputProbe] {
    struct State {
      var next = 0
      var results: [InputProbe?]
    }
    let monitor = Monitor(State(results: Array(repeating: nil, count: inputs.count)))
    let threads = WorkerThreads(count: min(Machine.cores, inputs.count), name: "probe") {
      while true {
        let index = monitor.withLock { state in
          defer { state.next += 1 }
          return state.next
        }
        guard index < inputs.count, !cancellation.isCancelled else { return }
        let result = InputProbe(inputs[index], cancellation: cancellation)
        monitor.withLock { $0.results[index] = result }
      }
    }
    threads.join()
    return monitor.withLock { $0.results }.compactMap { $0 }
  }

  private static func nothingUsable(_ probes: [InputProbe]) -> String {
    let sentences = probes.first?.sentences ?? []
    guard probes.count > 1 else { return sentences.joined(separator: " ") }
    let first = sentences.first ?? "the inputs hold nothing."
    return "none of the \(probes.count) inputs can be rendered; the first: \(first)"
  }

  /// The first frame from `time` on; where that is none but `time` lies before the end, the last.
  private static func firstFrame(
    from time: MediaTime, _ rate: FrameRate, _ frameCount: Int, _ end: MediaTime
  ) -> Int {
    let frame = rate.firstFrame(showing: time)
    return time < end ? min(frame, frameCount - 1) : frame
  }

  private static func range(
    _ request: RenderRequest, frameCount: Int, end: MediaTime
  ) throws(RenderError) -> Range<Int> {
    let rate = request.output.video.frameRate
    let first = request.from.map { firstFrame(from: $0, rate, frameCount, end) } ?? 0
    let last = request.to.map { min(frameCount, rate.firstFrame(showing: $0)) } ?? frameCount
    guard first < frameCount else {
      throw RenderError(
        .usage, "--from is past the end of the recordings, which are \(end.clock) long.")
    }
    guard first < last else {
      throw RenderError(.usage, "--to has to be after --from, by a frame at least.")
    }
    return first..<last
  }
}

extension Person {
  /// The end of the last picture or sound.
  fileprivate var end: MediaTime? {
    (camera.map(\.interval.end) + voices.map(\.interval.end)).max()
  }
}

extension Plan {
  /// The part of the timeline that is rendered.
  var shown: TesseraTimeline.TimeInterval {
    let rate = output.video.frameRate
    return TimeInterval(
      start: rate.time(ofFrame: frames.lowerBound), end: rate.time(ofFrame: frames.upperBound))
  }

  /// Adds everyone with what was recorded of them.
  fileprivate mutating func add(_ people: [Person], _ slots: [Slot]) {
    for person in people {
      var participant = Participant(id: person.id, name: person.name, files: person.files)
      participant.isLocal = person.isLocal
      participants.append(participant)
      tracks += person.camera.map(\.content)
      voices += person.voices.map(\.content)
    }
    self.slots = slots.map { slot in
      var slot = slot
      var decorations = Slot.Decorations()
      decorations.name = participants.first { $0.id == slot.participant }?.name ?? ""
      slot.decorations = Changes(decorations)
      return slot
    }
    addOverflow()
  }

  /// Adds the slot of the tile that stands for everyone who has none.
  private mutating func addOverflow() {
    var slot = Slot(id: LayoutItem.overflowID, participant: nil, kind: .overflow)
    let owners = Dictionary(uniqueKeysWithValues: slots.map { ($0.id, $0.participant) })
    slot.contents = Changes(.card(.several([])))
    overflow = Changes([])
    for hidden in scenes.hidden {
      let frame = output.video.frameRate.firstFrame(at: hidden.start)
      overflow.append(hidden.items, from: frame)
      let people = hidden.items.compactMap { owners[$0] ?? nil }
      slot.contents.append(.card(.several(people)), from: frame)
    }
    slots.append(slot)
  }
}
