public import TesseraTimeline

/// The progress of a render.
public struct RenderProgress: Hashable, Sendable {
  /// A phase of a render.
  public enum Phase: String, Hashable, Sendable, Codable {
    /// Composes and encodes pictures, and mixes the sound beside them.
    case pictures
    /// Mixes the remaining sound.
    case sound
    /// Joins the finished pieces into the output.
    case joining
    /// Writes each participant's sound into a file of its own.
    case stems
  }

  public var phase: Phase
  /// The finished share of all work, including sound and joining. Below 1 until the report is
  /// complete.
  public var fraction: Double
  /// Number of frames that are composed and submitted to the encoder.
  public var frames: Int
  /// Number of frames of all outputs.
  public var frameCount: Int
  /// Number of frames that were reused from an earlier run.
  public var reused = 0
  /// The rendered duration of the timeline.
  public var rendered: MediaTime
  /// The duration of the output.
  public var total: MediaTime
  /// Seconds since the start of the render.
  public var elapsed: Double
  /// Predicted seconds until the end; nil before anything was measured.
  public var remaining: Double?
  /// The processor time that workers have spent on sound, in seconds; 0 if unknown.
  package var soundProcessorSeconds = 0.0

  /// Seconds of output rendered per second, without reused frames.
  public var speed: Double {
    guard elapsed > 0, frameCount > 0 else { return 0 }
    return total.seconds * Double(max(0, frames - reused)) / Double(frameCount) / elapsed
  }
}
