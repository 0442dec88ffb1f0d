import TesseraLayout
import TesseraMedia
import TesseraPlan
import TesseraRecordings
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline

/// Makes the plan of one call whose files were read.
struct CallPlanner {
  private let call: CallRequest
  private let rendition: Rendition
  private let input: CallInput
  private let probes: [String: InputProbe]
  private let cancellation: Cancellation
  private let recording: Recording
  private let names: PeopleNames
  private let rate: FrameRate
  private var trim: IdleTrim?
  private let alignment: Alignment
  private let placement: CallPlacement
  private let findings: SoundFindings
  /// The wall clock at the beginning; nil where nobody knows.
  private let wallClock: MediaTime?

  init(
    _ rendition: Rendition, of call: CallRequest, _ input: CallInput,
    _ probes: [String: InputProbe], _ cancellation: Cancellation, _ findings: SoundFindings
  ) throws(RenderError) {
    (self.call, self.rendition, self.input, self.probes) = (call, rendition, input, probes)
    (self.cancellation, self.findings) = (cancellation, findings)
    rate = rendition.output.video.frameRate
    var names = PeopleNames(input.recording, input)
    try names.choose(call, rendition)
    self.names = names
    var offsets: [Participant.ID: MediaTime] = [:]
    var fileOffsets: [String: MediaTime] = [:]
    for offset in call.offsets {
      if let file = try names.file(of: offset.person, by: "\(option: "offset")") {
        fileOffsets[file] = offset.time
      } else {
        offsets[try names.id(of: offset.person, by: "\(option: "offset")")] = offset.time
      }
    }
    let alignment = call.alignment ?? input.usualAlignment
    self.alignment = alignment
    placement = try CallPlacement(
      input, probes, alignment, offsets: offsets, fileOffsets: fileOffsets,
      audioTrack: call.audioTrack, findings: findings, readers: call.readers(cancellation))
    var recording = placement.recording
    for gain in call.gains {
      recording.amplify(try names.id(of: gain.person, by: "\(option: "gain")"), by: gain.decibels)
    }
    wallClock = recording.wallClockStart
    if call.trimsIdle ?? recording.trimsIdle ?? false {
      trim = IdleTrim(recording, input.facts(probes, of: recording))
    }
    self.recording = recording
  }

