package import TesseraPixels
package import TesseraSystem
package import TesseraTimeline

/// Samples pictures of a track at intervals: keyframes, which decode alone, and pictures in between
/// where keyframes are far apart.
///
/// Between keyframes, only reference pictures are decoded, without the loop filter: good enough for
/// face detection, not for display.
package struct PictureSamplingPlan: Hashable, Sendable, Codable {
  /// A range of packets that is decoded independently.
  package struct Sample: Hashable, Sendable, Codable {
    /// The number of the keyframe at which decoding starts.
    var first: Int
    /// The number after that of the last packet to decode.
    var end: Int
  }

  /// The ranges to decode, in ascending order.
  package private(set) var looks: [Sample] = []

  /// The intended time between sampled pictures.
  private let distance: MediaTime

  /// The time by which a reference picture may come after the intended time.
  private static let slack = MediaTime(nanoseconds: 250_000_000)

  /// Plans samples of `source` about `distance` apart.
  ///
  /// - Parameters:
  ///   - source: The track to sample.
  ///   - distance: The time between samples. Where keyframes are about that close, only keyframes
  ///     are decoded.
  ///   - parts: The times that matter, relative to the start of the file; outside of them, only
  ///     keyframes are sampled. `nil` is everywhere.
  package init(
    of source: PictureSource, every distance: MediaTime, within parts: [TimeRange]? = nil
  ) {
    self.distance = distance
    let (index, packets) = (source.index, source.track.packets)
    let keyframes = index.keyframes.map(Int.init).filter {
      packets.contains($0) && index.isShown($0)
    }
    var last: MediaTime?
    for (place, keyframe) in keyframes.enumerated() {
      let time = source.time(of: keyframe).rounded
      let next = place + 1 < keyframes.count ? keyframes[place + 1] : packets.upperBound
      let until =
        next < packets.upperBound ? source.time(of: next).rounded : source.track.end.rounded
      if let last, time - last < distance, until - last <= distance + distance { continue }
      // A picture just before the next keyframe adds little.
      var sought = until - time - MediaTime(nanoseconds: distance.nanoseconds / 2)
      if let parts {
        let part = parts.last { $0.start < until && $0.end > time }
        sought = min(sought, (part?.end ?? time) - time)
      }
      let steps = steps(in: sought)
      let latest = time + MediaTime(nanoseconds: steps *| distance.nanoseconds)
      var end = keyframe + 1
      while steps > 0, end < next, source.time(of: end).rounded < latest + Self.slack { end += 1 }
      looks.append(Sample(first: keyframe, end: end))
      last = latest
    }
  }

  /// Returns the number of times that ``distance`` fits into `time`.
  private func steps(in time: MediaTime) -> Int64 {
    max(0, time.nanoseconds / max(1, distance.nanoseconds))
  }

  /// Decodes the samples and calls `body` with the packet number and the picture of each. Pictures
  /// that cannot be decoded are skipped.
  ///
  /// - Throws: ``MediaError`` if the file or its decoder cannot be opened.
  package func read(
    _ source: PictureSource, cancellation: Cancellation, _ body: (Int, Picture) -> Void
  ) throws(MediaError) {
    guard let first = looks.first, let video = source.track.stream.video else { return }
    var packets = try source.openPackets(from: first.first, cancellation)
    defer { _ = FFmpegLog.takeLastLine() }
    do throws(FFmpegError) {
      let decoder = try source.openDecoder(
        packets, from: first.first, isCoarse: looks.contains { $0.end - $0.first > 1 }, cancellation
      )
      var converter = PictureConverter(
        stream: video, background: source.background, path: source.path)
      let packet = try Packet.allocate()
      let frame = try Frame.allocate()
      var (next, sought) = (0, MediaTime.zero)
      while next < looks.count, !cancellation.isCancelled,
        let number = try packets.read(into: packet)
      {
        while next < looks.count, looks[next].end <= number { next += 1 }
        guard next < looks.count, looks[next].first <= number else {
          packet.clear()
          continue
        }
        let look = looks[next]
        if number == look.first { sought = source.time(of: number).rounded }
        _ = try? decoder.send(packet, number: number)
        packet.clear()
        if number == look.end - 1 { decoder.finish() }
        while (try? decoder.receive(into: frame)) == true {
          if let packet = frame.packet, source.index.ticks.indices.contains(packet),
            !frame.lacksReferences, source.time(of: packet).rounded >= sought,
            let picture = try? converter.picture(from: frame)
          {
            body(packet, picture)
            let steps = steps(in: source.time(of: packet).rounded - sought) +| 1
            sought = sought + MediaTime(nanoseconds: steps *| distance.nanoseconds)
          }
          frame.clear()
        }
        if number == look.end - 1 { decoder.flush() }
      }
    } catch {
      throw MediaError(path: source.path, reason: .nothingDecodable(error.words))
    }
  }
}
