/// A voice with many gaps has many runs: each is a row of numbers.
extension ClockFit.Run: Codable {
  public init(from decoder: any Decoder) throws {
    var row = try decoder.unkeyedContainer()
    self.init(
      firstBlock: try row.decode(Int.self), start: try row.decode(Int64.self),
      paces: [])
    while !row.isAtEnd {
      let offset = try row.decode(Double.self)
      paces.append(ClockFit.Pace(offset: offset, ratio: try row.decode(Double.self)))
    }
    if paces.isEmpty { paces = [ClockFit.Pace(offset: 0, ratio: 1)] }
  }

  public func encode(to encoder: any Encoder) throws {
    var row = encoder.unkeyedContainer()
    try row.encode(firstBlock)
    try row.encode(start)
    guard !isPlain else { return }
    for pace in paces {
      try row.encode(pace.offset)
      try row.encode(pace.ratio)
    }
  }
}
