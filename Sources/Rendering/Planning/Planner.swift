import Foundation
import TesseraLayout
import TesseraMedia
import TesseraPixels
import TesseraRecordings
import TesseraSoundtrack
public import TesseraSystem
import TesseraTimeline

/// Answers all questions about a request: reads the inputs and makes the plan.
public enum Planner {
  /// The plan for `request`. Inputs that cannot be read become cards, with what is wrong among the
  /// losses. The voices that have to be heard for it are in `analyses` afterwards.
  ///
  /// - Throws: ``RenderError`` where nothing of any input can be rendered, or the request
  ///   contradicts itself.
  public static func plan(
    _ request: RenderRequest, cancellation: Cancellation, analyses: VoiceAnalyses? = nil
  ) throws(RenderError) -> Plan {
    var input = try input(request, cancellation)
    try request.select(&input)
    let paths = input.files
    let missing = paths.first { !FileSystem.exists($0) }
    if let missing, !request.allowsMissing {
      throw RenderError(
        .failure,
        "cannot open \(missing): No such file or directory; check the name, or give "
          + "--allow-missing to render without it.")
    }
    let readers = Readers(request.readers, cancellation: cancellation)
    let found = try InputProbe.probe(paths, cache: request.cache, readers)
    guard !cancellation.isCancelled else { throw .stopped(cancellation) }
    guard
      found.contains(where: \.isUsable)
        || input.recording.tracks.contains(where: { $0.kind == .still })
    else { throw RenderError(.failure, nothingUsable(found)) }
    if case .named(let name) = request.audioTrack,
      !found.contains(where: { $0.file.map(request.audioTrack.streams) != .some(nil) })
    {
      throw RenderError(
        .usage,
        "--audio-track \(name) is in none of the files; give a language, a title or a number.")
    }
    let probes = Dictionary(uniqueKeysWithValues: zip(paths, found))
    let analyses = analyses ?? VoiceAnalyses(cancellation: cancellation)
    analyses.use(request.readers)
    return try CallPlanner(request, input, probes, cancellation).plan(analyses)
  }

  private static func input(
    _ request: RenderRequest, _ cancellation: Cancellation
  ) throws(RenderError) -> CallInput {
    if let call = request.call { return call }
    return try CallInput.open(
      request.inputs, workFolder: NSTemporaryDirectory(), cancellation: cancellation)
  }

  private static func nothingUsable(_ probes: [InputProbe]) -> String {
    let sentences = probes.first?.sentences ?? ["the inputs hold nothing."]
    guard probes.count > 1 else { return sentences.joined(separator: " ") }
    let first = sentences.first ?? "the inputs hold nothing."
    return "none of the \(probes.count) inputs can be rendered; the first: \(first)"
  }
}

/// Makes the plan of one call whose files were read.
struct CallPlanner {
  private var request: RenderRequest
  private let input: CallInput
  private let probes: [String: InputProbe]
  private let cancellation: Cancellation
  private let recording: Recording
  private let names: PeopleNames
  private let rate: FrameRate
  private var trim: IdleTrim?
  private var alignmentNotes: [String] = []
  /// The wall clock at the beginning, with all that is left out there; nil where nobody knows.
  private let wallClock: MediaTime?

