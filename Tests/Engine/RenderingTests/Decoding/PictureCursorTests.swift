import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraCodecs
@testable import TesseraJobs
@testable import TesseraPlan
@testable import TesseraPlanning
@testable import TesseraRendering

/// The picture of a track in each frame, the packets at which decoding starts, and the losses.
@Suite(.timed) struct PictureCursorTests {
  private func packets(_ played: Played, _ frames: Range<Int>) -> [Int?] {
    frames.map { played.shown[$0]?.packet }
  }

  // MARK: Windows

  @Test("Decoding starts at the keyframe before each window, and stops with its last picture")
  func windows() {
    let played = PlayedRecording.steady(60, keyframes: 10).play([13..<16, 45..<47])
    #expect(packets(played, 13..<16) == [13, 14, 15] && packets(played, 45..<47) == [45, 46])
    #expect(played.starts == [10, 40] && played.decodedCount == 6 + 7)
    #expect(played.parts.map(\.shown) == [5])
  }

  @Test("A decoder past the next window's keyframe continues")
  func goingOn() {
    let played = PlayedRecording.steady(60, keyframes: 30).play([13..<16, 20..<22])
    #expect(played.starts == [0] && played.decodedCount == 22)
    #expect(packets(played, 20..<22) == [20, 21])
  }

  @Test("A window before the first picture shows nothing and opens nothing")
  func beforeTheFirst() {
    let late = PlayedRecording(times: [500_000, 600_000])
    let played = late.play([0..<3])
    #expect(played.starts.isEmpty && played.shown.values.allSatisfy { $0 == .nothing })
    #expect(packets(late.play([0..<7]), 4..<7) == [nil, 0, 1])
  }

  @Test("Of several pictures in one frame, the last is shown; between pictures, the previous one")
  func crowdsAndGaps() {
    let played = PlayedRecording(times: [0, 10_000, 20_000, 300_000, 310_000]).play([0..<5])
    #expect(packets(played, 0..<5) == [2, 2, 2, 4, 4])
    #expect(played.parts == [PictureStatistics.TimelinePart(decoded: 3, shown: 2)])
  }

  @Test("Pairs of pictures a microsecond apart do not block")
  func pairs() {
    let times = (0..<40).map { Int64($0 / 2) * 200_000 + Int64($0 % 2) }
    let recording = PlayedRecording(times: times, missing: Set(stride(from: 1, to: 40, by: 2)))
    let played = recording.play([0..<40])
    #expect(played.hang == nil)
    #expect(packets(played, 0..<40) == (0..<40).map { 2 * ($0 / 2) })
  }

  // MARK: Fields

  /// Pairs of fields that last two frames.
  private static let pairs = {
    var recording = PlayedRecording(times: (0..<20).map { $0 * 200_000 }, keyframes: [0, 5, 10])
    recording.pair = 200_000
    return recording
  }()

  /// Returns the packet that each of `frames` shows, plus a half for a second field.
  private func fields(_ played: Played, _ frames: Range<Int>) -> [Double?] {
    frames.map { frame in
      played.shown[frame]?.picture.map { Double($0.packet) + ($0.isSecondField ? 0.5 : 0) }
    }
  }

  @Test("Each field is shown once, the second one halfway to the next pair")
  func fields() {
    let all = Self.pairs.play([0..<40])
    #expect(fields(all, 0..<40) == (0..<40).map { Double($0) / 2 })
    #expect(all.parts == [PictureStatistics.TimelinePart(decoded: 40, shown: 40)])
    for first in 0..<38 {
      let some = Self.pairs.play([first..<first + 2], in: first..<first + 2)
      #expect(fields(some, first..<first + 2) == [Double(first) / 2, Double(first + 1) / 2])
    }
  }

  @Test("A second field is shown half a usual pair after the first, also before a gap")
  func fieldsBesideAGap() {
    var recording = Self.pairs
    recording.times = [0, 200_000, 1_200_000, 1_300_000]
    recording.keyframes = [0]
    let shown = fields(recording.play([0..<16]), 0..<16)
    #expect(shown[0..<5] == [0, 0.5, 1, 1.5, 1.5] && shown[11] == 1.5)
    #expect(shown[12...] == [2, 3, 3.5, 3.5])
  }

  @Test("Between field pairs, a progressive picture is shown for as long as a pair")
  func fieldsAndWholePictures() {
    var recording = Self.pairs
    recording.progressive = [1, 2]
    let played = recording.play([0..<40])
    #expect(fields(played, 0..<8) == [0, 0.5, 1, 1, 2, 2, 3, 3.5])
    #expect(played.parts[0].losses.isEmpty && played.parts[0].shown == 38)
    recording.missing = [4]
    #expect(fields(recording.play([0..<40]), 6..<12) == [3, 3.5, 3.5, 3.5, 5, 5.5])
  }

  // MARK: Late and missing pictures

