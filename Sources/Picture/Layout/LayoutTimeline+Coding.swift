import TesseraTimeline

/// Encodes a timeline compactly: every distinct set of attributes is stored once in a palette and
/// referred to by index.
///
/// Thousands of changes among a few positions take little room. A scrolling tile is an array of
/// numbers: the palette index of its constant attributes and the values that change per frame
/// (``moved(_:_:)``).
extension LayoutTimeline: Codable {
  private enum CodingKeys: CodingKey {
    case transition, frameRate, palette, spans, strays, hidden, wanted
  }

  /// A span with attributes as palette indexes: start time, pairs of `from` and `to` for each
  /// motion, scroll steps and rest.
  private struct CompactSpan: Codable {
    var start: MediaTime
    var motions: [Int]
    var steps: [[[Double]]]?
    var rest: [Int]
  }

  /// Returns a scrolling tile's attributes as 8 or 9 numbers.
  ///
  /// They are: the palette index, from `number`, of the constant attributes; z-index; x, y, width,
  /// height; alpha; scale; and coverage if it is known.
  private func moved(
    _ attributes: LayoutAttributes, _ number: (LayoutAttributes) -> Int
  ) -> [Double] {
    var still = attributes
    still.frame = Size(width: 0, height: 0).bounds
    (still.alpha, still.scale, still.zIndex, still.coverage) = (1, 1, 0, nil)
    let frame = attributes.frame
    return [
      Double(number(still)), Double(attributes.zIndex), frame.x, frame.y, frame.width,
      frame.height, attributes.alpha, attributes.scale,
    ] + [attributes.coverage].compactMap(\.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var palette: [LayoutAttributes] = []
    var numbers: [LayoutAttributes: Int] = [:]
    func number(_ attributes: LayoutAttributes) -> Int {
      if let known = numbers[attributes] { return known }
      numbers[attributes] = palette.count
      palette.append(attributes)
      return palette.count - 1
    }
    let numbered = spans.map { span in
      CompactSpan(
        start: span.start, motions: span.motions.flatMap { [number($0.from), number($0.to)] },
        steps: span.steps.isEmpty ? nil : span.steps.map { $0.map { moved($0, number) } },
        rest: span.rest.map(number))
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(transition, forKey: .transition)
    try container.encode(frameRate, forKey: .frameRate)
    try container.encode(palette, forKey: .palette)
    try container.encode(numbered, forKey: .spans)
    try container.encode(offCanvasItems, forKey: .strays)
    try container.encode(hidden, forKey: .hidden)
    try container.encode(wanted.sorted(), forKey: .wanted)
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let palette = try container.decode([LayoutAttributes].self, forKey: .palette)
    let numbered = try container.decode([CompactSpan].self, forKey: .spans)
    guard
      numbered.allSatisfy({ span in
        span.motions.count.isMultiple(of: 2)
          && (span.motions + span.rest).allSatisfy(palette.indices.contains)
          && (span.steps ?? []).joined().allSatisfy {
            (8...9).contains($0.count) && palette.indices.contains(Int(saturating: $0[0]))
          }
      })
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .spans, in: container, debugDescription: "a span refers to nothing")
    }
    self.init(
      transition: try container.decode(LayoutTransition.self, forKey: .transition),
      frameRate: try container.decode(FrameRate.self, forKey: .frameRate),
      offCanvasItems: try container.decode([OffCanvasItems].self, forKey: .strays),
      hidden: try container.decode([HiddenItems].self, forKey: .hidden),
      wanted: Set(try container.decode([LayoutItem.ID].self, forKey: .wanted)))
    for span in numbered {
      let motions = stride(from: 0, to: span.motions.count, by: 2).map {
        Motion(from: palette[span.motions[$0]], to: palette[span.motions[$0 + 1]])
      }
      let steps = (span.steps ?? []).map { step in
        step.map { numbers in
          var tile = palette[Int(saturating: numbers[0])]
          tile.frame = Rect(x: numbers[2], y: numbers[3], width: numbers[4], height: numbers[5])
          (tile.alpha, tile.scale) = (numbers[6], numbers[7])
          tile.zIndex = Int(saturating: numbers[1])
          tile.coverage = numbers.count > 8 ? numbers[8] : nil
          return tile
        }
      }
      append(
        Span(
          start: span.start, motions: motions, steps: steps, rest: span.rest.map { palette[$0] }))
    }
  }
}