  init(
    _ request: RenderRequest, _ input: CallInput, _ probes: [String: InputProbe],
    _ cancellation: Cancellation
  ) throws(RenderError) {
    (self.request, self.input, self.probes) = (request, input, probes)
    self.cancellation = cancellation
    rate = request.output.video.frameRate
    var names = PeopleNames(input.recording, input)
    try names.choose(request)
    self.names = names
    var offsets: [Participant.ID: MediaTime] = [:]
    for offset in request.offsets {
      offsets[try names.id(of: offset.person, option: "--offset")] = offset.time
    }
    var rates: [Participant.ID: Ratio] = [:]
    if request.alignment == .sound {
      var assembly = CallAssembly(
        input, placed: input.recording.placed(Self.facts(input, probes)), probes: probes,
        frameRate: rate, longestHold: nil, audioTrack: request.audioTrack)
      let found = try SoundAlignment(
        assembly.people(names), fixed: offsets,
        readers: Readers(request.readers, cancellation: cancellation)
      ).find()
      (offsets, rates) = (found.offsets, found.rates)
      alignmentNotes = found.notes
    }
    var recording = input.recording.placed(
      Self.facts(input, probes), alignment: request.alignment, offsets: offsets, rates: rates)
    for gain in request.gains {
      recording.amplify(try names.id(of: gain.person, option: "--gain"), by: gain.decibels)
    }
    wallClock = recording.wallClockStart
    if request.trimsIdle ?? recording.trimsIdle ?? false {
      let trim = IdleTrim(recording, Self.facts(input, probes))
      recording = trim.applied(to: recording)
      self.request.overlays.trim(trim)
      for index in request.captionTracks.indices {
        self.request.captionTracks[index].cues.trim(trim)
      }
      self.trim = trim
    }
    self.recording = recording
  }

  /// What the files say about the tracks.
  static func facts(
    _ input: CallInput, _ probes: [String: InputProbe]
  ) -> [Track.ID: TrackFacts] {
    var facts: [Track.ID: TrackFacts] = [:]
    for track in input.recording.tracks {
      guard let file = probes[input.path(of: track.file)]?.file else { continue }
      facts[track.id] = TrackFacts(
        duration: file.duration, containerStart: file.containerStart.rounded,
        clock: file.recorded.map { MediaTime(nanoseconds: $0 &* 1000) })
    }
    return facts
  }

  func plan(_ analyses: VoiceAnalyses) throws(RenderError) -> Plan {
    var assembly = CallAssembly(
      input, placed: recording, probes: probes, frameRate: rate, longestHold: request.longestHold,
      audioTrack: request.audioTrack)
    let everyone = assembly.people(names)
    let end = end(of: everyone)
    let sound = SoundPlanner(
      request: request, names: names, duration: end, analyses: analyses)
    let people = try sound.heard(everyone)
    let frameCount = rate.frameCount(of: end)
    let frames = try range(frameCount: frameCount, end: end)
    let events = CallEvents(recording, frameRate: rate, frameCount: frameCount)
    let layout = try layoutAtFirst()
    var layouts: [(frame: Int, layout: any LayoutPolicy)] = []
    if request.layout == nil {
      for change in events.layouts {
        layouts.append((change.frame, try change.layout.policy(in: input)))
      }
    }
    let speech = try SpeakerPlanner(people: people, duration: end, analyses: analyses)
      .speech(speakerSource(layout, layouts.map(\.layout), people), events: events)
    let leveled = analyses.ended(try sound.leveled(people))
    guard !cancellation.isCancelled else { throw .stopped(cancellation) }
    let needsLocal = layout.needsLocal || layouts.contains { $0.layout.needsLocal }
    let local = names.local ?? (needsLocal ? recording.participants.first?.id : nil)
    let seats = seats(people, events, frameCount: frameCount, speech, local: local)
    let (scenes, canvas) = try ScenePlanner(
      request: request, frameCount: frameCount, layout: layout, layouts: layouts, events: events,
      speech: speech
    ).scenes(of: seats)
    var plan = Plan(
      scenes: scenes, output: request.output, frameCount: frameCount, frames: frames)
    plan.output.video.size = canvas
    plan.layoutFrames = layouts.map(\.frame)
    plan.output.contentFade = rate.firstFrame(showing: request.transition.duration)
    plan.output.title = plan.output.title ?? recording.title
    plan.add(leveled, seats.map(\.slot), local: local)
    plan.turns = speech.turns.map { Plan.Turn(participant: $0.id, interval: $0.interval) }
    if request.hasChapters {
      plan.output.chapters = plan.chapters()
    }
    plan.addCaptions(request.captionTracks)
    plan.losses += leveled.flatMap(\.losses)
    if request.hasPictures { plan.addWhatIsNotSeen() }
    plan.notes += input.notes + notes(everyone, shown: plan.shown) + sound.notes(people)
    if request.hasPictures { try refuseEmptiness(plan, layout) }
    let (look, notes) = try LookPlanner(plan, people: people, input: input)
      .draw(overlays(), clock: try clockTimes())
    plan.look = look
    plan.notes += notes
    return plan
  }

