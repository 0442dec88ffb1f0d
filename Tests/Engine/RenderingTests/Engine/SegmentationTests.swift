import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraJobs
@testable import TesseraPlan
@testable import TesseraPlanning
@testable import TesseraRendering

extension Segmentation.Track {
  /// A track with pictures in `seconds`, decodable from each second in `keyframes` (ascending) on.
  fileprivate init(seconds: Range<Int>, keyframes: [Int], weight: Int = 1) {
    self.init(
      interval: TimeRange(
        start: MediaTime(seconds: seconds.lowerBound), end: MediaTime(seconds: seconds.upperBound)),
      weight: weight
    ) { time in
      keyframes.map { MediaTime(seconds: $0) }.last { $0 <= time }
        ?? MediaTime(seconds: seconds.lowerBound)
    }
  }
}

@Suite(.timed) struct SegmentationTests {
  @Test("Cuts are ten to twenty seconds apart, and not too near to an end")
  func coverage() {
    var generator = SplitMix64(seed: 5)
    for _ in 0..<300 {
      let length = Int.random(in: 1...400, using: &generator)
      let tracks = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
        let first = Int.random(in: 0..<length, using: &generator)
        let keyframes = (0..<50).map { _ in Int.random(in: 0..<length, using: &generator) }
        return Segmentation.Track(
          seconds: first..<Int.random(in: (first + 1)...length, using: &generator),
          keyframes: keyframes.sorted(), weight: Int.random(in: 1...9, using: &generator))
      }
      let cuts = Segmentation(duration: MediaTime(seconds: length), tracks: tracks).cuts
      let edges = [0] + cuts.map { 5 * $0 } + [length]
      #expect(cuts.isEmpty ? length < 20 : true)
      let lengths = zip(edges, edges.dropFirst()).map { $1 - $0 }
      #expect(cuts.isEmpty || lengths.allSatisfy { (10..<30).contains($0) })
    }
  }

  @Test("Cuts coincide with the recordings' keyframes if those are rare")
  func keyframes() {
    let track = Segmentation.Track(
      seconds: 0..<100, keyframes: Array(stride(from: 0, to: 100, by: 15)))
    let cuts = Segmentation(duration: MediaTime(seconds: 100), tracks: [track]).cuts
    #expect(!cuts.isEmpty && cuts.allSatisfy { $0 % 3 == 0 })
  }

  @Test("A longer recording is cut in the same places up to the end of the shorter one")
  func longer() {
    let cuts = { (length: Int) in
      let track = Segmentation.Track(
        seconds: 0..<length, keyframes: Array(stride(from: 3, to: length, by: 7)))
      return Segmentation(duration: MediaTime(seconds: length), tracks: [track]).cuts
    }
    let (short, long) = (cuts(300), cuts(700))
    #expect(zip(short, long).prefix { $0 == $1 }.count >= short.count - 2)
  }

  @Test("A file with a single keyframe does not decide")
  func single() {
    let track = Segmentation.Track(seconds: 0..<100, keyframes: [0])
    #expect(Segmentation(duration: MediaTime(seconds: 100), tracks: [track]).cuts.count == 9)
  }

  @Test("Without motion, cuts are at most thirty seconds apart, and where motion begins")
  func still() {
    func cuts(_ length: Int, moving: [Range<Int>]) -> [Int] {
      let track = Segmentation.Track(seconds: 0..<length, keyframes: Array(0..<length))
      return Segmentation(duration: MediaTime(seconds: length), tracks: [track]) { cell in
        !moving.contains { $0.contains(5 * cell) }
      }.cuts.map { 5 * $0 }
    }
    #expect(cuts(95, moving: []) == [30, 60, 85])
    #expect(cuts(30, moving: []) == [] && cuts(40, moving: []) == [30])
    #expect(cuts(100, moving: [45..<65]) == [30, 45, 55, 65, 90])
    #expect(cuts(100, moving: [0..<100]) == cuts(100, moving: [0..<50, 60..<70, 75..<100]))
  }

  @Test("Keyframes in a segment have the maximum distance")
  func keyframesInside() {
    let followed = { RenditionPlan.keyframes(in: $0, every: 150, slack: 5, isFollowed: true) }
    #expect(followed(150) == [] && followed(153) == [] && followed(155) == [])
    #expect(followed(303) == [153] && followed(300) == [150] && followed(600) == [150, 300, 450])
    #expect(followed(200) == [100] && followed(400) == [133, 266])
    let last = RenditionPlan.keyframes(in: 400, every: 150, slack: 5, isFollowed: false)
    #expect(last == [150, 300])
  }

  @Test("Runs cover all missing segments once, in consecutive rows")
  func runs() {
    var generator = SplitMix64(seed: 9)
    for _ in 0..<200 {
      let count = Int.random(in: 1...80, using: &generator)
      let missing = (0..<count).filter { _ in Bool.random(using: &generator) }
      let costs = (0..<count).map { number in
        SegmentRunPlanner.Cost(
          work: Double.random(in: 1...5, using: &generator),
          preroll: Bool.random(using: &generator) ? Double(number) : 0.1)
      }
      let workers = Int.random(in: 1...9, using: &generator)
      let runs = SegmentRunPlanner.choose(missing, costs: costs, workers: workers)
      #expect(runs.flatMap(Array.init).sorted() == missing)
    }
  }

  @Test("Work without pre-roll is shared evenly; with one keyframe, runs are long")
  func sharing() {
    let even = (0..<60).map { _ in SegmentRunPlanner.Cost(work: 1, preroll: 0.1) }
    let runs = SegmentRunPlanner.choose(Array(0..<60), costs: even, workers: 4)
    let span = SegmentRunPlanner.makespan(
      runs.map { SegmentRunPlanner.price($0, even) }, workers: 4)
    #expect(span < 60.0 / 4 * 1.1)
    let single = (0..<60).map { SegmentRunPlanner.Cost(work: 1, preroll: Double($0) * 0.5) }
    #expect(SegmentRunPlanner.choose(Array(0..<60), costs: single, workers: 4).count <= 8)
    #expect(SegmentRunPlanner.choose(Array(0..<60), costs: single, workers: 1) == [0..<60])
  }
}

