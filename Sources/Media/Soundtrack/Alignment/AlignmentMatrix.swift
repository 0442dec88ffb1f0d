import TesseraTimeline

/// The comparison of each of several recordings with each other one.
struct AlignmentMatrix {
  /// The recordings, with silence inserted where samples were found to be missing.
  private(set) var audio: [AlignmentAudio]
  /// The number of each recording's owner.
  private let owners: [Int]
  /// The voice of each recording's owner; `nil` if the recording is silent.
  private var voices: [AlignmentVoice?]
  /// The search for the owner of each recording (row) in each other recording (column).
  private var searches: [[AlignmentSearch]]

  /// The number of times that a mended recording is searched for further gaps.
  private static let rounds = 3
  /// The largest difference between places in several recordings that agree, in seconds. Voices at
  /// distances that differ by 1.7 m arrive so far apart.
  private static let tolerance = 0.005
  /// The length of the shortest gap that is detected, in seconds.
  private static let smallest = 2 * tolerance
  /// Half a window, in seconds: the distance of a change from the middles of windows that show it.
  private static let slack = 1.5
  /// The length of sound beside a gap from which the gap's confidence is measured, in seconds.
  private static let near = 10.0
  /// The number of additional agreeing votes that filling a gap has to gain.
  private static let leastGain = 4

  /// Compares all recordings that are not silent; returns `nil` if `isCancelled` returned `true`.
  init?(_ audio: [AlignmentAudio], _ owners: [Int], _ isCancelled: () -> Bool) {
    (self.audio, self.owners) = (audio, owners)
    voices = audio.map { $0.isSilent ? nil : AlignmentVoice($0) }
    searches = audio.map { _ in audio.map { _ in AlignmentSearch() } }
    guard compare(Set(audio.indices), isCancelled) else { return nil }
  }

  /// Compares the recordings in `changed` with all others.
  ///
  /// - Returns: false if `isCancelled` returned `true`.
  private mutating func compare(_ changed: Set<Int>, _ isCancelled: () -> Bool) -> Bool {
    for one in audio.indices {
      for other in 0..<one where changed.contains(one) || changed.contains(other) {
        guard let a = voices[one], let b = voices[other] else { continue }
        if isCancelled() { return false }
        var (there, back) = (AlignmentSearch(for: a, in: b), AlignmentSearch(for: b, in: a))
        // If a person is heard in one direction, the other direction is within the sum of both
        // delays.
        let isForeign = owners[one] != owners[other]
        if isForeign, let line = there.found?.line, back.found == nil {
          back = AlignmentSearch(for: b, in: a, within: line, tracked: back.tracked)
        } else if isForeign, let line = back.found?.line, there.found == nil {
          there = AlignmentSearch(for: a, in: b, within: line, tracked: there.tracked)
        }
        (searches[one][other], searches[other][one]) = (there, back)
      }
    }
    return true
  }

  /// The alignment of each pair of recordings that are not silent. Windows in which a recording
  /// hears the owner of a third one do not count.
  var edges: [AlignmentGraph.Edge] {
    var searches = searches
    for one in audio.indices {
      let foreign = audio.indices.map { other in
        owners[one] == owners[other] ? [] : searches[one][other].foreign
      }
      for other in audio.indices where owners[one] != owners[other] {
        searches[one][other].leaveOut(
          audio.indices.flatMap { $0 == other ? [] : foreign[$0] })
      }
    }
    let sounding = audio.indices.filter { voices[$0] != nil }
    return sounding.flatMap { one in
      sounding.prefix { $0 < one }.map { other in
        AlignmentGraph.Edge(
          from: one, to: other,
          SoundAligner.Alignment(
            searches[one][other], searches[other][one], ofOnePerson: owners[one] == owners[other]))
      }
    }
  }

  // MARK: Gaps

  /// Finds the gaps of recordings and fills them with silence.
  ///
  /// A recording that several searches blame is compared with all recordings that no search blames,
  /// or with all if there are none. It counts as not blamed afterwards.
  ///
  /// - Returns: the gaps of each recording, in its own time, or `nil` if `isCancelled` returned
  ///   `true`.
  mutating func mend(_ isCancelled: () -> Bool) -> [[SampleGap]]? {
    var gaps = [[SampleGap]](repeating: [], count: audio.count)
    var blamed = blamed
    while let index = blamed.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key {
      let sound = audio.indices.filter { blamed[$0] == nil }
      let others = sound.isEmpty ? audio.indices.filter { $0 != index } : sound
      for _ in 0..<Self.rounds {
        let found = lost(by: index, others)
        guard !found.isEmpty else { break }
        guard let mended = filling(found, of: index, isCancelled) else { return nil }
        guard mended.agreement(of: index) >= agreement(of: index) + Self.leastGain else { break }
        self = mended
        gaps[index] = SampleGap.merged(gaps[index], found)
      }
      blamed[index] = nil
    }
    return gaps
  }

