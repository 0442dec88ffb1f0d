/// The position and appearance of one tile. Equal attributes mean that the tile need not be
/// redrawn.
public struct LayoutAttributes: Hashable, Sendable, Codable {
  /// The identity of a tile while its attributes change: the item and the number of its place.
  struct TileKey: Hashable {
    let id: LayoutItem.ID
    let instance: Int
  }

  /// Marks that a policy gives to its tiles. The lower 16 bits belong to this module; a policy
  /// defined elsewhere declares its own from bit 16 on.
  public struct Traits: OptionSet, Hashable, Sendable, Codable {
    /// The bit mask; one bit for each mark.
    public let rawValue: UInt32

    public init(rawValue: UInt32) {
      self.rawValue = rawValue
    }

    /// Marks the tile at the center of a carousel.
    public static let center = Traits(rawValue: 1 << 0)
    /// Marks the tile in the large place.
    public static let large = Traits(rawValue: 1 << 1)
    /// Marks a tile that does not show a muted-microphone sign.
    package static let withoutMicrophone = Traits(rawValue: 1 << 2)
    /// Marks a tile whose border only separates it from the tile below.
    package static let edged = Traits(rawValue: 1 << 3)
  }

  /// A line drawn just inside the frame's edge.
  public struct Border: Hashable, Sendable, Codable {
    /// The border's thickness in canvas pixels, above 0.
    public var width: Double
    /// The border's color as 0xRRGGBB.
    public var color: UInt32

    public init(width: Double, color: UInt32) {
      self.width = width
      self.color = color
    }
  }

  /// The item's identifier; ``LayoutItem/overflowID`` for the tile that counts items without a
  /// tile.
  public let id: LayoutItem.ID
  /// The number of the place if a policy shows one item several times. A negative number is a place
  /// that the item has left and over which another item dissolves.
  public var instance: Int
  /// The tile's rectangle before ``scale``, in canvas pixels.
  public var frame: Rect
  /// The opacity, `0...1`.
  public var alpha: Double
  /// The factor by which the frame is scaled about its center, at least 0.
  public var scale: Double
  /// The stacking order: higher is in front. Equal values are drawn in the order of the items.
  public var zIndex: Int
  /// True if the tile is not drawn at all.
  public var isHidden: Bool
  /// The fit that the policy demands; `nil` leaves it to the caller.
  public var fit: PictureFit?
  /// The aspect ratio (width over height) that the picture was placed with; `nil` if it is unknown.
  public var aspectRatio: Double?
  /// The fraction of the frame that the picture covers, `0...1` (``PictureFit/Placement``); `nil`
  /// if the aspect ratio is unknown.
  ///
  /// At rest the fit decides it, unless the policy sets it. During a motion it is interpolated.
  public var coverage: Double?
  /// The corner radius that the policy demands, in canvas pixels; `nil` leaves it to the caller.
  public var cornerRadius: Double?
  /// The border that the policy demands; `nil` leaves it to the caller.
  public var border: Border?
  /// The number of items without a tile that the overflow tile stands for; 0 for other tiles.
  public var overflowCount: Int
  /// The marks that the policy gave to the tile.
  public var traits: Traits

  /// Creates attributes of the item `id` in `frame`, by default opaque and at full scale.
  public init(
    id: LayoutItem.ID, instance: Int = 0, frame: Rect, alpha: Double = 1, scale: Double = 1,
    zIndex: Int = 0,
    isHidden: Bool = false, fit: PictureFit? = nil, cornerRadius: Double? = nil,
    border: Border? = nil,
    overflowCount: Int = 0, traits: Traits = []
  ) {
    self.id = id
    self.instance = instance
    self.frame = frame
    self.alpha = alpha
    self.scale = scale
    self.zIndex = zIndex
    self.isHidden = isHidden
    self.fit = fit
    self.cornerRadius = cornerRadius
    self.border = border
    self.overflowCount = overflowCount
    self.traits = traits
  }

  var key: TileKey { TileKey(id: id, instance: instance) }

  /// The rectangle to draw: ``frame`` scaled by ``scale`` about its center.
  package var displayFrame: Rect { scale == 1 ? frame : frame.scaled(by: scale) }

  /// True if the tile is not hidden, not fully transparent and not empty.
  package var isVisible: Bool {
    !isHidden && alpha > 0 && scale > 0 && frame.width > 0 && frame.height > 0
  }

  /// True if at least one pixel of the tile is in `rect` after its edges are rounded.
  func isSeen(in rect: Rect) -> Bool {
    let drawn = displayFrame.rounded()
    return isVisible && drawn.width > 0 && drawn.height > 0 && drawn.intersects(rect)
  }
}

extension LayoutAttributes {
  /// Creates the overflow tile that stands for `count` participants, in the place of `tile`.
  init(counting count: Int, on tile: LayoutAttributes) {
    self.init(
      id: LayoutItem.overflowID, frame: tile.frame, alpha: tile.alpha, scale: tile.scale,
      zIndex: tile.zIndex, cornerRadius: tile.cornerRadius, border: tile.border,
      overflowCount: count)
  }

  /// Creates the attributes of `item` in `frame` with the fit of its kind.
  ///
  /// A screen is shown whole. A camera cropped around a face covers its tile if that still shows
  /// the face. An overflow tile carries its count.
  init(
    _ item: LayoutItem, frame: Rect, zIndex: Int = 0, fit: PictureFit? = nil, traits: Traits = []
  ) {
    self.init(id: item.id, frame: frame, zIndex: zIndex, fit: fit, traits: traits)
    aspectRatio = item.aspectRatio
    switch item.kind {
    case .camera:
      if fit == nil, item.isFramed, PictureFit.holdsFace(item.plannedAspectRatio, in: frame.size) {
        self.fit = .cover
      }
    case .screen: self.fit = .contain
    case .overflow(let count): overflowCount = count
    }
  }
}
