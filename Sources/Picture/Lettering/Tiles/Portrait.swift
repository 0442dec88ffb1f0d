internal import TesseraCaptions
internal import TesseraLayout
import TesseraMessages
internal import TesseraPixels

/// A circle cut out of a disc where the next disc overlaps it.
struct Cutout {
  var x: Double
  var y: Double
  var radius: Double
}

extension LetteringRenderer {
  /// Draws a participant as a disc with its top left at (`x`, `y`): the avatar, otherwise the
  /// initials, otherwise a silhouette. `cutout` is relative to the disc's top left. `share` is the
  /// letters' size as a fraction of the diameter.
  func portrait(
    _ person: CardParticipant, diameter: Int, x: Int, y: Int, share: Double = 0.44,
    cutout: Cutout? = nil
  ) -> [DrawingGroup.Item] {
    let surface = CairoSurface(PixelSize(width: diameter, height: diameter))
    let radius = Double(diameter) / 2
    surface.circle(radius, radius, radius)
    if let avatar = avatar(person.avatar) {
      surface.scoped { surface in
        surface.clip()
        surface.draw(avatar, in: Self.covering(avatar.size, side: Double(diameter)))
      }
      cut(cutout, from: surface)
      return item(surface.image, x: x, y: y)
    }
    surface.fill()
    cut(cutout, from: surface)
    let disc = item(surface, color: ParticipantPalette.color(of: person.id), x: x, y: y)
    return disc + figure(person.name, diameter: diameter, share: share, x: x, y: y)
  }

  /// Draws the initials of `name` in the middle of a disc, or a silhouette if there are none.
  private func figure(
    _ name: String, diameter: Int, share: Double, x: Int, y: Int
  ) -> [DrawingGroup.Item] {
    let initials = Initials.of(name)
    guard let fit = fitted(initials, diameter: diameter, share: share) else {
      let side = even(Double(diameter) * 0.62)
      let inset = (diameter - side) / 2
      return sign(.person, side: side, color: .white, x: x + inset, y: y + inset)
    }
    var text = fit.text
    let limits = PixelRect(x: x, y: y, width: diameter, height: diameter)
    // Letters are centered without their marks, or an accent would push its letter down.
    let plain = TextSanitizer.withoutMarks(initials)
    let bare = fitted(plain, diameter: diameter, share: share)?.text
    // Stacked marks are left out.
    if let bare, text.ink.height > 2 * bare.ink.height { text = bare }
    let isSameWidth = bare.map { abs($0.ink.width - text.ink.width) <= text.ink.width / 8 }
    var ink = isSameWidth == true ? bare?.ink ?? text.ink : text.ink
    // Capitals are centered by the height of an H, so that the tail of a J or Q does not move them
    // up.
    if plain.unicodeScalars.allSatisfy(\.properties.isUppercase), let capital = line("H", fit.style)
    {
      ink = capital.ink
    }
    return items(
      text, color: .white, x: x + (diameter - text.ink.width) / 2 - text.ink.x,
      y: y + (diameter - ink.height) / 2 - ink.y, limits: limits)
  }

  /// Draws the initials at the fraction `share` of the disc's diameter, smaller if they are too
  /// large for the disc.
  private func fitted(
    _ initials: String, diameter: Int, share: Double
  ) -> (text: RenderedText, style: TextStyle)? {
    var style = style(Double(diameter) * share)
    guard let text = line(initials, style) else { return nil }
    let (width, height) = (Double(text.ink.width), Double(text.ink.height))
    let excess = (width * width + height * height).squareRoot() / (Double(diameter) * 0.8)
    guard excess > 1 else { return (text, style) }
    style.size /= excess
    return line(initials, style).map { ($0, style) }
  }

  private func cut(_ cutout: Cutout?, from surface: borrowing CairoSurface) {
    guard let cutout else { return }
    surface.erasing { surface in
      surface.circle(cutout.x, cutout.y, cutout.radius)
      surface.fill()
    }
  }

  /// Returns the rectangle of a picture that covers a square. Wide pictures show their middle; tall
  /// ones show more of the top, where heads are.
  private static func covering(_ size: PixelSize, side: Double) -> Rect {
    let (width, height) = (Double(size.width), Double(size.height))
    let scale = side / min(width, height)
    return Rect(
      x: (side - width * scale) / 2, y: (side - height * scale) / 3, width: width * scale,
      height: height * scale)
  }

  private func avatar(_ path: String?) -> ColorImage? {
    guard let path, let images else { return nil }
    if let known = avatars[path] { return known }
    var image: ColorImage?
    do throws(ImageFileError) {
      let loaded = try images.image(at: path, longestSide: Self.longestSide(.avatar))
      loaded.note.map(note)
      image = loaded.image
    } catch {
      note("\(error) Initials are shown instead.")
    }
    avatars[path] = image
    return image
  }
}