  func plan(_ analyses: VoiceAnalyses) throws(RenderError) -> Plan {
    var assembly = CallAssembly(
      input, placed: recording, probes: probes, frameRate: rate, freezeAfter: rendition.freezeAfter,
      audioTrack: call.audioTrack)
    let everyone = assembly.people(names)
    let end = recording.end(of: everyone)
    let last = recording.last(of: everyone)
    let sound = SoundPlanner(
      rendition: rendition, names: names, duration: end, analyses: analyses)
    let frameCount = rate.frameCount(of: end)
    let people = try EndHold(
      rendition: rendition, input: input, recording: recording, probes: probes,
      frameCount: frameCount, readers: call.readers(cancellation), cache: call.cache
    ).held(try sound.heard(everyone))
    var transcripts = TranscriptPlanner(
      call: call, rendition: rendition, input: input, recording: recording, names: names,
      people: everyone)
    if let transcriber = call.transcriber {
      let recognition = Recognition(
        transcriber: transcriber, call: call, people: everyone, duration: end, analyses: analyses,
        findings: findings)
      let known = try transcripts.peopleWithWords()
      transcripts.recognized = try recognition.transcripts { !known.contains($0.participant.id) }
    }
    let said = try transcripts.said()
    let words = try WordPlanner(
      rendition: rendition, people: people, duration: end, analyses: analyses,
      mutes: try sessionMutes()
    ).edited(said)
    let pauses = try pauses(of: people, before: end, words.lines, analyses)
    var partNotes: [String] = []
    let cut = try part(of: people, before: end, words.lines, analyses, &partNotes).cut(
      before: end, recording.edits, without: trim,
      pauses: pauses.map(\.interval)
        + words.cuts.map(\.interval), last: last?.participant.name,
      longestDuration: call.longestDuration)
    let events = CallEvents(recording, frameRate: rate, frameCount: frameCount)
    let layout = try layoutAtFirst(people, events)
    var layouts: [(frame: Int, layout: any LayoutPolicy)] = []
    if rendition.layout == nil {
      for change in events.layouts {
        layouts.append((change.frame, try change.layout.policy(in: input)))
      }
    }
    let local = names.local
    let kept = try rendition.keptVisible.map { kept throws(RenderError) in
      try names.id(of: kept.person, by: "\(option: "keep-visible")")
    }
    let hidden = try names.hidden(rendition)
    func seating(_ speech: SpeakerPlanner.Speech) -> [ScenePlanner.Seat] {
      SeatPlanner(
        rendition: rendition, events: events, frameCount: frameCount, speech: speech, local: local,
        kept: kept, hidden: hidden
      ).seats(of: people)
    }
    var planner = ScenePlanner(
      rendition: rendition, frameCount: frameCount, layout: layout, layouts: layouts,
      events: events)
    planner.followsSpeaker =
      layout.followsSpeaker || layouts.contains(where: \.layout.followsSpeaker)
    if !planner.followsSpeaker, rendition.hasPictures {
      planner.followsSpeaker = try planner.scrolls(seating(SpeakerPlanner.Speech()))
    }
    planner.speech = try SpeakerPlanner(people: people, duration: end, analyses: analyses)
      .speech(speakerSource(people, follows: planner.followsSpeaker), events: events)
    let speech = planner.speech
    // A recorder names the active speaker; the speech of each person is heard.
    let own =
      call.wantsTurns && [.auto, .audio].contains(call.speakerSource)
      ? try SpeakerPlanner(people: people, duration: end, analyses: analyses).heard().speaking
      : speech.speaking
    let (centered, sideNotes) = try sound.centered(people)
    let (level, levelNotes) = try sound.leveled(
      centered,
      shown: TimeRange(
        start: rate.time(ofFrame: cut.lowerBound), end: rate.time(ofFrame: cut.upperBound)))
    let leveled = analyses.ended(level).map { $0.muted(words.mutes) }
    guard !cancellation.isCancelled else { throw .stopped(cancellation) }
    var seats = seating(speech)
    // Shots are not changes of the layout to anybody.
    var planned: [Plan.Shot] = []
    if let cuts = layout as? CutsLayout {
      let directed = DirectedCall(
        layout: cuts, seats: seats, speech: speech, moving: ScreenMotion.moving(people),
        lines: words.lines, cut: cut, rate: rate)
      let placed = directed.shots(recording.shots)
      planned = directed.planned(placed)
      planner.layouts = placed.map { (cut[$0.frame], ShotLayout(shot: $0.shot)) }
      let (named, alone) = (directed.names(placed), directed.alone(placed))
      for index in seats.indices where seats[index].slot.kind == .camera {
        let id = seats[index].slot.id
        seats[index].slot.direct(
          names: named[id] ?? [], alone: alone[id] ?? [], rate, before: frameCount)
      }
    }
    let faces = FaceFinder(
      rendition: rendition, cut: cut, cache: call.cache, readers: call.readers(cancellation))
    var faceNote: String?
    if faces.isWanted {
      (seats, faceNote) = try faces.framed(seats) { seats throws(RenderError) in
        try planner.scenes(of: seats).timeline
      }
    }
    let (scenes, canvas) = try planner.scenes(of: seats)
    var plan = Plan(
      scenes: scenes, output: rendition.output, frameCount: frameCount, cut: cut)
    plan.output.video.size = canvas
    plan.removals = removals(of: plan, pauses, words.cuts)
    plan.maybe = words.maybe
    plan.mutes = people.flatMap { person in
      (words.mutes[person.id] ?? []).map { Plan.Turn(participant: person.id, interval: $0) }
    }
    plan.kept = seats.first(where: \.isKept)?.slot.id
    plan.layoutFrames = layouts.map(\.frame)
    plan.shots = planned
    let transition = rendition.transition
    plan.output.contentShares = (0..<rate.firstFrame(showing: transition.duration)).map {
      UInt8((255 * transition.progress(elapsed: rate.time(ofFrame: $0))).rounded())
    }
    plan.output.title = plan.output.title ?? recording.title
    plan.add(leveled, seats.map(\.slot), local: local)
    for index in plan.participants.indices {
      plan.participants[index].speech = own[plan.participants[index].id] ?? []
    }
    plan.turns = speech.turns.map { Plan.Turn(participant: $0.id, interval: $0.interval) }
    let hearing = plan.hearing
    plan.lines = zip(words.lines, said.isWanted).filter(\.1).map { hearing.heard($0.0) }
    if rendition.hasChapters {
      let own = rendition.ownChapters ?? recording.chapters
      plan.output.chapters = own.isEmpty ? plan.chapters() : plan.chapters(own)
      // Somebody's coming or going is none before the first word or after the last one.
      if own.isEmpty, !plan.output.chapters.isEmpty, plan.spoken.isEmpty,
        call.speakerSource != .none
      {
        let speech = try SpeakerPlanner(people: people, duration: end, analyses: analyses)
          .speech(call.speakerSource, events: events)
        plan.output.chapters = plan.chapters(spoken: speech.speaking.values.flatMap { $0 })
      }
    }
    plan.addCaptions(rendition.captionTracks)
    plan.losses += leveled.flatMap(\.losses) + placement.losses
    if rendition.hasPictures {
      let isGrid = layout is GridLayout || layout is AutoLayout
      plan.addWhatIsNotSeen(isLimited: isGrid && seats.count > rendition.maximumTiles) {
        planner.sizeForEveryone(seats)
      }
    }
    if cut.count < frameCount {
      let times = plan.times
      plan.losses.removeAll { $0.located(at: times) == nil }
    }
    plan.notes += call.notes + rendition.notes + input.notes + placement.notes + (trim?.notes ?? [])
    plan.notes += CallNotes(
      input: input, recording: recording, probes: probes
    ).sentences(everyone, shown: plan.shown)
    if [.start, .auto].contains(alignment), input.isPlainList {
      plan.notes += sound.beginnings(leveled)
    }
    plan.notes += faceNote.map { [$0] } ?? []
    plan.notes +=
      partNotes + sideNotes + levelNotes + sound.notes(people) + said.notes + words.notes
    if rendition.hasPictures { try plan.refuseEmptiness(layout, rendition) }
    let (look, notes) = try LookPlanner(
      plan, people: people, input: input, call.readers(cancellation)
    )
    .draw(
      rendition.overlays.adding(recording, of: input).adding(plan.wholeTranscript),
      clock: try rendition.clockTimes(wallClock: wallClock))
    plan.look = look
    plan.notes += notes
    return plan
  }

