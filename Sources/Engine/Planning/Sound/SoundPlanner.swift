import TesseraMessages
import TesseraPlan
import TesseraRecordings
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline

/// Determines which voices are heard, and their gains.
struct SoundPlanner {
  let rendition: Rendition
  let names: ParticipantNameResolver
  let duration: MediaTime
  let analyses: VoiceAnalyses

  /// The minimum difference in LU between voices that causes a note.
  private static let worthANote = 10.0

  /// Returns `people` without the voices that are not to be heard.
  ///
  /// - Throws: ``RenderError`` if a name matches no participant or several.
  func heard(_ people: [PlannedParticipant]) throws(RenderError) -> [PlannedParticipant] {
    guard !rendition.onlySound.isEmpty || !rendition.excludedSound.isEmpty else { return people }
    var wanted = Set(people.map(\.participant.id))
    if !rendition.onlySound.isEmpty {
      wanted = []
      for name in rendition.onlySound {
        wanted.insert(try names.id(of: name, by: "\(option: "only-sound")"))
      }
    }
    for name in rendition.excludedSound {
      wanted.remove(try names.id(of: name, by: "\(option: "exclude-sound")"))
    }
    return people.map { person in
      var person = person
      if !wanted.contains(person.participant.id) { person.voices = [] }
      return person
    }
  }

  /// Returns `people` with voices centered that are only on one stereo channel, and a note for
  /// each.
  func centered(_ people: [PlannedParticipant]) throws(RenderError) -> (
    people: [PlannedParticipant], notes: [UserMessage]
  ) {
    // Leveling analyzes all voices anyway, and their sides are then known.
    if rendition.loudness != .off { try analyses.hear(people.flatMap(\.voices)) }
    let sides = try analyses.sides(of: people.flatMap(\.voices).filter(\.isSpeech))
    var (people, notes) = (people, [UserMessage]())
    for person in people.indices {
      for voice in people[person].voices.indices where people[person].voices[voice].isSpeech {
        guard let side = sides[people[person].voices[voice].id] else { continue }
        people[person].voices[voice].source.side = side
        notes.append(
          "\(file: people[person].voices[voice].source.path): its sound is only on the "
            + "\(side.rawValue); it is heard in the middle.")
      }
    }
    return (people, notes)
  }

  /// Returns `people` with gain curves for their voices, and notes. Only the interval `shown` of
  /// the timeline is rendered.
  func leveled(
    _ people: [PlannedParticipant], shown: TimeRange
  ) throws(RenderError) -> (people: [PlannedParticipant], notes: [UserMessage]) {
    var (people, notes) = (people, [UserMessage]())
    if case .loudness(let target) = rendition.loudness {
      notes = try level(&people, target, shown)
    }
    if rendition.duck > 0 { try duck(&people) }
    return (people, notes)
  }

  private func level(
    _ people: inout [PlannedParticipant], _ target: Double, _ shown: TimeRange
  ) throws(RenderError) -> [UserMessage] {
    try analyses.hear(people.flatMap(\.voices))
    let speech = try ActiveSpeakerPlanner(people: people, duration: duration, analyses: analyses)
      .heard()
    var places: [(person: Int, voice: Int)] = []
    var voices: [VoiceLeveler.Voice] = []
    for (index, person) in people.enumerated() {
      for (number, voice) in person.voices.enumerated() {
        guard let analysis = analyses[voice.id] else { continue }
        places.append((index, number))
        var leveled = VoiceLeveler.Voice(
          analysis: analysis, start: voice.source.start, interval: voice.source.interval,
          isSpeech: voice.isSpeech, gain: voice.fixedGain)
        leveled.said = speech.said[person.id]
        leveled.bleed = speech.bleed[person.id] ?? []
        voices.append(leveled)
      }
    }
    let sources = places.map { analyses.readable(people[$0.person].voices[$0.voice]) }
    let result = VoiceLeveler.level(voices, target: target, shown: shown) { steps, curves in
      analyses.readers.powers(of: sources, curves, in: steps, cache: analyses.cache)
    }
    for (place, curve) in zip(places, result.curves) {
      people[place.person].voices[place.voice].source.gain = curve
    }
    return LevelingNotes(result, target: target).sentences(
      names: places.map { people[$0.person].participant.name })
  }

  private func duck(_ people: inout [PlannedParticipant]) throws(RenderError) {
    guard people.contains(where: { $0.voices.contains { !$0.isSpeech } }) else { return }
    let speech = try ActiveSpeakerPlanner(people: people, duration: duration, analyses: analyses)
      .heard()
    let speaking = speech.speaking.values.flatMap { $0 }
    for person in people.indices {
      for voice in people[person].voices.indices where !people[person].voices[voice].isSpeech {
        let source = people[person].voices[voice].source
        let curve = Ducking.curve(
          under: speaking, decibels: -rendition.duck, start: source.start)
        people[person].voices[voice].source.gain = (source.gain ?? GainCurve()) + curve
      }
    }
  }

  /// Returns notes about the sound of `people`, as it was before leveling.
  func notes(_ people: [PlannedParticipant]) -> [UserMessage] {
    var notes: [UserMessage] = []
    let voices = people.flatMap(\.voices)
    if rendition.duck > 0, !voices.isEmpty, voices.allSatisfy(\.isSpeech) {
      notes.append("\(option: "duck") turns nothing down: no shared screen has sound.")
    }
    guard rendition.loudness == .off else { return notes }
    let known = people.flatMap { person in
      person.voices.compactMap { voice in
        voice.isSpeech && voice.fixedGain == 0
          ? analyses[voice.id].map { (name: person.participant.name, analysis: $0) } : nil
      }
    }
    if let found = VoiceLeveler.difference(known.map(\.analysis)),
      found.difference > Self.worthANote
    {
      notes.append(
        "\(known[found.loudest].name) is \(Int(saturating: found.difference.rounded())) LU louder than "
          + "\(known[found.quietest].name); \(option: "loudness") speech brings all voices to one level."
      )
    }
    return notes
  }
}

extension Plan.Voice {
  /// The voice's constant gain in dB before leveling.
  fileprivate var fixedGain: Double { Double(source.gain?.points.first?.decibels ?? 0) }
}
