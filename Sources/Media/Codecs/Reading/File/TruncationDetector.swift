import TesseraTimeline

/// Finds parts that a file declares but does not contain. The header declares the length. In a
/// damaged file, the other streams and the gaps between packets are evidence too.
struct TruncationDetector {
  let tracks: [MediaTrack]
  let streams: [StreamPackets]
  let stretches: [[ClockStretch]]
  /// True if reading detected damage. Otherwise gaps count as pauses.
  let isDamaged: Bool
  /// The number of bytes that the file declares but lacks at its end.
  let missingBytes: Int64
  let traits: ContainerTraits

  /// The shortest missing part that is reported. Shorter ones hardly matter, and headers are
  /// rounded.
  private static let shortest = ExactTime(1, over: 2)
  /// The maximum number of holes reported per stream; further ones are merged into the last.
  private static let mostHoles = 10

  /// A loss for each missing part that is longer than ``shortest``; none in chained recordings.
  var losses: [MediaLoss] {
    // In a chain of recordings it is unknown which recording a declared length concerns.
    guard tracks.allSatisfy({ $0.link == 0 && !$0.isCounted }) else { return [] }
    let end = tracks.map(\.end).max() ?? .zero
    let promisesStreams = traits.promisesStreams || traits.countsTicks
    let promised = promisesStreams ? nil : tracks.compactMap { self.promised($0) }.max()
    return tracks.flatMap { track -> [MediaLoss] in
      var until = promisesStreams ? self.promised(track) ?? track.end : track.end
      if let promised, promised - end > Self.shortest { until = promised }
      if isDamaged { until = max(until, end) }
      var parts = isDamaged ? holes(track) : []
      if until - track.end > Self.shortest { parts.append((track.end, until)) }
      return parts.map { MediaLoss(.missing, track.stream, start: $0.start, end: $0.end) }
    }
  }

  /// Returns the end of the track that the header declares; `nil` if it declares none, or more than
  /// a day.
  private func promised(_ track: MediaTrack) -> ExactTime? {
    guard let stream = streams.first(where: { $0.info.index == track.stream.index })
    else { return nil }
    // The declared length may include what an edit list excludes at the start.
    if !isDamaged, stream.packets.first?.isDiscarded == true { return nil }
    let end = traits.isEven ? evenEnd(track, stream) : headerEnd(track, stream)
    return end.flatMap { $0.rounded < MediaTime(seconds: 86_400) ? $0 : nil }
  }

  private func headerEnd(_ track: MediaTrack, _ stream: StreamPackets) -> ExactTime? {
    // Tick counts are written in advance and never corrected, so they count only in truncated
    // files.
    guard let ticks = stream.promisedEnd, track.clock.timeBase == stream.info.timeBase,
      !traits.countsTicks || missingBytes > 0
    else { return nil }
    return track.clock.time(ticks: ticks)
  }

  /// Returns the end of the track under the assumption that the missing bytes last as long as the
  /// existing ones.
  private func evenEnd(_ track: MediaTrack, _ stream: StreamPackets) -> ExactTime? {
    let held = stream.packets.reduce(Int64(0)) { $0 +| Int64($1.size) }
    guard missingBytes > 0, held > 0, missingBytes < 1 << 32 else { return nil }
    let length = Int128((track.end - track.start).rounded.nanoseconds)
    let more = length * Int128(missingBytes) / Int128(held)
    return track.end + ExactTime(MediaTime(nanoseconds: Int64(clamping: more)))
  }

  /// Returns the gaps in a stream that are too long to be regular distances between packets.
  private func holes(_ track: MediaTrack) -> [(start: ExactTime, end: ExactTime)] {
    guard let stream = streams.firstIndex(where: { $0.info.index == track.stream.index }),
      let stretch = stretches[stream].first(where: { $0.packets == track.packets }),
      let step = stretch.usualStep
    else { return [] }
    let longest = max(3 *| step, streams[stream].ticks(seconds: 1, over: 2))
    let sorted = stretch.shownTicks.sorted()
    var found = zip(sorted, sorted.dropFirst()).filter { $1 -| $0 > longest }.map {
      (start: track.clock.time(ticks: $0 +| step), end: track.clock.time(ticks: $1))
    }
    if found.count > Self.mostHoles, let last = found.last {
      found.removeSubrange(Self.mostHoles...)
      found[Self.mostHoles - 1].end = last.end
    }
    return found
  }
}
