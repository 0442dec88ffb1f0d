public import TesseraSoundtrack

/// What a render made and what each input contributed to it and lost.
public struct RenderReport: Sendable, Codable {
  /// The file.
  public var output: String
  /// Its length in seconds.
  public var duration: Double
  /// Its size in bytes.
  public var byteCount: Int
  /// Its frames.
  public var frameCount: Int
  /// How long it took, in seconds.
  public var elapsed: Double
  /// Luma and chroma samples that were written onto the canvas.
  public var pixelsWritten: Int
  /// What every input came to, in their order.
  public var inputs: [Input]

  /// What is worth knowing, but no loss; a sentence each.
  public var notes: [String]

  /// What one input came to.
  public struct Input: Sendable, Codable {
    /// What the participant is called.
    public var name: String
    /// The file.
    public var path: String
    /// The pictures; nil where there are none.
    public var pictures: PictureReport?
    /// The sound; nil where there is none.
    public var sound: VoiceReport?
    /// What was lost, a sentence each; empty for an input that was rendered whole.
    public var losses: [String]
  }

  /// Seconds of timeline rendered in a second.
  public var speed: Double { elapsed > 0 ? duration / elapsed : 0 }
  /// Whether anything was lost.
  public var hasLosses: Bool { inputs.contains { !$0.losses.isEmpty } }
}
