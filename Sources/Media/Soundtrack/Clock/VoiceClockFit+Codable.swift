/// Coding of a run as an array of numbers, because a voice with many gaps has many runs.
extension VoiceClockFit.ContinuousRun: Codable {
  /// The largest distance of a run's start from zero: 200 years of samples.
  private static let farthest: Int64 = 300_000_000_000_000

  package init(from decoder: any Decoder) throws {
    var row = try decoder.unkeyedContainer()
    self.init(
      firstBlock: try row.decode(Int.self), start: try row.decode(Int64.self),
      paces: [])
    while !row.isAtEnd {
      let offset = try row.decode(Double.self)
      paces.append(VoiceClockFit.SpeedSegment(offset: offset, ratio: try row.decode(Double.self)))
    }
    if paces.isEmpty { paces = [VoiceClockFit.SpeedSegment(offset: 0, ratio: 1)] }
    guard 0...Int(Int32.max) ~= firstBlock, -Self.farthest...Self.farthest ~= start,
      paces[0].offset == 0,
      paces.allSatisfy({ 0...1e15 ~= $0.offset && VoiceClockFit.ratios ~= $0.ratio })
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
