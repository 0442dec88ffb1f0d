import TesseraTimeline

/// Finds where recordings of the same sound lie against each other, and how their clocks differ.
///
/// The owner of each recording is looked for in every other one: what both hear of each other says
/// how their recordings lie, and the lags of all pairs have to agree.
package enum AlignSound {
  /// Where a recording lies.
  package struct Alignment: Hashable, Sendable {
    /// Where the recording's beginning lies in the reference, in seconds.
    package var offset = 0.0
    /// By how much the reference's clock runs faster than the recording's, in parts per million:
    /// second t of the recording lies at offset + t · (1 + ppm / 10⁶).
    package var partsPerMillion = 0.0
    /// By how much each of both hears the other late, in seconds; 0 where that is not to be seen.
    package var delay = 0.0
    /// The windows with sound in them whose waveforms were compared.
    package var windowCount = 0
    /// How many of them agree on the place.
    package var agreeingCount = 0
    /// Whether each hears the other. Otherwise the place is as late as the one hears the other.
    package var isMutual = false

    /// Whether it may well be one voice, which one of both may hear late.
    package var isOneVoice = false
    /// True if it is the recording's owner who is heard in the reference, as far as ``isMutual`` is false.
    var isHeardThere = true

    /// From 0, nothing in common, to 1, where all windows agree; 0.5 at most where it is not known
    /// who hears whom late.
    package var confidence: Double {
      let share = windowCount == 0 ? 0 : Double(agreeingCount) / Double(windowCount)
      return isMutual && !isOneVoice ? share : min(0.5, share)
    }

    /// Whether to rely on it.
    package var isSure: Bool { isMutual && AlignSound.isEnough(agreeingCount, of: windowCount) }
    /// Whether one hears the other at least.
    var isHeard: Bool { AlignSound.isEnough(agreeingCount, of: windowCount) }
  }

  /// Where a recording lies on a timeline: its time t at offset + t · rate, in seconds.
  package struct Place: Hashable, Sendable {
    package var offset = 0.0
    package var rate = 1.0

    package init(offset: Double = 0, rate: Double = 1) { (self.offset, self.rate) = (offset, rate) }

    /// Where time t lies.
    package func time(_ t: Double) -> Double { offset + t * rate }

    /// Where a recording lies that lies in this one as `inner` says.
    func of(_ inner: Place) -> Place {
      Place(offset: time(inner.offset), rate: rate * inner.rate)
    }

    /// Where the timeline lies in the recording.
    var inverse: Place { Place(offset: -offset / rate, rate: 1 / rate) }
  }

  /// What was found of one of several recordings.
  package struct Finding: Sendable {
    package var place = Place()
    /// The first of all recordings whose places are known relative to each other, this one's too.
    package var group: Int
    /// How sure the place is, from 0 to 1: as sure as the least sure pair on the way to the first.
    package var confidence = 0.0
    /// The recording that it is best compared with, and what came of it.
    package var best: (other: Int, alignment: Alignment)?
    /// Whether to rely on the place.
    package var isSure = false
    /// The moments at which the recording lacks samples. ``place`` is the place of its time with these gaps filled.
    package var gaps: [SampleGap] = []
  }

  /// The largest offset that is looked for, in seconds.
  package static let largestOffset = 600.0
  /// The largest difference of clocks, in parts per million.
  package static let largestDrift = 1000.0
  /// The latest that people are heard in each other's recordings, in seconds.
  package static let largestDelay = 1.5
  /// Less is too little to rely on. Windows of unlike sound agree one time in fourteen.
  package static let leastConfidence = 0.25
  /// So few windows may agree by chance.
  package static let leastAgreeing = 5

  /// A number that is not negative with that many decimals.
  package static func text(_ value: Double, _ decimals: Int) -> String {
    var unit = 1
    for _ in 0..<decimals { unit *= 10 }
    let scaled = Int(saturating: (value * Double(unit)).rounded())
    guard decimals > 0 else { return "\(scaled)" }
    let digits = String(scaled % unit)
    return "\(scaled / unit)." + String(repeating: "0", count: decimals - digits.count) + digits
  }

  /// Whether that many windows that agree are enough to rely on.
  static func isEnough(_ agreeing: Int, of count: Int) -> Bool {
    agreeing >= leastAgreeing && Double(agreeing) >= leastConfidence * Double(count)
  }

  /// Where `recordings` lie against each other, those in `fixed` being known. The owner of each is
  /// told by a number: recordings of one owner hold the same voice at once.
  ///
  /// - Returns: nil where `isCancelled`.
  package static func findings(
    _ recordings: [SoundSketch], owners: [Int], fixed: [Int: Place] = [:],
    isCancelled: () -> Bool = { false }
  ) -> [Finding]? {
    guard var matrix = AlignmentMatrix(recordings, owners, isCancelled),
      let gaps = matrix.mend(isCancelled)
    else { return nil }
    let edges = matrix.edges
    let graph = AlignmentGraph(
      matrix.sketches.map(\.seconds), owners: owners, fixed: fixed, edges)
    return recordings.indices.map { index in
      let group = graph.groups[index]
      let steps = graph.path(group, index).map { graph.tree[$0] }
      var finding = Finding(place: graph.places[index], group: group)
      let tried = edges.filter { $0.from == index || $0.to == index }
        .max { $0.confidence < $1.confidence }
      finding.best = (steps.last ?? tried).map { ($0.other(index), $0.alignment) }
      finding.confidence =
        (steps.map(\.confidence) + (steps.isEmpty ? [] : gaps[index].map(\.confidence))).min() ?? 0
      finding.isSure = !steps.isEmpty && steps.allSatisfy { $0.alignment.isSure && $0.isAgreed }
      finding.gaps = gaps[index]
      return finding
    }
  }

  /// Where `recording` lies in `reference`, which may be `ofOnePerson`. Without any sound in common
  /// the confidence is near 0.
  package static func align(
    _ recording: SoundSketch, to reference: SoundSketch, ofOnePerson: Bool = false
  ) -> Alignment {
    let owners = ofOnePerson ? [0, 0] : [0, 1]
    return AlignmentMatrix([reference, recording], owners) { false }?.edges.first?.alignment
      ?? Alignment()
  }

  /// Where a recording's beginning lies in another, in seconds, as far as their levels show, which
  /// ``VoiceAnalysis`` has; nil where they show nothing. Of each the first ten minutes count.
  package static func offset(of levels: [UInt8], in reference: [UInt8]) -> Double? {
    let (recording, reference) = (SoundSketch(levels: levels), SoundSketch(levels: reference))
    guard !recording.levels.isEmpty, !reference.levels.isEmpty else { return nil }
    let rough = AlignmentSearch.rough(AlignmentVoice(recording), in: AlignmentVoice(reference))
    return AlignmentSearch.line(through: rough, atLeast: leastAgreeing)?.offset
  }
}
