package import TesseraPlan
import TesseraSoundtrack

/// The jobs of a plan and the resources that they need, for schedulers: what `tessera plan --json` prints.
package struct WorkNeeds: Codable, Sendable {
  /// The number of segments: the size of an array of tasks, each with `tessera segment --index K`.
  package var segments: Int
  /// True if `tessera soundtrack` has to run as well.
  package var hasSoundtrack: Bool
  /// The number of pieces of the sound, for an array of `tessera soundtrack --index K`, which may run before
  /// `tessera soundtrack`; 0 if the sound is made as a whole.
  package var soundPieces: Int
  /// The files that come of the plan; the main one, which `tessera stitch` names, is empty.
  package var outputs: [String]
  /// The bytes of memory that a task takes at most, about.
  package var memoryBytes: Int
  /// The bytes that all pieces take in the work folder, about.
  package var diskBytes: Int
  /// The seconds of processor time for each segment, about, on a processor of 3 GHz.
  package var segmentSeconds: [Double]
  /// The seconds of processor time for each piece of the sound, about.
  package var soundPieceSeconds: [Double]
  /// The seconds of processor time for the soundtrack, about, once its pieces are there.
  package var soundtrackSeconds: Double

  /// Nanoseconds for a pixel that is decoded, for one of the canvas that is composed and encoded with x264's default
  /// preset, and for a unit of the sound's cost; measured with 320x180 to 1920x1080 on one core.
  private static let (decoding, drawing, mixing) = (2.0, 7.0, 4.0)

  /// The needs of `work`.
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

  /// Nanoseconds as seconds with one decimal.
  private static func seconds(_ nanoseconds: Double) -> Double {
    (nanoseconds / 1e8).rounded(.up) / 10
  }
}
