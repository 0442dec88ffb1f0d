import TesseraCompositor
import TesseraLettering
import TesseraPixels
import TesseraPlan
import TesseraTimeline

/// The drawings on tiles as sprites for the compositor. They are created once, before rendering.
struct DrawingSprites {
  private let look: PlanDrawings
  private let sprites: SpriteSet
  private let cards: [TileTimeline.Card: TileCard]

  init(_ input: SegmentInput) {
    look = input.look.value
    let decorations = look.plates.values.flatMap(\.groups) + (look.microphoneOff?.groups ?? [])
    let sprites = SpriteSet(
      decorations + look.cards.values.flatMap(\.art.groups), from: input.art)
    self.sprites = sprites
    cards = look.cards.mapValues { TileCard($0, sprites) }
  }

  /// Returns the appearance of `card`; nil if it was not drawn during planning.
  func card(_ card: TileTimeline.Card) -> TileCard? { cards[card] }

  /// Returns the sprites for a tile, or for an area of the tile with `size` that begins at `first`.
  func decorations(
    _ decorations: TileTimeline.Decorations, on size: PixelSize,
    from first: (x: Int, y: Int) = (0, 0)
  ) -> [SpritePlacement] {
    func draws(_ groups: [DrawingGroup]?, opacity: Double = 1) -> [SpritePlacement] {
      (groups ?? []).compactMap { group in
        let origin = group.origin(in: size)
        return sprites[group].map {
          SpritePlacement($0, x: first.x + origin.x, y: first.y + origin.y, opacity: opacity)
        }
      }
    }
    let text = PlanDrawings.PlateText(name: decorations.name, isScreen: decorations.isScreen)
    let opacity = Double(decorations.plateOpacity) / 255
    return (opacity > 0 ? draws(look.plates[text]?.groups(for: size), opacity: opacity) : [])
      + (decorations.isMuted ? draws(look.microphoneOff?.groups(for: size)) : [])
  }

  /// Returns the active speaker's frame on a tile of `size`; nil if such tiles have none.
  func highlight(on size: PixelSize) -> HighlightFrame? {
    look.highlights.last { $0.step.fits(size) }?.frame
  }
}

extension TileCard {
  fileprivate convenience init(_ look: PlanDrawings.CardStyle, _ sprites: SpriteSet) {
    let steps = look.art.steps.map { step in
      Step(
        least: PixelSize(width: max(step.step.side, step.step.room), height: step.step.side),
        parts: step.groups.compactMap { group in
          sprites[group].map { PlacedDrawing($0, in: group) }
        })
    }
    self.init(color: look.background, steps: steps)
  }
}

extension TileCard.PlacedDrawing {
  /// Anchors the sprite of `group` at a point of the tile, from which it keeps its distance.
  fileprivate init(_ sprite: Sprite, in group: DrawingGroup) {
    let (fractionX, fractionY) = (group.anchor.fractionX, group.anchor.fractionY)
    self.init(
      sprite: sprite, anchorX: fractionX, anchorY: fractionY,
      x: group.x - Int(saturating: (fractionX * Double(group.size.width)).rounded()),
      y: group.y - Int(saturating: (fractionY * Double(group.size.height)).rounded()))
  }
}