  @Test("A picture that arrives after later ones is not shown, and counted")
  func late() {
    var recording = PlayedRecording.steady(10, keyframes: 10)
    recording.delays = [4: 3]
    let played = recording.play([0..<10])
    #expect(packets(played, 3..<7) == [3, 3, 5, 6])
    #expect(
      played.parts[0].losses == [
        PictureStatistics.MissingPictures(cause: .media(.latePictures(1)), frames: 7..<8)
      ])
    // Of two pictures with equal times one is not shown, regardless of their order.
    var twins = PlayedRecording(times: [0, 1, 2, 2, 3, 4].map { $0 * 100_000 })
    twins.delays = [2: 1]
    #expect(packets(twins.play([0..<5]), 0..<5) == [0, 1, 3, 4, 5])
    #expect(twins.play([0..<5]).parts[0].losses.isEmpty)
  }

  @Test("A picture past the cutoff is neither shown nor waited for", arguments: [0, 6])
  func cutOff(first: Int) {
    var recording = PlayedRecording.steady(10, keyframes: 10)
    recording.cutoff = ExactTime(MediaTime(nanoseconds: 450_000_000))
    let played = recording.play([first..<10])
    #expect(packets(played, first..<10) == Array([0, 1, 2, 3, 4, 4, 4, 4, 4, 4][first...]))
    #expect(played.hang == nil && played.parts[0].losses.isEmpty)
  }

  @Test("The last decoded picture replaces a missing one", arguments: [4, 5])
  func missing(packet: Int) {
    var recording = PlayedRecording.steady(10, keyframes: 10)
    recording.missing = [packet]
    #expect(recording.play([5..<10]).shown[5]?.packet == (packet == 5 ? 4 : 5))
    #expect(recording.play([0..<10]).shown[packet]?.packet == packet - 1)
  }

  @Test("Pictures that cannot be displayed leave a blank up to the next one, in every window")
  func blank() {
    var recording = PlayedRecording.steady(10, keyframes: 10)
    (recording.blank, recording.missing) = ([4], [5, 6])
    let shown: [Int?] = [3, nil, nil, nil, 7]
    let whole = recording.play([0..<10])
    #expect(packets(whole, 3..<8) == shown && whole.shown[5] == .lost)
    #expect(packets(recording.play([5..<10]), 5..<8) == [nil, nil, 7])
    #expect(packets(recording.play([0..<6, 6..<10], cuts: [6]), 3..<8) == shown)
    // This picture shares a frame with the one before.
    var crowded = PlayedRecording(times: [0, 100_000, 110_000, 300_000])
    crowded.blank = [2]
    #expect(packets(crowded.play([0..<4]), 0..<4) == [0, nil, nil, 3])
  }

  @Test("If the last picture of a frame is missing, the one before it in the frame is shown")
  func missingInACrowd() {
    let recording = PlayedRecording(times: [0, 100_000, 110_000, 300_000], missing: [2])
    #expect(packets(recording.play([0..<4]), 0..<4) == [0, 1, 1, 3])
  }

  // MARK: The end

  @Test("A track that ends early is lost once its last picture would be held for long")
  func end() {
    var recording = PlayedRecording.steady(20, keyframes: 10)
    recording.missing = Set(12..<20)
    let long = recording.play([0..<20])
    #expect(long.shown[11]?.packet == 11 && (12..<20).allSatisfy { long.shown[$0] == .lost })
    #expect(long.parts[0].losses.map(\.cause) == [.media(.stoppedEarly(nil))])
    recording.missing = Set(17..<20)
    let short = recording.play([0..<20])
    #expect(packets(short, 16..<20) == [16, 16, 16, 16] && short.parts[0].losses.isEmpty)
  }

  @Test("An unreadable track is retried in the next stretch")
  func unreadable() {
    var recording = PlayedRecording.steady(20, keyframes: 10)
    recording.isReadable = false
    let played = recording.play([0..<8, 9..<20], cuts: [12], parts: [12])
    #expect(played.starts == [0, 10] && (0..<8).allSatisfy { played.shown[$0] == .lost })
    #expect(played.parts.allSatisfy { $0.losses.count == 1 })
  }

  @Test("An abandoned track reports its loss from that frame on")
  func givenUp() {
    let played = PlayedRecording.steady(30, keyframes: 10).play([0..<30], cuts: [20], lost: 15)
    #expect(packets(played, 13..<16) == [13, 14, nil] && played.decodedCount == 15)
    #expect((15..<30).allSatisfy { played.shown[$0] == .lost })
  }

  // MARK: Cuts

  @Test("At a cut, a decoder continues if it is undamaged or started at that stretch's keyframe")
  func cuts() {
    var recording = PlayedRecording.steady(40, keyframes: 20)
    #expect(recording.play([0..<40], cuts: [10, 30]).starts == [0])
    recording.undecodable = [5]
    #expect(recording.play([0..<20], cuts: [10]).starts == [0])
    recording.undecodable = [25]
    let damaged = recording.play([0..<40], cuts: [10, 30])
    #expect(damaged.starts == [0, 20] && damaged.decodedCount == 29 + 19)
    recording.keyframes = [0, 20, 27]
    let clean = recording.play([0..<40], cuts: [10, 30])
    #expect(clean.starts == [0, 27])
    #expect(clean.parts[0].decoded == 39 && clean.decodedCount == 39 + 3)
  }

  @Test("A loss is attributed to the frames that would have shown the picture")
  func accounts() {
    var recording = PlayedRecording.steady(40, keyframes: 40)
    recording.undecodable = [5, 14, 15, 31]
    let played = recording.play([10..<20, 30..<40], cuts: [18, 33], parts: [18, 33])
    let losses = played.parts.map { $0.losses.map(\.frames) }
    #expect(losses == [[10..<16], [31..<32], []])
    #expect(played.starts == [0] && played.parts.map(\.decoded) == [6, 4, 7])
  }

  @Test("A picture that fades out after a cut is available, and counts for the stretch before")
  func fading() {
    let recording = PlayedRecording.steady(40, keyframes: 10)
    let fading = SegmentInput.Crossfade(last: 19, frames: 20..<24)
    for frames in [0..<40, 22..<40] {
      let played = recording.play([0..<20, 30..<40], in: frames, cuts: [22], fading: fading)
      #expect(packets(played, 22..<24) == [19, 19] && played.hang == nil)
      #expect(played.parts[0].shown == (frames.lowerBound == 0 ? 30 : 10))
    }
  }

  // MARK: Random recordings

  /// Returns a recording with random, bad times, shown in some of 60 frames and cut in some.
  private static func anything(
    _ random: inout SplitMix64
  ) -> (recording: PlayedRecording, wanted: [Range<Int>], cuts: [Int]) {
    let count = Int.random(in: 0...40, using: &random)
    let steps: [Int64] = [0, 1, 2, 500, 33_333, 40_000, 100_000, 150_000, 1_200_000]
    var time = Int64.random(in: -200_000...300_000, using: &random)
    var times: [Int64] = []
    for _ in 0..<count {
      times.append(time)
      time += steps.randomElement(using: &random) ?? 0
    }
    func some(_ share: Int) -> [Int] {
      times.indices.filter { _ in Int.random(in: 0..<100, using: &random) < share }
    }
    var recording = PlayedRecording(times: times)
    recording.keyframes = count > 0 ? [0] + some(20).filter { $0 > 0 } : []
    recording.missing = Set(some([0, 0, 30].randomElement(using: &random) ?? 0))
    recording.undecodable = Set(some([0, 0, 10].randomElement(using: &random) ?? 0))
    if Int.random(in: 0..<4, using: &random) == 0 {
      recording.pair = [1, 33_333, 200_000].randomElement(using: &random)
      recording.progressive = Set(some(20))
    }
    if Bool.random(using: &random) {
      recording.delays = Dictionary(uniqueKeysWithValues: some(10).map { ($0, 2) })
    }
    let edges = Set((0..<6).map { _ in Int.random(in: 0...60, using: &random) }).sorted()
    let wanted = stride(from: 0, to: edges.count - 1, by: 2).map { edges[$0]..<edges[$0 + 1] }
    let cuts = Set((0..<3).map { _ in Int.random(in: 1..<60, using: &random) }).sorted()
    return (recording, wanted, cuts)
  }

  @Test("For any times and windows, a track has a picture due or reports that it has none")
  func noHang() {
    for seed in 0..<1_500 {
      var random = SplitMix64(seed: UInt64(seed))
      let (recording, wanted, cuts) = Self.anything(&random)
      var frames = random
      let played = recording.play(wanted, in: 0..<60, cuts: cuts) { _ in
        Int.random(in: 0..<4, using: &frames)
      }
      #expect(played.hang == nil, "seed \(seed)")
    }
  }

  @Test("For any times, a frame shows the last picture in order that is not after the frame")
  func shown() {
    for seed in 0..<500 {
      var random = SplitMix64(seed: UInt64(seed))
      var (recording, wanted, _) = Self.anything(&random)
      recording.keyframes = Array(recording.keyframes.prefix(1))
      (recording.missing, recording.undecodable, recording.delays) = ([], [], [:])
      recording.pair = nil
      let played = recording.play(wanted, in: 0..<60)
      for (frame, shown) in played.shown {
        let limit = Int64(frame) * 100_000 + 50_000
        #expect(shown.packet == recording.times.lastIndex { $0 < limit }, "seed \(seed)")
      }
    }
  }

  @Test("For any damage, the grouping of stretches into runs has no effect")
  func grouping() {
    for seed in 0..<1_500 {
      var random = SplitMix64(seed: UInt64(seed))
      let (recording, wanted, cuts) = Self.anything(&random)
      let whole = recording.play(wanted, in: 0..<60, cuts: cuts, parts: cuts)
      let edges = [0] + cuts + [60]
      for first in 0..<edges.count - 1 {
        for end in first + 1..<edges.count where end == first + 1 || Bool.random(using: &random) {
          let frames = edges[first]..<edges[end]
          let alone = recording.play(wanted, in: frames, cuts: cuts, parts: cuts)
          #expect(alone.shown == whole.shown.filter { frames.contains($0.key) }, "seed \(seed)")
          #expect(alone.parts[first..<end] == whole.parts[first..<end], "seed \(seed), \(frames)")
        }
      }
    }
  }
}
