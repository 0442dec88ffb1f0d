import TesseraLayout

/// Parses `(x,y,w,h) (x,y,w,h) …`.
func rects(_ text: String) -> [Rect] {
  text.split(separator: ")").compactMap { part in
    let numbers = part.drop { $0 != "(" }.dropFirst().split(separator: ",").compactMap {
      Double($0.filter { $0 != " " })
    }
    guard numbers.count == 4 else { return nil }
    return Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }
}

/// True if two lists of rectangles agree to `tolerance` pixels on each side.
func agree(_ a: [Rect], _ b: [Rect], within tolerance: Double) -> Bool {
  a.count == b.count
    && zip(a, b).allSatisfy { a, b in
      abs(a.x - b.x) <= tolerance && abs(a.y - b.y) <= tolerance
        && abs(a.width - b.width) <= tolerance && abs(a.height - b.height) <= tolerance
    }
}

/// Returns `count` items, numbered from 0, all with the same aspect ratio.
func people(_ count: Int, aspectRatio: Double? = 16.0 / 9.0) -> [LayoutItem] {
  (0..<count).map { LayoutItem(id: $0, sources: ["p\($0)"], aspectRatio: aspectRatio) }
}

/// Returns the frames that `policy` gives to `items`, unrounded, in the order of the items.
func frames(_ policy: any LayoutPolicy, _ size: Size, _ items: [LayoutItem], gap: Double = 0)
  -> [Rect]
{
  policy.prepare(LayoutContext(canvas: size, gap: gap, items: items)).attributes.map(\.frame)
}

let landscape = Size(width: 1280, height: 720)
let portrait = Size(width: 720, height: 1280)
