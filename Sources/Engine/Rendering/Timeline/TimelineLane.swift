import TesseraCodecs
import TesseraPlan
import TesseraSoundtrack
import TesseraTimeline

/// One participant's lane of a timeline, in frames of the call.
struct TimelineLane {
  var name: String
  /// The frames with a tile.
  var present: [Range<Int>]
  /// The frames that show the camera's pictures.
  var camera: [Range<Int>]
  /// The frames with the microphone on.
  var microphone: [Range<Int>]
  /// The frames with a shared screen.
  var screen: [Range<Int>]
  /// The frames in which the participant speaks.
  var speaking: [Range<Int>]
  /// The frames in which the participant has the floor.
  var floor: [Range<Int>]
  /// The participant's recorded sound.
  var voices: [Plan.Voice]
}

extension TimelineLane {
  /// Returns the lanes of all participants of `plan`. `voices` are analyses of its voices; may be
  /// empty.
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

  /// Returns the frames in which `slots` show pictures, not cards.
  private static func shown(_ slots: [TileTimeline], _ plan: Plan) -> [Range<Int>] {
    slots.flatMap { slot in
      slot.contents.frames(before: plan.frameCount) { content in
        switch content {
        case .track, .still: true
        case .card, .nothing: false
        }
      }.intersection(slot.presence.merged)
    }.merged
  }

  /// Returns the frames in which each participant speaks: by the analyses of the voices, or by the
  /// plan if there are none.
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
          ActiveSpeakerTimeline.VoiceTrack(
            voice: number, analysis: $0, start: voice.source.start,
            interval: voice.source.interval)
        }
      }
    }
    let end = plan.output.video.frameRate.time(ofFrame: plan.frameCount)
    let found = ActiveSpeakerTimeline(tracks, voiceCount: plan.participants.count, duration: end)
    return found.speaking.map { $0.map(plan.frames).merged }
  }
}

extension Plan {
  /// Returns the frames of an interval, at least one.
  func frames(in interval: TimeRange) -> Range<Int> {
    let rate = output.video.frameRate
    let first = min(max(0, rate.firstFrame(showing: interval.start)), max(0, frameCount - 1))
    return first..<max(first + 1, min(frameCount, rate.firstFrame(showing: interval.end)))
  }
}
