package import TesseraPixels

/// What a tile shows.
package enum TileContent: Sendable {
  /// Nothing: the background shows.
  case empty
  /// A plain color, in place of a picture that is not there.
  case fill(Color)
  /// A picture, placed by the tile's fit.
  case picture(Picture)
  /// A color with drawings, in place of a picture.
  case card(Card)
  /// One thing on the way to another: each sample is the mean of what both would show, the second
  /// one's by `weight` in 1/256, but 255 for all of it.
  case blend(from: TileLayer, to: TileLayer, weight: UInt8)
}

/// One of the things that a tile shows.
package enum TileLayer: Hashable, Sendable {
  /// A plain color.
  case fill(Color)
  /// A picture, placed by the tile's fit.
  case picture(Picture)
  /// A color with drawings.
  case card(Card)

  /// The picture, if that is what it is.
  var picture: Picture? {
    if case .picture(let picture) = self { picture } else { nil }
  }

  /// The card, if that is what it is.
  var card: Card? {
    if case .card(let card) = self { card } else { nil }
  }

  /// The color below what a picture does not cover.
  var color: Color? {
    switch self {
    case .fill(let color): color
    case .card(let card): card.color
    case .picture: nil
    }
  }
}

/// What a tile shows, apart: one layer, and where it changes to another one, that and its weight.
struct TileLayers {
  var first: TileLayer
  var second: TileLayer?
  /// Of the second one, above 0.
  var weight: UInt8 = 0

  /// The layers of `content`; nil for none.
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
