public import Layout
import Media
import Pixels
public import Timeline

/// What somebody wants rendered, before anything is known of the files.
public struct RenderRequest: Sendable {
  /// The recordings, one participant each, all beginning together.
  public var inputs: [String]
  /// What is to be made.
  public var output: OutputFormat
  /// Who goes where.
  public var layout: any LayoutPolicy
  /// The distance between tiles in pixels; nil is 0.6 % of the canvas's short side.
  public var gap: Double?
  /// Where the rendered part begins.
  public var from: MediaTime?
  /// Where the rendered part ends.
  public var to: MediaTime?

  /// All of `inputs` in a grid.
  public init(inputs: [String], output: OutputFormat, layout: any LayoutPolicy = GridLayout()) {
    self.inputs = inputs
    self.output = output
    self.layout = layout
  }

  /// The distance between tiles in whole pixels.
  var gapInPixels: Double {
    let size = output.video.size
    return gap ?? (Double(min(size.width, size.height)) * 0.006).rounded()
  }
}
