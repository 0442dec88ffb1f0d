/// Where and how one item is drawn. Equal attributes mean that its tile need not be touched.
public struct LayoutAttributes: Hashable, Sendable, Codable {
  /// What stays the same while attributes change: the item, and which of its places.
  struct Key: Hashable {
    let id: LayoutItem.ID
    let instance: Int
  }

  /// Marks that a policy gives to its items. The lower 16 bits are this module's; a policy defined
  /// elsewhere declares its own from bit 16 on.
  public struct Traits: OptionSet, Hashable, Sendable, Codable {
    /// One bit for each mark.
    public let rawValue: UInt32

    /// The marks whose bits are set.
    public init(rawValue: UInt32) {
      self.rawValue = rawValue
    }

    /// The item at the center of a carousel.
    public static let center = Traits(rawValue: 1 << 0)
    /// The item in the large place.
    public static let large = Traits(rawValue: 1 << 1)
    /// The item whose tile does not say that its microphone is off.
    package static let withoutMicrophone = Traits(rawValue: 1 << 2)
    /// The item that has its border only to be told from what is under it.
    package static let edged = Traits(rawValue: 1 << 3)
  }

  /// A line drawn just inside the frame's edge.
  public struct Border: Hashable, Sendable, Codable {
    /// Its thickness in canvas pixels, above 0.
    public var width: Double
    /// Its color as 0xRRGGBB.
    public var color: UInt32

    /// A border `width` pixels thick in the color 0xRRGGBB.
    public init(width: Double, color: UInt32) {
      self.width = width
      self.color = color
    }
  }

  /// The item's identifier, ``LayoutItem/overflowID`` for the tile that counts the rest.
  public let id: LayoutItem.ID
  /// Which of the item's places this is, where a policy shows one item in several; below 0 is one
  /// that the item has left and that another dissolves over.
  public var instance: Int
  /// The rectangle before ``scale``, in canvas pixels.
  public var frame: Rect
  /// The opacity, 0...1.
  public var alpha: Double
  /// How much the frame is scaled about its center, above or equal 0.
  public var scale: Double
  /// Higher is in front; equal ones are drawn in the order of the items.
  public var zIndex: Int
  /// Whether the item is not drawn at all.
  public var isHidden: Bool
  /// How the picture fits, where the policy has a reason of its own; nil leaves it to the caller.
  public var fit: Fit?
  /// The shape with which the picture was placed, width over height; nil where it is not known.
  public var aspectRatio: Double?
  /// How much of the frame the picture covers, 0...1 (``Fit/Placement``): what the fit makes of its
  /// shape at rest unless the policy has a reason of its own, something between while the item
  /// moves; nil where the shape is not known.
  public var coverage: Double?
  /// The radius of the corners in canvas pixels, where the policy has a reason of its own.
  public var cornerRadius: Double?
  /// The border, where the policy has a reason of its own.
  public var border: Border?
  /// How many people the tile stands for; 0 for a person's own tile.
  public var overflowCount: Int
  /// The policy's marks.
  public var traits: Traits

  /// Attributes of the item `id` in `frame`, opaque, at full scale, unless more is said.
  public init(
    id: LayoutItem.ID, instance: Int = 0, frame: Rect, alpha: Double = 1, scale: Double = 1,
    zIndex: Int = 0,
    isHidden: Bool = false, fit: Fit? = nil, cornerRadius: Double? = nil, border: Border? = nil,
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

  var key: Key { Key(id: id, instance: instance) }

  /// The rectangle that is drawn: ``frame`` scaled by ``scale`` about its center.
  package var displayFrame: Rect { scale == 1 ? frame : frame.scaled(by: scale) }

  /// Whether anything of it can be seen.
  package var isVisible: Bool {
    !isHidden && alpha > 0 && scale > 0 && frame.width > 0 && frame.height > 0
  }

  /// Whether a pixel of it lies in `rect`: its edges are rounded as they are drawn.
  func isSeen(in rect: Rect, alignment: Int) -> Bool {
    let drawn = displayFrame.rounded(toMultiplesOf: alignment)
    return isVisible && drawn.width > 0 && drawn.height > 0 && drawn.intersects(rect)
  }
}

extension LayoutAttributes {
  /// The tile that counts `count` people in the place of `tile`.
  init(counting count: Int, on tile: LayoutAttributes) {
    self.init(
      id: LayoutItem.overflowID, frame: tile.frame, alpha: tile.alpha, scale: tile.scale,
      zIndex: tile.zIndex, cornerRadius: tile.cornerRadius, border: tile.border,
      overflowCount: count)
  }

  /// The attributes of `item` in `frame`: a screen is shown whole, an overflow tile carries its
  /// count.
  init(_ item: LayoutItem, frame: Rect, zIndex: Int = 0, fit: Fit? = nil, traits: Traits = []) {
    self.init(id: item.id, frame: frame, zIndex: zIndex, fit: fit, traits: traits)
    aspectRatio = item.aspectRatio
    switch item.kind {
    case .camera:
      if fit == nil, item.isFramed, Fit.holdsFace(item.plannedAspectRatio, in: frame.size) {
        self.fit = .cover
      }
    case .screen: self.fit = .contain
    case .overflow(let count): overflowCount = count
    }
  }
}
