extension FlowLayout {
  /// The sizes of the items of one line.
  typealias Line = [Size]

  /// Breaks `sizes` into lines of the width `available`.
  func lines(_ sizes: [Size], _ available: Double) -> [Line] {
    var lines: [Line] = []
    var end = Double.infinity
    for size in sizes {
      if end + interitemSpacing + size.width > available + 1e-6 {
        lines.append([])
        end = -interitemSpacing
      }
      lines[lines.count - 1].append(size)
      end += interitemSpacing + size.width
    }
    return lines
  }

  /// Returns the total height of the lines with the spacing between them.
  func height(_ lines: [Line]) -> Double {
    lines.reduce(-lineSpacing) { $0 + lineSpacing + ($1.map(\.height).max() ?? 0) }
  }

  /// Returns the frames of the items of `lines` from `top` on, each centered in its line's height.
  /// Lines of fitted items are centered horizontally.
  func frames(_ lines: [Line], _ available: Double, top: Double) -> [Rect] {
    var frames: [Rect] = []
    var y = top
    var spacing = firstSpacing(lines, available)
    for (index, line) in lines.enumerated() {
      let justified = justifiedSpacing(line, available)
      spacing = index < lines.count - 1 ? justified ?? spacing : min(spacing, justified ?? spacing)
      let height = line.map(\.height).max() ?? 0
      let isAlone = line.count == 1 && available < 2 * line[0].width + interitemSpacing
      var x = inset + (isAlone ? (available - line[0].width) / 2 : 0)
      if itemSize == .fitted {
        spacing = interitemSpacing
        x = inset + (available + spacing - line.reduce(0) { $0 + $1.width + spacing }) / 2
      }
      for size in line {
        frames.append(
          Rect(x: x, y: y + (height - size.height) / 2, width: size.width, height: size.height))
        x += size.width + spacing
      }
      y += height + lineSpacing
    }
    return frames
  }

  /// Returns the spacing with which `line` extends from edge to edge; `nil` for a single item.
  private func justifiedSpacing(_ line: Line, _ available: Double) -> Double? {
    guard line.count > 1 else { return nil }
    return (available - line.reduce(0) { $0 + $1.width }) / Double(line.count - 1)
  }

  /// Returns the spacing of a full line whose items are as wide as the widest of the first line.
  private func firstSpacing(_ lines: [Line], _ available: Double) -> Double {
    guard let width = lines.first?.map(\.width).max(), width > 0 else { return interitemSpacing }
    let count = ((available + interitemSpacing) / (width + interitemSpacing)).rounded(.down)
    return count > 1 ? (available - count * width) / (count - 1) : interitemSpacing
  }
}
