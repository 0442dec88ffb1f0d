import TesseraCodecs
import TesseraMessages
import TesseraPixels
import TesseraProof
import TesseraTimeline

/// Compares the pictures of a file with the composed ones in its proof.
struct PictureCheck {
  private let proof: OutputProof.Pictures
  private let rate: Double
  private var expected: ExpectedMeasurementReader
  private let frames: Range<Int>
  /// The number of the last frame seen.
  private var last: Int
  /// The frames of the last half second, composed and decoded.
  private var history: [(number: Int, expected: CanvasMeasurements, measured: CanvasMeasurements)] =
    []
  private var places: DeviationRunMerger<Bool>
  private var order: FrameOrderCheck
  private var motion = MotionMeter()
  private var tiles: DeviationRunMerger<TileFault>
  private var stills: DeviationRunMerger<Int>
  private var canvas: CanvasCheck
  private var names: DeviationRunMerger<Int>
  private var isMeasurable = true
  /// The sum of the deviations of all cells, and their number.
  private var total: (sum: Double, count: Double) = (0, 0)

  /// A deviation of one tile: another slot's picture, black, or something different.
  private struct TileFault: Hashable {
    var slot: Int
    var fault: Fault
    enum Fault: Hashable {
      case other(Int)
      case black, differs
    }
  }

  /// Tolerances for composed and decoded pictures, in 8-bit levels unless stated otherwise.
  enum Limit {
    /// The fraction of a frame's duration by which a PTS may be off.
    static let place = 0.25
    /// The mean deviation of a large tile's cells, in levels. Small tiles have a higher limit.
    static let tile = 8.0
    /// The levels by which another tile's composed cells have to be closer to count as the one
    /// shown.
    static let other = 4.0
    /// The change of a tile within half a second, in levels, that makes a freeze visible, and the
    /// fraction of it that still counts as a freeze.
    static let (change, still) = (3.0, 0.2)
    /// The highest luma that counts as black.
    static let black: UInt8 = 20
    /// The least sharpness of a name plate to check, and the fraction of it that has to remain.
    static let (detail, kept) = (12.0, 0.5)
  }

  /// Creates a check against `proof`, limited to `seconds` of the output; `nil` for all of it.
  init(_ proof: OutputProof.Pictures, seconds: Range<Int>? = nil) {
    self.proof = proof
    let rate = Double(proof.frameRate.numerator) / Double(proof.frameRate.denominator)
    self.rate = rate
    frames =
      seconds.map {
        Int(
          (Double($0.lowerBound) * rate).rounded(.up))..<min(
            proof.frameCount, Int((Double($0.upperBound) * rate).rounded(.up)))
      } ?? 0..<proof.frameCount
    last = frames.lowerBound - 1
    expected = ExpectedMeasurementReader(proof)
    let half = max(1, Int(rate / 2))
    order = FrameOrderCheck(rate: rate)
    (places, tiles) = (DeviationRunMerger(patience: 1), DeviationRunMerger(patience: half / 2))
    (stills, names) = (DeviationRunMerger(patience: half), DeviationRunMerger(patience: 2 * half))
    canvas = CanvasCheck(rate: rate)
  }

  /// Checks the picture that `playback` shows at `time`.
  mutating func see(
    _ playback: borrowing FilePlayer, at time: ExactTime?, _ verdict: inout VerificationReport
  ) {
    guard let time else { return verdict.note(.frames, "a picture has no time") }
    let exact = time.seconds * rate
    let number = Int(exact.rounded())
    guard number >= 0, number < proof.frameCount else {
      return verdict.note(
        .frames, from: time.seconds,
        "a picture is outside of the \(proof.frameCount) composed frames")
    }
    guard frames.contains(number) else { return }
    if abs(exact - Double(number)) > Limit.place {
      places.add(true, number, abs(exact - Double(number)))
    }
    guard number > last else {
      return verdict.note(
        .frames, from: seconds(number),
        number == last ? "a frame occurs twice" : "a frame comes after a later one")
    }
    missing(last + 1, number, &verdict)
    let follows = number == last + 1
    last = number
    guard let marks = expected.go(to: number), isMeasurable else { return }
    let hasOverview = marks.overview != nil
    let size = proof.size
    var change: Double?
    let shown = playback.withPicture { luma, blue, red -> CanvasMeasurements? in
      guard luma.size == size else { return nil }
      change = motion.see(luma)
      return CanvasMeasurements(
        marks.tiles, luma: luma, blue: blue, red: red, overview: hasOverview)
    }
    guard let shown else {
      isMeasurable = false
      return verdict.note(.canvas, "the pixels are not those of a canvas (4:2:0, 8 bits)")
    }
    guard let measured = shown else {
      isMeasurable = false
      return verdict.note(
        .container, "pictures are not \(size.width)x\(size.height) pixels large")
    }
    compare(number, marks, measured, motion: follows ? change : nil)
    report(before: number, &verdict)
  }

  /// Reports the last runs, missing frames and the mean deviation.
  mutating func finish(_ verdict: inout VerificationReport) {
    missing(last + 1, frames.upperBound, &verdict)
    report(before: nil, &verdict)
    verdict.look(at: .frames, "\(last + 1) of \(proof.frameCount) frames")
    for subject in [VerificationReport.Subject.order, .people, .motion, .canvas, .names] {
      verdict.look(at: subject)
    }
    canvas.finish(end: seconds(proof.frameCount), &verdict)
    guard total.count > 0 else { return }
    let mean = (total.sum / total.count * 100).rounded() / 100
    verdict.look(at: .people, "cells deviate by \(mean) levels on average")
  }

  private func seconds(_ frame: Int) -> Double { Double(frame) / rate }

