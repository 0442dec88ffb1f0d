public import TesseraLayout
import TesseraMedia
import TesseraPixels
public import TesseraTimeline

/// Where somebody's recordings begin on the timeline.
public struct PersonOffset: Hashable, Sendable {
  /// Who, named as in ``RenderRequest/local``.
  public var person: String
  /// Where; what lies before zero is cut off.
  public var time: MediaTime

  /// `person`'s recordings begin at `time`.
  public init(person: String, time: MediaTime) { (self.person, self.time) = (person, time) }
}

/// What somebody wants rendered, before anything is known of the files.
public struct RenderRequest: Sendable {
  /// The recordings, one participant each, all beginning together.
  public var inputs: [String]
  /// What is to be made.
  public var output: OutputFormat
  /// Who goes where.
  public var layout: any LayoutPolicy
  /// The canvas where one of its sides is left to the layout; nil takes the output's size.
  public var size: ProposedSize?
  /// The distance between tiles in pixels; nil is 0.6 % of the canvas's short side.
  public var gap: Double?
  /// How the layout moves when somebody comes or leaves.
  public var transition = Transition.standard
  /// The most tiles that are shown at once; the last one stands for everyone else.
  public var maximumTiles = 25
  /// Who is the local participant: a file's name with or without its extension, its path, or its
  /// number from 1; nil is the first.
  public var local: String?
  /// Who is large, named as in ``local``; nil leaves it to the layout.
  public var focus: String?
  /// Whose recordings begin elsewhere than all others', and where.
  public var offsets: [PersonOffset] = []
  /// What lies over the tiles.
  public var overlays = OverlayRequest()
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

  /// The lengths in pixels that a side of the canvas can have, if it is even.
  public static let canvasSides = 16...8192
}
