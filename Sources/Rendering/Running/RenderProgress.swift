public import TesseraTimeline

/// How far a render has come.
public struct RenderProgress: Hashable, Sendable {
  /// How many frames are composed and given to the encoder.
  public var frames: Int
  /// How many frames there are.
  public var frameCount: Int
  /// How much of the timeline is rendered.
  public var rendered: MediaTime
  /// How long the rendered part of the timeline will be.
  public var total: MediaTime
  /// Seconds since rendering began.
  public var elapsed: Double

  /// The part that is done, 0...1.
  public var fraction: Double { frameCount > 0 ? Double(frames) / Double(frameCount) : 1 }
  /// Seconds of timeline rendered in a second.
  public var speed: Double { elapsed > 0 ? rendered.seconds / elapsed : 0 }
  /// Seconds until the end at this speed; nil before there is one.
  public var remaining: Double? {
    frames > 0 ? elapsed / Double(frames) * Double(frameCount - frames) : nil
  }
}