@Suite(.timed) struct RemainingTimeEstimatorTests {
  @Test("Uneven work is predicted: half of the time remains when half of the work is done")
  func uneven() throws {
    // The second half costs four times as much per frame.
    let work = (0..<10).map { $0 < 5 ? 1.0 : 4.0 }
    var model = RemainingTimeEstimator(
      work: work, frameCounts: Array(repeating: 300, count: 10), soundWork: 0)
    #expect(model.remaining(workers: 1) == nil)
    for segment in 0..<5 {
      for _ in 0..<10 { model.advance(segment: segment, frames: 30, seconds: 0.2) }
      model.finish(segment: segment)
    }
    #expect(abs(try #require(model.remaining(workers: 1)) - 40) < 1e-6)
    #expect(abs(try #require(model.remaining(workers: 2)) - 20) < 1e-6)
    // More workers are not faster than the longest part.
    #expect(abs(try #require(model.remaining(workers: 50)) - 8) < 1e-6)
    #expect(model.frames == 1500)
  }

  @Test("The estimate falls steadily with an even clock")
  func steady() throws {
    var model = RemainingTimeEstimator(
      work: [1, 3, 2], frameCounts: [100, 100, 100], soundWork: 0)
    var last = Double.infinity
    for (segment, seconds) in zip(0..<3, [0.1, 0.3, 0.2]) {
      for _ in 0..<10 {
        model.advance(segment: segment, frames: 10, seconds: seconds)
        let left = try #require(model.remaining(workers: 1))
        #expect(left < last)
        if last.isFinite { #expect(abs(last - left - seconds) < 1e-6) }
        last = left
      }
    }
    #expect(last < 1e-9)
  }

  @Test("Reused pieces and the sound count")
  func reuse() throws {
    var model = RemainingTimeEstimator(work: [1, 1], frameCounts: [100, 100], soundWork: 5)
    model.reuse(segment: 0, frames: 100)
    model.advance(segment: 1, frames: 50, seconds: 1)
    #expect(model.remaining(workers: 4) == 10)
    model.mixed(0.5, seconds: 3)
    #expect(model.remaining(workers: 4) == 3)
    #expect(model.fraction == 4.0 / 7 && !model.hasAllPictures)
    model.finish(segment: 1)
    // All pictures are done, but the render is not.
    #expect(model.hasAllPictures && model.fraction == 4.5 / 7)
    model.mixed(1, seconds: 6)
    #expect(model.remaining(workers: 4) == 0 && model.fraction == 1)
  }

  @Test("The sound is encoded after its pieces, which are distributed")
  func pieces() throws {
    var model = RemainingTimeEstimator(
      work: [10, 10], frameCounts: [100, 100], soundWork: 4, pieces: [2, 2, 2])
    model.finish(piece: 0, seconds: 4)
    #expect(model.fraction == 2.0 / 30 && model.remaining(workers: 2) == nil)
    model.advance(segment: 0, frames: 100, seconds: 10)
    model.advance(segment: 1, frames: 90, seconds: 9)
    // 8 s of pieces and then 8 s of encoding, beside 1 s of pictures.
    #expect(model.remaining(workers: 1) == 17)
    #expect(model.remaining(workers: 4) == 10)
    model.finish(piece: 1, seconds: 4)
    model.finish(piece: 2, seconds: 4)
    model.mixed(0, seconds: 20)
    model.mixed(0.5, seconds: 24)
    #expect(abs(try #require(model.remaining(workers: 4)) - 4) < 1e-9)
    model.mixed(1, seconds: 28)
    model.finish(segment: 1)
    #expect(model.remaining(workers: 4) == 0 && model.fraction == 1)
  }
}