  /// The layout at the beginning.
  private func layoutAtFirst() throws(RenderError) -> any LayoutPolicy {
    if let layout = request.layout { return layout }
    guard let layout = recording.layout else { return GridLayout() }
    return try layout.policy(in: input)
  }

  /// Where speech comes from; nowhere where nobody looks at it, because hearing takes time.
  private func speakerSource(
    _ layout: any LayoutPolicy, _ layouts: [any LayoutPolicy], _ people: [Person]
  ) -> SpeakerSource {
    let isFollowed =
      layout.followsSpeaker || layouts.contains(where: \.followsSpeaker)
      || people.count > request.maximumTiles || request.output.style.highlightsSpeaker
      || request.wantsTurns
    return isFollowed && people.count > 1 || request.wantsTurns ? request.speakerSource : .none
  }

  private func seats(
    _ people: [Person], _ events: CallEvents, frameCount: Int, _ speech: SpeakerPlanner.Speech,
    local: TesseraRecordings.Participant.ID?
  ) -> [ScenePlanner.Seat] {
    let planner = SlotPlanner(frameRate: rate, frameCount: frameCount, events: events)
    var seats: [ScenePlanner.Seat] = []
    for person in people {
      for lane in person.lanes {
        var slot = planner.slot(lane, of: person, id: seats.count)
        slot.focus = request.fitFocus.first { person.names.contains($0.person) }?.point
        if lane.kind == .camera, request.output.style.highlightsSpeaker, people.count > 1 {
          let speaking = (speech.speaking[person.id] ?? []).map {
            rate.firstFrame(
              showing: $0.start)..<max(
                rate.firstFrame(showing: $0.start) + 1, rate.firstFrame(showing: $0.end))
          }
          slot.speak(speaking.merged, before: frameCount)
        }
        seats.append(
          ScenePlanner.Seat(
            slot: slot, names: lane.names.isEmpty ? person.names : lane.names,
            classes: lane.classes, trackIDs: lane.trackIDs,
            aspectRatio: lane.takes.first?.track.aspectRatio,
            isLocal: person.participant.id == local && lane.kind == .camera,
            isFocused: person.isFocused && lane.kind == .camera))
      }
    }
    return seats
  }

  /// The end of the last picture, sound and event.
  private func end(of people: [Person]) -> MediaTime {
    let voices = people.flatMap { $0.voices.map(\.source.interval.end) }
    let pictures = people.flatMap { person in
      person.lanes.flatMap { lane in
        lane.takes.map { take in
          min(
            (take.track.clock.start
              + (take.track.source.track.end - take.track.source.track.clock.start)
                * take.track.clock.rate)
              .rounded,
            recording.end(ofTracksOf: person.participant.id))
        }
      }
    }
    let stills = recording.tracks.filter { $0.kind == .still }.compactMap(\.stop)
    return (voices + pictures + stills).max() ?? .zero
  }

