import TesseraCodecs
import TesseraPlan
import TesseraSoundtrack
import TesseraTimeline

/// When a shared screen moves, by what its encoder wrote: of a still one, next to nothing.
enum ScreenMotion {
  /// A picture that was written.
  struct Packet {
    var time: MediaTime
    var bytes: Int
    /// Whether it stands by itself: those are large also where nothing moves.
    var isKeyframe = false
  }

  /// A second of a screen that moves takes more: about 100 kb/s.
  private static let fewest = 12_000

  /// The seconds in which a screen of those `packets` moves.
  static func moving(_ packets: [Packet]) -> [TimeRange] {
    var bytes: [Int64: Int] = [:]
    for packet in packets where !packet.isKeyframe && packet.time >= .zero {
      bytes[packet.time.nanoseconds / 1_000_000_000, default: 0] += packet.bytes
    }
    let seconds = bytes.filter { $0.value > fewest }.keys
    return CutList(
      keeping: seconds.map { second in
        let start = MediaTime(nanoseconds: second *| 1_000_000_000)
        return TimeRange(start: start, end: start + MediaTime(seconds: 1))
      }
    ).kept
  }

  /// When the screens of `people` move.
  static func moving(_ people: [Person]) -> [TimeRange] {
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
  /// When something is heard in `voices`, which are not speech.
  func loud(_ voices: [Plan.Voice]) -> [TimeRange] {
    voices.flatMap { voice -> [TimeRange] in
      guard let analysis = self[voice.id] else { return [voice.source.interval] }
      let (start, whole) = (voice.source.start, CutList(keeping: [voice.source.interval]))
      let heard = SpeechDetector.runs(of: true, in: SpeechDetector.speech(in: analysis)).map {
        run in
        let times = [run.lowerBound, run.upperBound].map {
          MediaTime(sample: Int64($0 * VoiceAnalysis.hop), rate: Soundtrack.sampleRate)
        }
        return TimeRange(start: start + times[0], end: start + times[1])
      }
      return CutList(keeping: heard).intersection(whole).kept
    }
  }
}
