import TesseraTimeline

/// Aligns recordings of one event by their sound: offsets and clock drift between recordings.
///
/// The voice of each recording's owner is searched for in every other recording. What two
/// recordings hear of each other gives their lag, and the lags of all pairs have to be consistent.
package enum SoundAligner {
  /// The position of one recording relative to a reference recording.
  package struct Alignment: Hashable, Sendable {
    /// The time in the reference at which the recording begins, in seconds.
    package var offset = 0.0
    /// The clock drift: by how much the reference's clock runs faster than the recording's, in
    /// parts per million. Second t of the recording is at offset + t · (1 + ppm / 10⁶) of the
    /// reference.
    package var partsPerMillion = 0.0
    /// The delay with which each microphone hears the other's owner, in seconds; 0 if it cannot be
    /// measured.
    package var delay = 0.0
    /// The number of windows with sound whose waveforms were compared.
    package var windowCount = 0
    /// The number of compared windows that agree with ``offset`` and ``partsPerMillion``.
    package var agreeingCount = 0
    /// True if each recording hears the other's owner. If false, only one direction is heard, and
    /// ``offset`` includes the unknown delay of that direction.
    package var isMutual = false

    /// True if both recordings may contain a single voice, so that it is unknown which recording
    /// hears that voice late.
    package var isOneVoice = false
    /// True if the reference hears the recording's owner; false if the recording hears the
    /// reference's owner. Meaningful only if ``isMutual`` is false.
    var isHeardThere = true

    /// The confidence from 0 (nothing in common) to 1 (all windows agree). It is at most 0.5 if the
    /// direction of the delay is unknown.
    package var confidence: Double {
      let share = windowCount == 0 ? 0 : Double(agreeingCount) / Double(windowCount)
      return isMutual && !isOneVoice ? share : min(0.5, share)
    }

    /// True if the alignment is reliable: mutual, with enough windows that agree.
    package var isSure: Bool { isMutual && SoundAligner.isEnough(agreeingCount, of: windowCount) }
    /// True if at least one recording hears the other's owner.
    var isHeard: Bool { SoundAligner.isEnough(agreeingCount, of: windowCount) }
  }

  /// The placement of a recording on a timeline: time t of the recording is at offset + t · rate,
  /// in seconds.
  package struct Position: Hashable, Sendable {
    package var offset = 0.0
    package var rate = 1.0

    package init(offset: Double = 0, rate: Double = 1) { (self.offset, self.rate) = (offset, rate) }

    /// Maps time `t` of the recording to the timeline, in seconds.
    package func time(_ t: Double) -> Double { offset + t * rate }

    /// Composes two placements: the timeline placement of a recording that has the placement
    /// `inner` in this recording.
    func of(_ inner: Position) -> Position {
      Position(offset: time(inner.offset), rate: rate * inner.rate)
    }

    /// The inverse mapping, from timeline to recording.
    var inverse: Position { Position(offset: -offset / rate, rate: 1 / rate) }
  }

  /// The alignment result of one of several recordings.
  package struct Finding: Sendable {
    package var place = Position()
    /// The group of recordings with known relative placements, as the index of its first member. A
    /// recording without any match is a group of its own.
    package var group: Int
    /// The confidence of ``place`` from 0 to 1: the least confidence of all pairs on the path to
    /// the group's first recording.
    package var confidence = 0.0
    /// The recording that this recording is best compared with, and the alignment with it; `nil` if
    /// no pair was compared.
    package var best: (other: Int, alignment: Alignment)?
    /// True if ``place`` is reliable.
    package var isSure = false
    /// The moments at which the recording lacks samples. ``place`` applies to the recording's time
    /// after these gaps are filled with silence.
    package var gaps: [SampleGap] = []
  }

  /// The largest offset that is searched, in seconds.
  package static let largestOffset = 600.0
  /// The largest clock drift that is accepted, in parts per million.
  package static let largestDrift = 1000.0
  /// The longest delay with which a microphone hears a distant speaker, in seconds.
  package static let largestDelay = 1.5
  /// The least confidence that is reliable. In windows of unrelated sound, one of fourteen agrees
  /// by chance.
  package static let leastConfidence = 0.25
  /// The least number of windows that have to agree; fewer may agree by chance.
  package static let leastAgreeing = 5

  /// Formats a non-negative number with a fixed number of decimals.
  package static func text(_ value: Double, _ decimals: Int) -> String {
    var unit = 1
    for _ in 0..<decimals { unit *= 10 }
    let scaled = Int(saturating: (value * Double(unit)).rounded())
    guard decimals > 0 else { return "\(scaled)" }
    let digits = String(scaled % unit)
    return "\(scaled / unit)." + String(repeating: "0", count: decimals - digits.count) + digits
  }

  /// True if `agreeing` windows of `count` are enough to rely on an alignment.
  static func isEnough(_ agreeing: Int, of count: Int) -> Bool {
    agreeing >= leastAgreeing && Double(agreeing) >= leastConfidence * Double(count)
  }

  /// Aligns `recordings` with each other and finds the gaps in them.
  ///
  /// - Parameters:
  ///   - recordings: The sound of each recording.
  ///   - owners: A number for each recording's owner. Recordings of one owner hold the same voice
  ///     at the same time.
  ///   - fixed: Known placements by recording index; these recordings are not moved.
  ///   - isCancelled: Checked between pairs of recordings.
  /// - Returns: a finding for each recording, or `nil` if `isCancelled` returned `true`.
  package static func findings(
    _ recordings: [AlignmentAudio], owners: [Int], fixed: [Int: Position] = [:],
    isCancelled: () -> Bool = { false }
  ) -> [Finding]? {
    guard var matrix = AlignmentMatrix(recordings, owners, isCancelled),
      let gaps = matrix.mend(isCancelled)
    else { return nil }
    let edges = matrix.edges
    let graph = AlignmentGraph(
      matrix.audio.map(\.seconds), owners: owners, fixed: fixed, edges)
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

  /// Estimates the offset of a recording in a reference from their level curves alone (see
  /// ``VoiceAnalysis``).
  ///
  /// Only the first ten minutes of each are compared.
  ///
  /// - Returns: the offset in seconds, or `nil` if the curves do not match anywhere.
  package static func offset(of levels: [UInt8], in reference: [UInt8]) -> Double? {
    let (recording, reference) = (AlignmentAudio(levels: levels), AlignmentAudio(levels: reference))
    guard !recording.levels.isEmpty, !reference.levels.isEmpty else { return nil }
    let rough = AlignmentSearch.rough(AlignmentVoice(recording), in: AlignmentVoice(reference))
    return AlignmentSearch.line(through: rough, atLeast: leastAgreeing)?.offset
  }
}
