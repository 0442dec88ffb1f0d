import TesseraCodecs
import TesseraLayout
import TesseraPlan
import TesseraSoundtrack
import TesseraTimeline

/// What a timeline shows of one participant, in frames.
struct TimelineLane {
  /// What the person is called.
  var name: String
  /// While there is a tile.
  var present: [Range<Int>]
  /// While the camera's pictures are shown.
  var camera: [Range<Int>]
  /// While a microphone is on.
  var microphone: [Range<Int>]
  /// While a screen is shared.
  var screen: [Range<Int>]
  /// While the person speaks.
  var speaking: [Range<Int>]
  /// While the person has the floor.
  var floor: [Range<Int>]
  /// What was recorded of the person's sound.
  var voices: [Plan.Voice]
}

extension TimelineLane {
  /// The lanes of everyone in `plan`; `voices` is what was found in each voice.
  static func lanes(_ plan: Plan, _ voices: [TrackID: VoiceAnalysis]) -> [TimelineLane] {
    let speaking = speaking(plan, voices)
    return plan.participants.enumerated().map { index, person in
      let slots = plan.slots.filter { $0.participant == person.id }
      let cameras = slots.filter { $0.kind == .camera }
      let screens = slots.filter { $0.kind == .screen }
      let own = plan.voices.filter { $0.participant == person.id }
      let silent = plan.mutes.filter { $0.participant == person.id }.map {
        plan.frames(in: $0.interval)
      }.merged
      let muted =
        cameras.flatMap {
          $0.decorations.frames(before: plan.frameCount, where: \.isMuted)
        } + silent
      let heard = own.filter(\.isSpeech).map { plan.frames(in: $0.source.interval) }
      let turns = plan.turns.filter { $0.participant == person.id }
      return TimelineLane(
        name: person.name, present: cameras.flatMap(\.presence).merged,
        camera: shown(cameras, plan), microphone: heard.merged.subtracting(muted.merged),
        screen: shown(screens, plan),
        speaking: speaking[index].subtracting(silent),
        floor: turns.map { plan.frames(in: $0.interval) }.merged, voices: own)
    }
  }

  /// While pictures of `slots` are shown, and no cards.
  private static func shown(_ slots: [Slot], _ plan: Plan) -> [Range<Int>] {
    slots.flatMap { slot in
      slot.contents.frames(before: plan.frameCount) { content in
        switch content {
        case .track, .still: true
        case .card, .nothing: false
        }
      }.intersection(slot.presence.merged)
    }.merged
  }

  /// While each participant speaks: as the voices say, else as the plan does.
  private static func speaking(
    _ plan: Plan, _ voices: [TrackID: VoiceAnalysis]
  ) -> [[Range<Int>]] {
    guard !voices.isEmpty else {
      let isKnown = plan.participants.contains { !$0.speech.isEmpty }
      return plan.participants.map { person in
        let turns = plan.turns.lazy.filter { $0.participant == person.id }.map(\.interval)
        return (isKnown ? person.speech : Array(turns)).map(plan.frames).merged
      }
    }
    let numbers = Dictionary(
      plan.participants.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    let tracks = plan.voices.filter(\.isSpeech).compactMap { voice in
      numbers[voice.participant].flatMap { number in
        voices[voice.id].map {
          ActiveSpeaker.Track(
            voice: number, analysis: $0, start: voice.source.start,
            interval: voice.source.interval)
        }
      }
    }
    let end = plan.output.video.frameRate.time(ofFrame: plan.frameCount)
    let found = ActiveSpeaker(tracks, voiceCount: plan.participants.count, duration: end)
    return found.speaking.map { $0.map(plan.frames).merged }
  }
}

extension Plan {
  /// The frames of an interval, at least one.
  func frames(in interval: TimeRange) -> Range<Int> {
    let rate = output.video.frameRate
    let first = min(max(0, rate.firstFrame(showing: interval.start)), max(0, frameCount - 1))
    return first..<max(first + 1, min(frameCount, rate.firstFrame(showing: interval.end)))
  }
}
