import Foundation

/// The result of a render benchmark: all times, and the ratios of Tessera to ffmpeg.
struct RenderBenchmarkResult: Codable {
  /// The cost of one render, in seconds.
  struct Cost: Codable {
    /// Wall-clock time.
    var wall: Double
    /// Processor time, user and system.
    var processor: Double
  }

  /// One render by each program, and the cost of the codecs alone if it was measured.
  struct RunPair: Codable {
    var tessera: Cost
    var ffmpeg: Cost
    var floor: Cost?
  }

  var clips: Int
  var pairs: [RunPair]
  /// The number of distinct source pictures that Tessera shows.
  var distinctPicturesOfTessera: Int
  var distinctPicturesOfFFmpeg: Int
  /// The median over the pairs of ffmpeg's wall-clock time divided by Tessera's.
  var wallRatio: Double
  /// The median over the pairs of ffmpeg's processor time divided by Tessera's.
  var processorRatio: Double
  /// The median over the pairs of Tessera's processor time divided by that of the codecs alone;
  /// `nil` if it was not measured.
  var floorRatio: Double?

  init(
    clips: Int, pairs: [RunPair], distinctPicturesOfTessera: Int, distinctPicturesOfFFmpeg: Int
  ) {
    self.clips = clips
    self.pairs = pairs
    self.distinctPicturesOfTessera = distinctPicturesOfTessera
    self.distinctPicturesOfFFmpeg = distinctPicturesOfFFmpeg
    wallRatio = Self.median(pairs.map { $0.ffmpeg.wall / $0.tessera.wall })
    processorRatio = Self.median(pairs.map { $0.ffmpeg.processor / $0.tessera.processor })
    let floors = pairs.compactMap { pair in pair.floor.map { pair.tessera.processor / $0.processor }
    }
    floorRatio = floors.isEmpty ? nil : Self.median(floors)
  }

  private static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2)
      ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  /// The medians as a table for the terminal.
  var table: String {
    let row = { (name: String, costs: [Cost], pictures: Int) in
      let wall = Self.median(costs.map(\.wall))
      let processor = Self.median(costs.map(\.processor))
      return "\(name)  " + String(format: "%8.2f %12.2f %10d", wall, processor, pictures)
    }
    let floor = floorRatio.map {
      "\nIt takes \(String(format: "%.2f", $0)) times the processor time of decoding and encoding alone."
    }
    return """
      \(clips) clips, medians of \(pairs.count) renders each
                 wall s  processor s   pictures
      \(row("tessera", pairs.map(\.tessera), distinctPicturesOfTessera))
      \(row("ffmpeg ", pairs.map(\.ffmpeg), distinctPicturesOfFFmpeg))
      Tessera is \(String(format: "%.2f", wallRatio)) times as fast by the clock and takes \
      \(String(format: "%.0f", 100 / processorRatio)) % of the processor time.\(floor ?? "")
      """
  }
}
