import TesseraTimeline

/// Coded, a timeline names each set of attributes once and refers to it by number: thousands of
/// changes among a few places take little room.
extension AttributeTimeline: Codable {
  private enum CodingKeys: CodingKey { case transition, palette, spans, strays, hidden, wanted }

  /// A span whose attributes are numbers: start, from and to of every motion, rest.
  private struct Numbered: Codable {
    var start: MediaTime
    var motions: [Int]
    var rest: [Int]
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
      Numbered(
        start: span.start, motions: span.motions.flatMap { [number($0.from), number($0.to)] },
        rest: span.rest.map(number))
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(transition, forKey: .transition)
    try container.encode(palette, forKey: .palette)
    try container.encode(numbered, forKey: .spans)
    try container.encode(strays, forKey: .strays)
    try container.encode(hidden, forKey: .hidden)
    try container.encode(wanted.sorted(), forKey: .wanted)
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let palette = try container.decode([LayoutAttributes].self, forKey: .palette)
    let numbered = try container.decode([Numbered].self, forKey: .spans)
    guard
      numbered.allSatisfy({ span in
        span.motions.count.isMultiple(of: 2)
          && (span.motions + span.rest).allSatisfy(palette.indices.contains)
      })
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .spans, in: container, debugDescription: "a span refers to nothing")
    }
    self.init(
      transition: try container.decode(Transition.self, forKey: .transition),
      strays: try container.decode([Strays].self, forKey: .strays),
      hidden: try container.decode([Hidden].self, forKey: .hidden),
      wanted: Set(try container.decode([LayoutItem.ID].self, forKey: .wanted)))
    for span in numbered {
      let motions = stride(from: 0, to: span.motions.count, by: 2).map {
        Motion(from: palette[span.motions[$0]], to: palette[span.motions[$0 + 1]])
      }
      append(Span(start: span.start, motions: motions, rest: span.rest.map { palette[$0] }))
    }
  }
}