  private mutating func missing(_ first: Int, _ end: Int, _ verdict: inout VerificationReport) {
    guard first < end else { return }
    verdict.note(
      .frames, from: seconds(first), to: seconds(end),
      end - first == 1 ? "a frame is missing" : "\(end - first) frames are missing",
      measured: Double(end - first), limit: 0)
  }

  // MARK: Comparing

  private mutating func compare(
    _ number: Int, _ marks: CanvasMeasurements, _ measured: CanvasMeasurements, motion: Double?
  ) {
    total.sum += CellMeanDistance.distance(measured.cells, marks.cells)
    total.count += Double(marks.cells.count)
    order.see(
      number, of: expected, marks, measured, motion: motion,
      noise: total.sum / max(1, total.count))
    compareTiles(number, marks, measured)
    compareMotion(number, marks, measured)
    if let expected = marks.overview, let found = measured.overview {
      canvas.see(number, expected, found)
      compareNames(number, marks, expected, found)
    }
    history.append((number, marks, measured))
    if history.count > max(1, Int(rate / 2)) { history.removeFirst() }
  }

  private mutating func compareTiles(
    _ number: Int, _ marks: CanvasMeasurements, _ measured: CanvasMeasurements
  ) {
    let count = ProofTile.cellCount
    for (place, tile) in marks.tiles.enumerated() {
      let cells = place * count..<(place + 1) * count
      let deviation = CellMeanDistance.distance(measured.cells, marks.cells, cells) / Double(count)
      guard deviation > Limit.tile / 2 else { continue }
      let cellArea = Double(tile.area.width * tile.area.height) / Double(count)
      let limit = Limit.tile + 40 / cellArea.squareRoot()
      let own = measured.cells[cells]
      let others = marks.tiles.indices.filter { marks.tiles[$0].slot != tile.slot }.map { other in
        (
          slot: marks.tiles[other].slot,
          deviation: CellMeanDistance.distance(
            Array(own), Array(marks.cells[other * count..<(other + 1) * count])) / Double(count)
        )
      }
      if let other = others.min(by: { $0.deviation < $1.deviation }),
        other.deviation + Limit.other < deviation, other.deviation < deviation / 2
      {
        tiles.add(TileFault(slot: tile.slot, fault: .other(other.slot)), number, deviation)
      } else if deviation > limit {
        let isBlack = own.allSatisfy { $0 <= Limit.black }
        tiles.add(
          TileFault(slot: tile.slot, fault: isBlack ? .black : .differs), number, deviation)
      }
    }
  }

  /// Finds frozen tiles: tiles without motion although the composed ones change.
  private mutating func compareMotion(
    _ number: Int, _ marks: CanvasMeasurements, _ measured: CanvasMeasurements
  ) {
    guard let before = history.first, before.expected.tiles == marks.tiles else { return }
    let count = ProofTile.cellCount
    for (place, tile) in marks.tiles.enumerated() {
      let cells = place * count..<(place + 1) * count
      let wanted =
        CellMeanDistance.distance(marks.cells, before.expected.cells, cells) / Double(count)
      guard wanted >= Limit.change else { continue }
      let found =
        CellMeanDistance.distance(measured.cells, before.measured.cells, cells) / Double(count)
      if found <= Limit.still * wanted { stills.add(tile.slot, number, wanted) }
    }
  }

  private mutating func compareNames(
    _ number: Int, _ marks: CanvasMeasurements, _ expected: CanvasMeasurements.Overview,
    _ found: CanvasMeasurements.Overview
  ) {
    for (place, tile) in marks.tiles.enumerated() {
      let (wanted, seen) = (Double(expected.details[place]), Double(found.details[place]))
      if wanted >= Limit.detail, seen < Limit.kept * wanted {
        names.add(tile.slot, number, wanted - seen)
      }
    }
  }

  // MARK: Findings

  private func person(_ slot: Int) -> String {
    guard slot < proof.slots.count else { return "nobody" }
    return proof.slots[slot].name + (proof.slots[slot].isScreen ? "'s screen" : "")
  }

  private mutating func report(before number: Int?, _ verdict: inout VerificationReport) {
    for (_, run) in places.ended(before: number) {
      verdict.note(
        .frames, from: seconds(run.first), to: seconds(run.last + 1),
        "times differ from those of the frames", measured: run.worst, limit: Limit.place)
    }
    order.report(before: number, &verdict)
    for (fault, run) in tiles.ended(before: number) {
      // A deviation in a single frame has to be large.
      guard run.count > 1 || run.worst > 2 * Limit.tile else { continue }
      let text: UserMessage =
        switch fault.fault {
        case .other(let other): "the tile shows \(person(other))"
        case .black: "the tile is black"
        case .differs: "the tile does not show what was composed"
        }
      verdict.note(
        .people, from: seconds(run.first), to: seconds(run.last + 1), text,
        person: person(fault.slot), measured: run.worst, limit: Limit.tile)
    }
    let half = max(1, Int(rate / 2))
    // Encoders skip changes that last only a few frames, so short freezes are not reported.
    for (slot, run) in stills.ended(before: number) where Double(run.count) >= rate / 5 {
      verdict.note(
        .motion, from: seconds(max(0, run.first - half)), to: seconds(run.last + 1),
        "the picture stands still", person: person(slot), measured: run.worst, limit: Limit.change)
    }
    canvas.report(before: number, &verdict)
    for (slot, run) in names.ended(before: number) {
      verdict.note(
        .names, from: seconds(run.first), to: seconds(run.last + 1), "the name cannot be read",
        person: person(slot), measured: run.worst, limit: Limit.detail)
    }
  }
}