  private func range(frameCount: Int, end: MediaTime) throws(RenderError) -> Range<Int> {
    let first = request.from.map { firstFrame(from: $0, frameCount, end) } ?? 0
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

  /// The first frame from `time` on; where that is none but `time` lies before the end, the last.
  private func firstFrame(from time: MediaTime, _ frameCount: Int, _ end: MediaTime) -> Int {
    let frame = rate.firstFrame(showing: time)
    return time < end ? min(frame, frameCount - 1) : frame
  }

  /// What the clock shows that is asked for, if one is.
  ///
  /// - Throws: where it is the time of the day, and nothing says when the call was.
  private func clockTimes() throws(RenderError) -> ClockTimes? {
    let jumps = trim?.jumps ?? []
    switch request.overlays.clock {
    case nil: return nil
    case .call: return ClockTimes(jumps: jumps)
    case .wall(let zone):
      guard let wallClock else {
        throw RenderError(
          .usage,
          "--clock wall: nothing says at what time of the day this was recorded; give started-at "
            + "in a session file, or take --clock call.")
      }
      let day = MediaTime(nanoseconds: wallClock.nanoseconds % 86_400_000_000_000)
      let start = day + MediaTime(seconds: zone * 60)
      return ClockTimes(start: start, isTimeOfDay: true, jumps: jumps)
    }
  }

  /// What lies over the tiles: what is asked for and what the recording says.
  private func overlays() -> OverlayRequest {
    var overlays = request.overlays
    overlays.rows += recording.overlays.map { overlay in
      let content: OverlayRequest.Row.Content =
        switch overlay.content {
        case .text(let text): .text(text)
        case .image(let path): .image(input.path(of: path))
        }
      return OverlayRequest.Row(
        content, at: overlay.place.anchor, from: overlay.start, to: overlay.end,
        height: content.isText ? 0.03 : 0.12)
    }
    return overlays
  }

  private func notes(_ people: [Person], shown: TesseraTimeline.TimeInterval) -> [String] {
    var notes = alignmentNotes + (trim?.notes ?? [])
    let used = Self.usedStreams(people)
    var seen: Set<String> = []
    for track in recording.tracks {
      let path = input.path(of: track.file)
      guard let probe = probes[path] else { continue }
      let notesOfFile = ProbeNotes(probe: probe)
      let start = track.start - (track.inPoint ?? .zero)
      if let note = notesOfFile.emptiness(shown: shown, start: start) { notes.append(note) }
      guard seen.insert(path).inserted else {
        if input.isPlainList { notes.append("\(path) is there more than once.") }
        continue
      }
      notes += notesOfFile.unused(used[path] ?? [])
    }
    if request.alignment == .start, input.recording.clockDiffers(Self.facts(input, probes)),
      input.isPlainList
    {
      notes.append(
        "the recordings' wall clocks would place them differently; --align clock follows them.")
    }
    return notes
  }

  /// The streams of each file that are seen or heard.
  private static func usedStreams(_ people: [Person]) -> [String: Set<Int>] {
    var used: [String: Set<Int>] = [:]
    for person in people {
      for take in person.lanes.flatMap(\.takes) {
        used[take.track.source.path, default: []].insert(take.track.source.track.stream.index)
      }
      for voice in person.voices {
        used[voice.source.sound.path, default: []].insert(voice.source.sound.track.stream.index)
      }
    }
    return used
  }

  /// A layout file that matches nobody would make a black video.
  private func refuseEmptiness(_ plan: Plan, _ layout: any LayoutPolicy) throws(RenderError) {
    guard layout.namesItsSources, !plan.slots.isEmpty,
      plan.slots.allSatisfy({ plan.visibility(of: $0.id).isEmpty })
    else { return }
    let known = plan.participants.map(\.name)
    throw RenderError(
      .usage,
      "the layout shows none of the recordings; the sources that it can name are "
        + "\(known.listed(most: 10)).")
  }
}

extension OverlayRequest.Row.Content {
  fileprivate var isText: Bool { if case .text = self { true } else { false } }
}

extension Recording {
  /// Makes all sound of the participant so much louder.
  fileprivate mutating func amplify(_ id: TesseraRecordings.Participant.ID, by decibels: Double) {
    guard let index = participants.firstIndex(where: { $0.id == id }) else { return }
    for track in participants[index].tracks.indices {
      participants[index].tracks[track].gain += decibels
    }
  }

  /// The latest time at which a track of the participant may be seen.
  fileprivate func end(ofTracksOf id: Participant.ID) -> MediaTime {
    let tracks = participant(id)?.tracks ?? []
    let stops = tracks.map { $0.stop ?? Self.maximumTime }
    return stops.max() ?? Self.maximumTime
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
  fileprivate mutating func add(
    _ people: [Person], _ slots: [Slot], local: TesseraRecordings.Participant.ID?
  ) {
    for person in people {
      var participant = Participant(
        id: person.id, name: person.participant.name, files: person.files)
      participant.isLocal = person.participant.id == local
      participants.append(participant)
      tracks += person.lanes.flatMap { $0.takes.map(\.track) }
      voices += person.voices
    }
    self.slots = slots
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
