internal import TesseraCaptions
internal import TesseraLayout
package import TesseraPixels
package import TesseraTimeline

extension LetteringRenderer {
  /// The purpose for which a picture is loaded.
  package enum ImageUse {
    case avatar
    /// A watermark, or a track that is a still picture.
    case picture(on: PixelSize)
    case backdrop(on: PixelSize)
  }

  /// Returns the largest longer side in pixels of a picture loaded for `use`.
  package static func longestSide(_ use: ImageUse) -> Int {
    switch use {
    case .avatar: 1024
    case .picture(let canvas): max(canvas.width, canvas.height)
    case .backdrop(let canvas): 2 * max(canvas.width, canvas.height)
    }
  }

  /// Loads a watermark from the file at `path`.
  ///
  /// `height` is a fraction of the canvas's height (`0...1`). The width is at most 0.8 of the
  /// canvas's. `opacity` is in `0...1`.
  package func watermark(
    _ path: String, on canvas: PixelSize, place: CanvasPosition = CanvasPosition(.bottomRight),
    opacity: Double = 1, height: Double = 0.08
  ) throws(ImageFileError) -> DrawingGroup {
    let image = try load(path, for: .picture(on: canvas))
    return picture(image, on: canvas, place: place, opacity: opacity, height: height)
  }

  private func load(_ path: String, for use: ImageUse) throws(ImageFileError) -> ColorImage {
    guard let images else {
      throw ImageFileError(path: path, reason: .unreadable("nothing here opens pictures"))
    }
    let loaded = try images.image(at: path, longestSide: Self.longestSide(use))
    loaded.note.map(note)
    return loaded.image
  }

  /// Loads a background from the file at `path`. The picture covers the canvas and is cropped to
  /// its middle.
  package func backdrop(_ path: String, on canvas: PixelSize) throws(ImageFileError) -> DrawingGroup
  {
    let image = try load(path, for: .backdrop(on: canvas))
    let scale = max(
      Double(canvas.width) / Double(image.width), Double(canvas.height) / Double(image.height))
    let (width, height) = (Double(image.width) * scale, Double(image.height) * scale)
    let surface = CairoSurface(canvas)
    surface.draw(
      image,
      in: Rect(
        x: (Double(canvas.width) - width) / 2, y: (Double(canvas.height) - height) / 2,
        width: width, height: height))
    return DrawingGroup(
      anchor: .topLeft, x: 0, y: 0, size: canvas, items: item(surface.image, x: 0, y: 0))
  }

  /// Loads a still picture from the file at `path`, scaled down only if it is larger than the
  /// canvas.
  package func still(_ path: String, on canvas: PixelSize) throws(ImageFileError) -> DrawingGroup {
    let image = try load(path, for: .picture(on: canvas))
    return DrawingGroup(
      anchor: .topLeft, x: 0, y: 0, size: image.size, items: item(image, x: 0, y: 0))
  }

  /// Places `image` on the canvas like a watermark; see ``watermark(_:on:place:opacity:height:)``.
  package func picture(
    _ image: ColorImage, on canvas: PixelSize, place: CanvasPosition, opacity: Double = 1,
    height: Double
  ) -> DrawingGroup {
    let shape = Double(image.width) / Double(image.height)
    let tall = Double(canvas.height) * max(0, min(1, height))
    let rows = max(1, min(tall, Double(canvas.width) * 0.8 / shape))
    let size = PixelSize(
      width: max(1, Int(min(rows * shape, Double(canvas.width) * 0.8).rounded())),
      height: max(1, Int(rows.rounded())))
    let surface = CairoSurface(size)
    surface.draw(image, in: surface.bounds)
    let drawn = surface.image.faded(to: opacity)
    return group(item(drawn, x: 0, y: 0), surface.size, at: place, canvas: canvas)
  }

