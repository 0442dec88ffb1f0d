import TesseraPlan
public import TesseraTimeline

/// How far a render has come.
public struct RenderProgress: Hashable, Sendable {
  /// What is being done.
  public enum Phase: String, Hashable, Sendable, Codable {
    /// Pictures are composed and encoded, and beside them the sound.
    case pictures
    /// Only sound is left to mix.
    case sound
    /// Everything is made and joined into one file.
    case joining
    /// Each person's sound is written into a file of its own.
    case stems
  }

  /// What is being done.
  public var phase: Phase
  /// The part of the work that is done, with the sound and the joining: 0..<1 until there is a
  /// report.
  public var fraction: Double
  /// How many frames are composed and given to the encoder.
  public var frames: Int
  /// How many frames there are.
  public var frameCount: Int
  /// How many of the frames were there from an earlier run.
  public var reused = 0
  /// How much of the timeline is rendered.
  public var rendered: MediaTime
  /// How long the rendered part of the timeline will be.
  public var total: MediaTime
  /// Seconds since rendering began.
  public var elapsed: Double
  /// Seconds until the end, from what the parts of the call have taken so far; nil before anything
  /// was measured.
  public var remaining: Double?
  /// The processor time that workers have taken for sound; 0 where that is unknown.
  package var soundProcessorSeconds = 0.0

  /// Seconds of timeline rendered in a second, not counting what was there before.
  public var speed: Double {
    guard elapsed > 0, frameCount > 0 else { return 0 }
    return total.seconds * Double(max(0, frames - reused)) / Double(frameCount) / elapsed
  }
}
