import TestSupport
import Testing

@testable import TesseraJobs
@testable import TesseraPlan
@testable import TesseraPlanning
@testable import TesseraRendering

extension Segmentation.Track {
  /// A track that is seen in `frames` and can be decoded from each of `keyframes`, ascending, on.
  fileprivate init(frames: Range<Int>, keyframes: [Int], weight: Int = 1) {
    self.init(frames: frames, weight: weight) { frame in
      keyframes.last { $0 <= frame } ?? frames.lowerBound
    }
  }
}

@Suite struct SegmentationTests {
  private func covers(_ segmentation: Segmentation, _ count: Int) -> Bool {
    segmentation.segments.first?.lowerBound == 0 && segmentation.segments.last?.upperBound == count
      && zip(segmentation.segments, segmentation.segments.dropFirst()).allSatisfy {
        $0.upperBound == $1.lowerBound
      }
  }

  @Test("Every timeline is covered, in multiples of the keyframe distance, none too short")
  func coverage() {
    var generator = SplitMix64(seed: 5)
    for _ in 0..<300 {
      let group = [1, 25, 150, 300].randomElement(using: &generator) ?? 1
      let count = Int.random(in: 1...(40 * group), using: &generator)
      let tracks = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
        let first = Int.random(in: 0..<count, using: &generator)
        let keyframes = (0..<50).map { _ in Int.random(in: 0..<count, using: &generator) }
        return Segmentation.Track(
          frames: first..<Int.random(in: (first + 1)...count, using: &generator),
          keyframes: keyframes.sorted(), weight: Int.random(in: 1...9, using: &generator))
      }
      let found = Segmentation(frameCount: count, group: group, tracks: tracks)
      #expect(covers(found, count))
      #expect(found.segments.allSatisfy { $0.lowerBound % group == 0 })
      #expect(found.segments.count == 1 || found.segments.allSatisfy { $0.count >= 2 * group })
      #expect(found.segments.allSatisfy { $0.count < 6 * group })
    }
  }

  @Test("Cuts fall on the recordings' keyframes, where those are few")
  func keyframes() {
    let track = Segmentation.Track(
      frames: 0..<3000, keyframes: Array(stride(from: 0, to: 3000, by: 450)))
    let found = Segmentation(frameCount: 3000, group: 150, tracks: [track])
    #expect(found.segments.map(\.lowerBound).dropFirst().allSatisfy { $0 % 450 == 0 })
  }

  @Test("A recording that is longer is cut in the same places as far as the shorter one went")
  func longer() {
    let track = { (count: Int) in
      Segmentation.Track(frames: 0..<count, keyframes: Array(stride(from: 70, to: count, by: 170)))
    }
    let short = Segmentation(frameCount: 9_000, group: 150, tracks: [track(9_000)])
    let long = Segmentation(frameCount: 20_000, group: 150, tracks: [track(20_000)])
    let same = zip(short.segments, long.segments).prefix { $0 == $1 }.count
    #expect(same >= short.segments.count - 3)
  }

  @Test("A file with one keyframe does not decide, and an output that cannot be cut is not")
  func single() {
    let track = Segmentation.Track(frames: 0..<3000, keyframes: [0])
    let found = Segmentation(frameCount: 3000, group: 150, tracks: [track])
    #expect(found.segments.count == 10)
    let whole = Segmentation(frameCount: 3000, group: 150, tracks: [track], isDivisible: false)
    #expect(whole.segments == [0..<3000])
  }

  @Test("Runs hold all missing segments once, in rows")
  func runs() {
    var generator = SplitMix64(seed: 9)
    for _ in 0..<200 {
      let count = Int.random(in: 1...80, using: &generator)
      let missing = (0..<count).filter { _ in Bool.random(using: &generator) }
      let costs = (0..<count).map { number in
        Runs.Cost(
          work: Double.random(in: 1...5, using: &generator),
          preroll: Bool.random(using: &generator) ? Double(number) : 0.1)
      }
      let workers = Int.random(in: 1...9, using: &generator)
      let runs = Runs.choose(missing, costs: costs, workers: workers)
      #expect(runs.flatMap(Array.init).sorted() == missing)
    }
  }

  @Test("Work without pre-roll is shared evenly; with one keyframe, runs are long")
  func sharing() {
    let even = (0..<60).map { _ in Runs.Cost(work: 1, preroll: 0.1) }
    let runs = Runs.choose(Array(0..<60), costs: even, workers: 4)
    let span = Runs.makespan(runs.map { Runs.price($0, even) }, workers: 4)
    #expect(span < 60.0 / 4 * 1.1)
    let single = (0..<60).map { Runs.Cost(work: 1, preroll: Double($0) * 0.5) }
    #expect(Runs.choose(Array(0..<60), costs: single, workers: 4).count <= 8)
    #expect(Runs.choose(Array(0..<60), costs: single, workers: 1) == [0..<60])
  }
}

@Suite struct CostModelTests {
  @Test("Uneven work is told ahead: half of the time is left when half of the work is done")
  func uneven() throws {
    // The second half costs four times as much a frame.
    let work = (0..<10).map { $0 < 5 ? 1.0 : 4.0 }
    var model = CostModel(
      work: work, frameCounts: Array(repeating: 300, count: 10), soundWork: 0)
    #expect(model.remaining(workers: 1) == nil)
    for segment in 0..<5 {
      for _ in 0..<10 { model.advance(segment: segment, frames: 30, seconds: 0.2) }
      model.finish(segment: segment)
    }
    #expect(abs(try #require(model.remaining(workers: 1)) - 40) < 1e-6)
    #expect(abs(try #require(model.remaining(workers: 2)) - 20) < 1e-6)
    // No better than the longest part alone.
    #expect(abs(try #require(model.remaining(workers: 50)) - 8) < 1e-6)
    #expect(model.frames == 1500)
    #expect(abs(try #require(model.seconds(segment: 9)) - 8) < 1e-6)
  }

  @Test("The estimate falls steadily with a clock that goes evenly")
  func steady() throws {
    var model = CostModel(
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

  @Test("What is there from before, and the sound, count")
  func reuse() throws {
    var model = CostModel(work: [1, 1], frameCounts: [100, 100], soundWork: 5)
    model.reuse(segment: 0)
    model.advance(segment: 1, frames: 50, seconds: 1)
    #expect(model.remaining(workers: 4) == 10)
    model.mixed(0.5, seconds: 3)
    #expect(model.remaining(workers: 4) == 3)
    #expect(model.fraction == 4.0 / 7 && !model.hasAllPictures)
    model.finish(segment: 1)
    // All pictures are made, and it is not done.
    #expect(model.hasAllPictures && model.fraction == 4.5 / 7)
    model.mixed(1, seconds: 6)
    #expect(model.remaining(workers: 4) == 0 && model.fraction == 1)
  }
}