  /// The recordings that seem to lack samples, each with the number of searches that show it.
  ///
  /// At least two searches have to show it, or one that involves another recording of the same
  /// owner. If the lag grows, the searched-for recording lacks samples; if it shrinks, the other
  /// one does.
  private var blamed: [Int: Int] {
    var (counts, own): ([Int: Int], Set<Int>) = ([:], [])
    for one in audio.indices {
      for other in audio.indices {
        let steps = AlignmentSteps(searches[one][other].tracked, tolerance: Self.tolerance)
        let sizes = steps?.changes(over: Self.smallest).map(\.size) ?? []
        for (index, isBlamed) in [
          (one, sizes.contains { $0 > 0 }), (other, sizes.contains { $0 < 0 }),
        ]
        where isBlamed {
          counts[index, default: 0] += 1
          if owners[one] == owners[other] { own.insert(index) }
        }
      }
    }
    return counts.filter { $0.value > 1 || own.contains($0.key) }
  }

  /// Returns the matrix with `gaps` of a recording filled; `nil` if `isCancelled` returned `true`.
  private func filling(
    _ gaps: [SampleGap], of index: Int, _ isCancelled: () -> Bool
  ) -> AlignmentMatrix? {
    var mended = self
    mended.audio[index] = audio[index].filling(gaps)
    mended.voices[index] = AlignmentVoice(mended.audio[index])
    return mended.compare([index], isCancelled) ? mended : nil
  }

  /// Returns the number of windows of recording `index` that agree with other recordings.
  private func agreement(of index: Int) -> Int {
    edges.reduce(0) { $0 + ([$1.from, $1.to].contains(index) ? $1.alignment.agreeingCount : 0) }
  }

  /// A correspondence between a recording's time and the common timeline of several others.
  private struct TimeCorrespondence {
    var vote: AlignmentLine.TimePair
    var other: Int
    /// True if the other recording hears this recording's owner; false for the other direction.
    var isThere: Bool
  }

  /// Finds the gaps of recording `index` by its places in `others`, as far as `others` are joined
  /// to each other.
  private func lost(by index: Int, _ others: [Int]) -> [SampleGap] {
    let graph = AlignmentGraph(
      audio.map(\.seconds), owners: owners, fixed: [:],
      edges.filter { others.contains($0.from) && others.contains($0.to) })
    var best: (steps: AlignmentSteps, sightings: [TimeCorrespondence])?
    for group in Set(others.map { graph.groups[$0] }).sorted() {
      let sightings = others.filter { graph.groups[$0] == group }.flatMap {
        self.sightings(of: index, in: $0, graph.places[$0])
      }
      // If both hear each other late, each direction has a lag of its own.
      for part in [sightings, sightings.filter(\.isThere), sightings.filter { !$0.isThere }] {
        let steps = AlignmentSteps(part.map(\.vote), tolerance: Self.tolerance)
        guard let steps, steps.score > best?.steps.score ?? 0 else { continue }
        best = (steps, part)
      }
    }
    guard let (steps, sightings) = best else { return [] }
    return steps.changes(over: Self.smallest).filter { $0.size > 0 }.map { change in
      let lines = [steps.lines[change.line], steps.lines[change.line + 1]]
      let range = change.range.widened(by: Self.slack)
      let near = sightings.filter { range.widened(by: Self.near).contains($0.vote.time) }
      let agreeing = near.count { sighting in
        lines.contains { $0.isNear(sighting.vote, Self.tolerance) }
      }
      let views = views(of: near, change.range, lines, graph.places)
      // Recordings of one owner hear the voice at one distance.
      let own = views.filter { owners[$0.other] == owners[index] }
      let growths = (own.isEmpty ? views : own).map(\.growth)
      return SampleGap(
        time: moment(of: index, in: range, views), seconds: change.size + (growths.median ?? 0),
        confidence: Double(agreeing) / Double(max(1, near.count)))
    }
  }

