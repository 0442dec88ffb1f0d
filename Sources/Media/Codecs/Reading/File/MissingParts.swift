import TesseraTimeline

/// Finds what a file promises and does not hold: its header says how long it is, and of a damaged
/// file the streams say so of each other, and of the times between their own packets.
struct MissingParts {
  let tracks: [MediaTrack]
  let streams: [StreamFacts]
  let stretches: [[Stretch]]
  /// Whether reading shows that something is wrong with the file. Else pauses are pauses.
  let isDamaged: Bool
  /// How many bytes the file lacks at its end, as far as it says.
  let missingBytes: Int64
  let traits: ContainerTraits

  /// What is shorter hardly counts, and headers are rounded.
  private static let shortest = ExactTime(1, over: 2)
  /// The most holes of a stream that are reported one by one.
  private static let mostHoles = 10

  /// A loss for each missing part, with its interval.
  var losses: [MediaLoss] {
    // Of recordings one after the other, nobody knows to which a promise belongs.
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

  /// Where the header says that the track ends; nil where it does not, or says what no call is.
  private func promised(_ track: MediaTrack) -> ExactTime? {
    guard let stream = streams.first(where: { $0.info.index == track.stream.index })
    else { return nil }
    // What an edit leaves out at the beginning may be counted, too.
    if !isDamaged, stream.packets.first?.isDiscarded == true { return nil }
    let end = traits.isEven ? evenEnd(track, stream) : headerEnd(track, stream)
    return end.flatMap { $0.rounded < MediaTime(seconds: 86_400) ? $0 : nil }
  }

  private func headerEnd(_ track: MediaTrack, _ stream: StreamFacts) -> ExactTime? {
    // Nobody corrects what is counted before it is known, but where the file is cut off.
    guard let ticks = stream.promisedEnd, track.clock.timeBase == stream.info.timeBase,
      !traits.countsTicks || missingBytes > 0
    else { return nil }
    return track.clock.time(ticks: ticks)
  }

  /// Where the track would end if the bytes that are missing lasted as long as the others.
  private func evenEnd(_ track: MediaTrack, _ stream: StreamFacts) -> ExactTime? {
    let held = stream.packets.reduce(Int64(0)) { $0 +| Int64($1.size) }
    guard missingBytes > 0, held > 0, missingBytes < 1 << 32 else { return nil }
    let length = Int128((track.end - track.start).rounded.nanoseconds)
    let more = length * Int128(missingBytes) / Int128(held)
    return track.end + ExactTime(MediaTime(nanoseconds: Int64(clamping: more)))
  }

  /// Where so long nothing comes in a stream that it is not how its packets follow each other.
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