  // MARK: What is left out

  /// The rendition, which begins and ends in pauses where that is asked for and leaves half of it.
  private func part(
    of people: [Person], before end: MediaTime, _ lines: [Plan.Line], _ analyses: VoiceAnalyses,
    _ notes: inout [String]
  ) throws(RenderError) -> Rendition {
    guard rendition.snaps, rendition.from != nil || rendition.to != nil else { return rendition }
    let speech = try SpeakerPlanner(people: people, duration: end, analyses: analyses).heard()
    guard !cancellation.isCancelled else { throw .stopped(cancellation) }
    let ends = ClipEnds(
      said: speech.said.values.flatMap { $0 }, sentences: lines.flatMap(\.sentenceEnds).sorted(),
      before: end)
    var part = rendition
    if let moved = ends.clip(from: part.from, to: part.to) {
      (part.from, part.to) = moved
    } else {
      notes.append(
        "\(part.partSource ?? "the part") begins and ends as asked: in the pauses nearby it would "
          + "lose more than half.")
    }
    return part
  }

  /// The pauses that are tightened; none where that is not asked for.
  private func pauses(
    of people: [Person], before end: MediaTime, _ lines: [Plan.Line], _ analyses: VoiceAnalyses
  ) throws(RenderError) -> [Pauses.Cut] {
    guard let settings = rendition.tighten else { return [] }
    let voices = people.flatMap(\.voices)
    let others = voices.filter { !$0.isSpeech }
    try analyses.hear(others)
    let speech = try SpeakerPlanner(people: people, duration: end, analyses: analyses).heard()
    guard !cancellation.isCancelled else { throw .stopped(cancellation) }
    return Pauses(
      said: people.map { speech.said[$0.id] ?? [] },
      heard: voices.filter(\.isSpeech).map(\.source.interval),
      keeping: analyses.loud(others)
        + (settings.ignoresScreens ? [] : ScreenMotion.moving(people)),
      ends: lines.flatMap(\.sentenceEnds).sorted(), settings
    ).cuts
  }