  /// Returns the views of a gap from other recordings. Each has its own distance from the `lines`
  /// before and after `range`.
  private func views(
    of sightings: [TimeCorrespondence], _ range: ClosedRange<Double>, _ lines: [AlignmentLine],
    _ places: [SoundAligner.Position]
  ) -> [PositionsAroundGap] {
    let parts = [-Double.infinity...range.lowerBound, range.upperBound...Double.infinity]
    return Set(sightings.map(\.other)).sorted().compactMap { other in
      let distances = zip(lines, parts).compactMap { line, part in
        sightings.filter { $0.other == other && part.contains($0.vote.time) }
          .map { $0.vote.place - line.place(of: $0.vote.time) }
          .filter { abs($0) <= Self.tolerance }.median
      }
      guard distances.count == 2 else { return nil }
      return PositionsAroundGap(
        other: other, growth: distances[1] - distances[0],
        places: zip(lines, distances).map { line, distance in
          places[other].inverse.of(
            SoundAligner.Position(offset: line.offset + distance, rate: 1 + line.drift))
        })
    }
  }

  /// The places of a recording in another one before and after a gap.
  private struct PositionsAroundGap {
    var other: Int
    /// The gap's length in the other recording less its length on the common lines, in seconds.
    var growth: Double
    /// The placement before the gap and the placement after it.
    var places: [SoundAligner.Position]
  }

  /// Returns the correspondences of a recording with another one, whose own placement is `place`.
  private func sightings(of index: Int, in other: Int, _ place: SoundAligner.Position)
    -> [TimeCorrespondence]
  {
    let (there, back) = (searches[index][other], searches[other][index])
    let votes =
      (there.tracked.isEmpty ? there.votes : there.tracked).map { ($0, true) }
      + (back.tracked.isEmpty ? back.votes : back.tracked).map { ($0.inverse, false) }
    return votes.map { vote, isThere in
      var vote = vote
      vote.place = place.time(vote.place)
      return TimeCorrespondence(vote: vote, other: other, isThere: isThere)
    }
  }

  /// Finds the moment in `range` at which a gap is: before it the waveform matches the views' first
  /// placements, after it the second ones. In seconds.
  private func moment(
    of index: Int, in range: ClosedRange<Double>, _ views: [PositionsAroundGap]
  ) -> Double {
    let rate = Double(AlignmentAudio.sampleRate)
    let first = Int(saturating: max(0, range.lowerBound) * rate)
    let end = max(first + 1, Int(saturating: range.upperBound * rate))
    // Blocks of a second bound the memory: if nobody speaks, the range is long.
    let blocks = stride(from: first, to: end, by: AlignmentAudio.sampleRate).map {
      $0..<min(end, $0 + AlignmentAudio.sampleRate)
    }
    let scales = views.map { view in
      view.places.map { place in
        let (sum, power) = blocks.reduce((0.0, 1e-9)) { total, block in
          let match = match(index, block, view.other, place)
          return (total.0 + match.products.reduce(0, +), total.1 + match.power)
        }
        // Sound with inverted polarity counts as well.
        return (sum < 0 ? -1 : 1) / power.squareRoot()
      }
    }
    var (sum, most, moment) = (0.0, 0.0, first)
    for block in blocks {
      var gains = [Double](repeating: 0, count: block.count)
      for (view, scales) in zip(views, scales) {
        for (place, scale) in zip(view.places, [scales[0], -scales[1]]) {
          let products = match(index, block, view.other, place).products
          for index in gains.indices { gains[index] += scale * products[index] }
        }
      }
      for (offset, gain) in gains.enumerated() {
        sum += gain
        if sum > most { (most, moment) = (sum, block.lowerBound + offset + 1) }
      }
    }
    return Double(moment) / rate
  }

  /// Multiplies a block of a recording's samples with the samples at their `place` in another
  /// recording. Also returns the power of the other recording's samples.
  private func match(
    _ index: Int, _ block: Range<Int>, _ other: Int, _ place: SoundAligner.Position
  ) -> (products: [Double], power: Double) {
    let rate = Double(AlignmentAudio.sampleRate)
    let positions = block.map { Int(saturating: (place.time(Double($0) / rate) * rate).rounded()) }
    let base = positions.min() ?? 0
    let samples = audio[other].samples(base..<(positions.max() ?? base) + 1)
    let own = audio[index].samples(block)
    let heard = positions.map { samples[$0 - base] }
    return (zip(own, heard).map { $0 * $1 }, heard.reduce(0) { $0 + $1 * $1 })
  }
}

extension [Double] {
  /// The upper median; `nil` if the array is empty.
  fileprivate var median: Double? { isEmpty ? nil : sorted()[count / 2] }
}

extension ClosedRange<Double> {
  fileprivate func widened(by value: Double) -> Self { lowerBound - value...upperBound + value }
}
