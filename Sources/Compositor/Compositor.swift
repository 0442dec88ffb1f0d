internal import Layout
public import Pixels

/// Draws scenes onto canvases, touching only what changed.
public struct Compositor: ~Copyable {
  private let kernels: Kernels
  private let filter: ResampleFilter

  /// A compositor that scales with `filter`.
  public init(kernels: Kernels = Kernels(), filter: ResampleFilter = .bicubic) {
    self.kernels = kernels
    self.filter = filter
  }

  /// Brings `canvas` to show `scene` with `frames`.
  ///
  /// - Precondition: the canvas has the scene's size, and every tile's item is in `frames`.
  public mutating func compose(
    _ scene: Scene, _ frames: FrameSet, onto canvas: inout Canvas
  ) -> ComposeStatistics {
    precondition(canvas.size == scene.size)
    var statistics = ComposeStatistics()
    let whole = PixelRect(scene.size)
    fill(scene.background, whole, &canvas)
    for tile in scene.tiles {
      let area = PixelRect(
        x: Int((tile.frame.x + 0.5).rounded(.down)), y: Int((tile.frame.y + 0.5).rounded(.down)),
        width: Int((tile.frame.maxX + 0.5).rounded(.down))
          - Int((tile.frame.x + 0.5).rounded(.down)),
        height: Int((tile.frame.maxY + 0.5).rounded(.down))
          - Int((tile.frame.y + 0.5).rounded(.down)))
      statistics.tilesRedrawn += 1
      statistics.lumaPixels += area.size.area
      switch frames.contents[tile.item] {
      case .empty: break
      case .fill(let color): fill(color, area.intersection(whole), &canvas)
      case .picture(let picture):
        draw(picture, area, area.intersection(whole), &canvas)
      }
    }
    return statistics
  }

  private func fill(_ color: Color, _ area: PixelRect, _ canvas: inout Canvas) {
    let sample = color.canvasSample
    for (index, value) in [sample.luma, sample.blue, sample.red].enumerated() {
      let part = index == 0 ? area : area.chroma
      let plane = canvas.image[plane: index]
      for y in part.y..<part.maxY {
        for x in part.x..<part.maxX { plane[x, y] = value }
      }
    }
  }

  private func draw(
    _ picture: Picture, _ area: PixelRect, _ clip: PixelRect, _ canvas: inout Canvas
  ) {
    for (index, source) in [picture.luma, picture.blue, picture.red].enumerated() {
      let all = index == 0 ? area : area.chroma
      let part = index == 0 ? clip : clip.chroma
      let plane = canvas.image[plane: index]
      for y in part.y..<part.maxY {
        for x in part.x..<part.maxX {
          let column = (x - all.x) * source.size.width / all.width
          let row = (y - all.y) * source.size.height / all.height
          plane[x, y] = source[column, row]
        }
      }
    }
  }
}
