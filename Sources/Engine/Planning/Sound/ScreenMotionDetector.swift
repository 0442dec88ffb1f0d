import TesseraCodecs
import TesseraPlan
import TesseraSoundtrack
import TesseraTimeline

/// Detects motion on a shared screen by its bit rate: encoders write next to nothing for a still
/// screen.
enum ScreenMotionDetector {
  /// An encoded picture.
  struct Packet {
    var time: MediaTime
    var bytes: Int
    /// True for a keyframe. Keyframes are large even if nothing moves, and are ignored.
    var isKeyframe = false
  }

  /// The minimum number of bytes in a second with motion: about 100 kb/s.
  private static let fewest = 12_000

  /// Returns the seconds in which a screen with these `packets` moves.
  static func moving(_ packets: [Packet]) -> [TimeRange] {
    var bytes: [Int64: Int] = [:]
    for packet in packets where !packet.isKeyframe && packet.time >= .zero {
      bytes[packet.time.nanoseconds / 1_000_000_000, default: 0] += packet.bytes
    }
    let seconds = bytes.filter { $0.value > fewest }.keys
    return KeptRanges(
      keeping: seconds.map { second in
        let start = MediaTime(nanoseconds: second *| 1_000_000_000)
        return TimeRange(start: start, end: start + MediaTime(seconds: 1))
      }
    ).kept
  }

  /// Returns the times at which screens of `people` move.
  static func moving(_ people: [PlannedParticipant]) -> [TimeRange] {
    people.flatMap(\.lanes).filter { $0.kind == .screen }.flatMap(\.takes).flatMap { take in
      let (index, clock) = (take.track.source.index, take.track.clock)
      return moving(
        index.ticks.indices.map { packet in
          Packet(
            time: clock.time(ticks: index.ticks[packet]).rounded,
            bytes: Int(index.sizes[packet]),
            isKeyframe: index.isKeyframe(packet))
        })
    }
  }
}

extension VoiceAnalyses {
  /// Returns the times at which something is heard in `voices`, such as the sound of screens.
  func loud(_ voices: [Plan.Voice]) -> [TimeRange] {
    voices.flatMap { voice -> [TimeRange] in
      guard let analysis = self[voice.id] else { return [voice.source.interval] }
      let (start, whole) = (voice.source.start, KeptRanges(keeping: [voice.source.interval]))
      let heard = SpeechDetector.runs(of: true, in: SpeechDetector.speech(in: analysis)).map {
        run in
        let times = [run.lowerBound, run.upperBound].map {
          MediaTime(sample: Int64($0 * VoiceAnalysis.hop), rate: Soundtrack.sampleRate)
        }
        return TimeRange(start: start + times[0], end: start + times[1])
      }
      return KeptRanges(keeping: heard).intersection(whole).kept
    }
  }
}