  /// The times at which the session and the edits mute participants.
  private func sessionMutes() throws(RenderError) -> [ParticipantID: [TimeRange]] {
    var mutes: [ParticipantID: [TimeRange]] = [:]
    for mute in rendition.mutes + recording.edits.mute {
      let id = ParticipantID(rawValue: try names.id(of: mute.person, by: "mute:"))
      mutes[id, default: []].append(mute.part.range)
    }
    return mutes.mapValues { CutList(keeping: $0).kept }
  }

  /// What is left out of the call, and why.
  private func removals(
    of plan: Plan, _ pauses: [Pauses.Cut], _ words: [Plan.Removal]
  ) -> [Plan.Removal] {
    let known =
      (rendition.reasons + recording.edits.cut).compactMap { part in
        part.reason.map { Plan.Removal(part.range, $0) }
      } + words + pauses.map { Plan.Removal($0.interval, $0.kind.rawValue) }
      + (trim?.stretches ?? []).map { Plan.Removal($0, "nobody is there") }
    return plan.times.holes(before: plan.frameCount).map { hole in
      let middle = hole.middle
      let reason = known.first { $0.interval.start <= middle && middle < $0.interval.end }?.reason
      return Plan.Removal(hole, reason ?? "cut")
    }
  }

  /// The layout at the beginning. Where nobody can be large, nobody's voice is heard for it.
  private func layoutAtFirst(
    _ people: [Person], _ events: CallEvents
  ) throws(RenderError) -> any LayoutPolicy {
    if let layout = rendition.layout { return layout }
    if let layout = recording.layout { return try layout.policy(in: input) }
    if !recording.shots.isEmpty { return try LayoutChoice.named("cuts").policy(in: input) }
    var layout = AutoLayout()
    layout.followsSpeaker =
      !events.focus.isEmpty
      || people.contains { $0.isFocused || $0.lanes.contains { $0.kind == .screen } }
    return layout
  }

  /// Where speech comes from; nowhere where nobody looks at it, because hearing takes time. `follows`
  /// is whether a layout does.
  private func speakerSource(_ people: [Person], follows: Bool) -> SpeakerSource {
    let isFollowed =
      follows || people.count > rendition.maximumTiles
      || rendition.output.style.highlightsSpeaker || call.wantsTurns
    return isFollowed && people.count > 1 || call.wantsTurns ? call.speakerSource : .none
  }
}

extension Recording {
  /// Makes all sound of the participant so much louder.
  fileprivate mutating func amplify(_ id: TesseraRecordings.Participant.ID, by decibels: Double) {
    guard let index = participants.firstIndex(where: { $0.id == id }) else { return }
    for track in participants[index].tracks.indices {
      participants[index].tracks[track].gain += decibels
    }
  }
}
