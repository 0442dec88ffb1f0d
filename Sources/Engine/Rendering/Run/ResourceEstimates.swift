package import TesseraPlan

/// The jobs of a plan and the resources that they need, for schedulers: the output of `tessera plan
/// --json`.
package struct ResourceEstimates: Codable, Sendable {
  /// Number of sections: the size of an array of tasks `tessera segment --index K`.
  package var segments: Int
  /// True if `tessera soundtrack` has to run, too.
  package var hasSoundtrack: Bool
  /// Number of pieces of the sound: the size of an array of tasks `tessera soundtrack --index K`,
  /// which may run before `tessera soundtrack`; 0 if the sound is made as a whole.
  package var soundPieces: Int
  /// The paths of all outputs. The main one, whose path is an argument of `tessera stitch`, is
  /// empty.
  package var outputs: [String]
  /// Estimated peak memory of a task, in bytes.
  package var memoryBytes: Int
  /// Estimated size of all pieces in the work folder, in bytes.
  package var diskBytes: Int
  /// Estimated seconds of processor time for each section, on a 3 GHz processor.
  package var segmentSeconds: [Double]
  /// Estimated seconds of processor time for each piece of the sound.
  package var soundPieceSeconds: [Double]
  /// Estimated seconds of processor time for the soundtrack, after its pieces are finished.
  package var soundtrackSeconds: Double

  /// Nanoseconds per decoded pixel, per canvas pixel that is composed and encoded with x264's
  /// default preset, and per unit of the sound's cost. Measured with 320×180 to 1920×1080 on one
  /// core.
  private static let (decoding, drawing, mixing) = (2.0, 7.0, 4.0)

  /// Estimates the jobs, processor time, memory and disk space that `work` needs.
  package init(_ work: WorkPlan) {
    segments = work.sections.count
    hasSoundtrack = !work.soundtracks.isEmpty
    soundPieces = work.soundPieceCount
    soundPieceSeconds = work.soundPieceCosts.map { Self.seconds($0 * Self.mixing) }
    outputs = work.renditions.map(\.output)
    (memoryBytes, diskBytes) = (work.workerMemory, work.diskEstimate)
    segmentSeconds = work.sections.map { section in
      var (decoded, drawn) = (0.0, 0.0)
      for (numbers, rendition) in zip(section.segments, work.renditions) {
        let costs = rendition.costs[numbers]
        decoded = max(decoded, costs.reduce(0) { $0 + $1.decoded + $1.preroll })
        drawn += costs.reduce(0) { $0 + $1.drawn }
      }
      return Self.seconds(decoded * Self.decoding + drawn * Self.drawing)
    }
    soundtrackSeconds = Self.seconds(work.soundtrackCost * Self.mixing)
  }

  /// Converts nanoseconds to seconds, rounded up to one decimal.
  private static func seconds(_ nanoseconds: Double) -> Double {
    (nanoseconds / 1e8).rounded(.up) / 10
  }
}
