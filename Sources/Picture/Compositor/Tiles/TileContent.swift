package import TesseraPixels

/// The content of a tile at one time.
package enum TileContent: Sendable {
  /// No content: the background shows.
  case empty
  /// A plain color, in place of a missing picture.
  case fill(Color)
  /// A picture, placed by the tile's fit.
  case picture(Picture)
  /// A color with drawings, in place of a picture.
  case card(TileCard)
  /// A crossfade: each sample is the mean of both layers' samples, `to` with `weight` in 1/256,
  /// except that 255 means 1.
  case blend(from: TileLayer, to: TileLayer, weight: UInt8)
}

/// One of the contents that a tile shows; a crossfade has two.
package enum TileLayer: Hashable, Sendable {
  case fill(Color)
  /// A picture, placed by the tile's fit.
  case picture(Picture)
  /// A color with drawings.
  case card(TileCard)

  /// The layer's picture; `nil` for a color or card.
  var picture: Picture? {
    if case .picture(let picture) = self { picture } else { nil }
  }

  /// The layer's card; `nil` for a color or picture.
  var card: TileCard? {
    if case .card(let card) = self { card } else { nil }
  }

  /// The color of a fill or card; `nil` for a picture.
  var color: Color? {
    switch self {
    case .fill(let color): color
    case .card(let card): card.color
    case .picture: nil
    }
  }
}

/// The layers of a ``TileContent``: one, or two during a crossfade.
struct TileBlend {
  var first: TileLayer
  var second: TileLayer?
  /// The weight of the second layer in 1/256; 0 if there is none.
  var weight: UInt8 = 0

  /// Splits `content` into its layers; `nil` for ``TileContent/empty``.
  init?(_ content: TileContent) {
    switch content {
    case .empty: return nil
    case .fill(let color): first = .fill(color)
    case .picture(let picture): first = .picture(picture)
    case .card(let card): first = .card(card)
    case .blend(let from, _, weight: 0): first = from
    case .blend(_, let to, weight: 255): first = to
    case .blend(let from, let to, let weight): (first, second, self.weight) = (from, to, weight)
    }
  }
}
