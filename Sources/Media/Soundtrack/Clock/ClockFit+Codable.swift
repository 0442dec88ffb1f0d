/// Coding of a fit. The data may come from a compromised worker process, so decoding validates
/// every invariant.
extension ClockFit: Codable {
  private enum CodingKeys: CodingKey {
    case runs, partsPerMillion, jitterMilliseconds, refusedPartsPerMillion
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      runs: try values.decode([Run].self, forKey: .runs),
      partsPerMillion: try values.decode(Double.self, forKey: .partsPerMillion),
      jitterMilliseconds: try values.decode(Double.self, forKey: .jitterMilliseconds),
      refusedPartsPerMillion: try values.decode(Double.self, forKey: .refusedPartsPerMillion))
    guard runs.first?.firstBlock == 0,
      zip(runs, runs.dropFirst()).allSatisfy({ $0.firstBlock < $1.firstBlock })
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .runs, in: values, debugDescription: "runs follow each other from block 0 on")
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(runs, forKey: .runs)
    try values.encode(partsPerMillion, forKey: .partsPerMillion)
    try values.encode(jitterMilliseconds, forKey: .jitterMilliseconds)
    try values.encode(refusedPartsPerMillion, forKey: .refusedPartsPerMillion)
  }
}

/// Coding of a run as an array of numbers, because a voice with many gaps has many runs.
extension ClockFit.Run: Codable {
  /// The largest distance of a run's start from zero: 200 years of samples.
  private static let farthest: Int64 = 300_000_000_000_000

  package init(from decoder: any Decoder) throws {
    var row = try decoder.unkeyedContainer()
    self.init(
      firstBlock: try row.decode(Int.self), start: try row.decode(Int64.self),
      paces: [])
    while !row.isAtEnd {
      let offset = try row.decode(Double.self)
      paces.append(ClockFit.SpeedSegment(offset: offset, ratio: try row.decode(Double.self)))
    }
    if paces.isEmpty { paces = [ClockFit.SpeedSegment(offset: 0, ratio: 1)] }
    guard 0...Int(Int32.max) ~= firstBlock, -Self.farthest...Self.farthest ~= start,
      paces[0].offset == 0,
      paces.allSatisfy({ 0...1e15 ~= $0.offset && ClockFit.ratios ~= $0.ratio })
    else {
      throw DecodingError.dataCorruptedError(in: row, debugDescription: "no run of samples")
    }
  }

  package func encode(to encoder: any Encoder) throws {
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