  /// Draws text on the canvas, on a plate like that of names; `nil` if there is no text. `height`
  /// is the letters' size as a fraction of the canvas's height.
  package func label(
    _ text: String, on canvas: PixelSize, place: CanvasPosition, height: Double = 0.03
  ) -> DrawingGroup? {
    let size = max(11, Double(canvas.height) * max(0, min(1, height)))
    let padding = Int((size * 0.66).rounded())
    let room = Double(canvas.width) * 0.9 - Double(2 * padding)
    guard let text = line(text, style(size, theme.plate.weight), maximumWidth: room) else {
      return nil
    }
    let rows = max(Int((size * 0.95).rounded()) * 2, text.ink.height + 4)
    let box = PixelSize(width: text.ink.width + 2 * padding, height: rows)
    let top = Int((Double(rows) / 2 + size * 0.357 - text.baseline).rounded())
    let under = max(0, top + text.ink.maxY + 2 - rows)
    let over = max(0, 2 - top - text.ink.y)
    let items =
      self.box(
        PixelRect(box), radius: theme.plate.roundness * Double(rows) / 2,
        color: theme.plate.color, opacity: theme.plate.opacity)
      + items(
        text, color: theme.plate.textColor, x: padding - text.ink.x, y: top - under + over,
        limits: PixelRect(box))
    return group(items, box, at: place, canvas: canvas)
  }

  /// Draws a title card over the whole canvas: the first line of `text` large, the others smaller
  /// below it. Without text the card is empty.
  package func titleCard(
    _ text: String, on canvas: PixelSize, from: MediaTime, to: MediaTime,
    fade: MediaTime = MediaTime(nanoseconds: 500_000_000)
  ) -> CanvasOverlay {
    let lines = TextSanitizer.lines(text)
    let shorter = Double(min(canvas.width, canvas.height))
    let color = theme.background
    let bright: Color = color.contrast(to: .white) > 4.5 ? .white : Color(rgb: 0x1b1f26)
    let title = lines.first.flatMap {
      paragraph([$0], style(shorter * 0.09, .bold), room: canvas, lines: 3)
    }
    let rest = lines.dropFirst()
    let subtitle =
      rest.isEmpty
      ? nil : paragraph(Array(rest), style(shorter * 0.042), room: canvas, lines: 4)
    let gap = title != nil && subtitle != nil ? Int(shorter * 0.05) : 0
    let size = PixelSize(
      width: max(1, title?.ink.width ?? 0, subtitle?.ink.width ?? 0),
      height: max(1, (title?.ink.height ?? 0) + gap + (subtitle?.ink.height ?? 0)))
    var items: [DrawingGroup.Item] = []
    for (part, top, color) in [
      (title, 0, bright),
      (subtitle, (title?.ink.height ?? 0) + gap, bright.mixed(with: color, share: 0.25)),
    ] {
      guard let part else { continue }
      items += self.items(
        part, color: color, x: (size.width - part.ink.width) / 2 - part.ink.x, y: top - part.ink.y,
        limits: PixelRect(size))
    }
    let group = DrawingGroup(anchor: .center, x: 0, y: 0, size: size, items: items)
    return CanvasOverlay(from: from, to: to, fade: fade, fill: color, groups: [group])
  }

  private func paragraph(
    _ text: [String], _ style: TextStyle, room: PixelSize, lines: Int
  ) -> RenderedText? {
    wrapped(text, style, width: Double(room.width) * 5 / 6, lines: lines)
  }
}

extension CairoSurface {
  /// The rectangle of the whole surface.
  var bounds: Rect {
    Rect(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
  }
}

extension ColorImage {
  /// Returns the picture with all pixels multiplied by `opacity` (`0...1`).
  func faded(to opacity: Double) -> ColorImage {
    guard opacity < 1 else { return self }
    return ColorImage(
      width: width, height: height, bytes: bytes.map { UInt8(Double($0) * max(0, opacity) + 0.5) })
  }
}
