public import TesseraTimeline

/// How far a render has come.
public struct RenderProgress: Hashable, Sendable {
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

  /// The part that is done, 0...1.
  public var fraction: Double { frameCount > 0 ? Double(frames) / Double(frameCount) : 1 }
  /// Seconds of timeline rendered in a second, not counting what was there before.
  public var speed: Double {
    guard elapsed > 0, frameCount > 0 else { return 0 }
    return total.seconds * Double(max(0, frames - reused)) / Double(frameCount) / elapsed
  }
}
