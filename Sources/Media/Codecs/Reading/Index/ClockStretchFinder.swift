import TesseraTimeline

/// A part of one stream with a continuous clock: from one start of the recorder to its stop.
package struct ClockStretch: Hashable, Sendable {
  /// The numbers of the packets within the stream.
  package var packets: Range<Int>
  /// The number of the recording in the file, from 0. Files may contain several in a chain.
  var link = 0
  /// The time base of ``ticks``.
  var timeBase: Ratio
  /// The timestamp of each packet in ticks of ``timeBase``, with wrong ones corrected.
  package var ticks: [Int64]
  /// For each packet, true if it is shown and not decoded for reference only.
  var isShown: [Bool]
  /// The end of the last packet, in ticks.
  var endTicks: Int64 = 0
  /// True if the file has no presentation timestamps. The ticks are then those of the pictures in
  /// output order of the decoder.
  var isCounted = false
  /// The frame rate behind rounded timestamps; see ``TrackTimeMapping/nominalRate``.
  var nominalRate: Ratio?
  /// The number of packets whose timestamp was corrected.
  var wrongTimes = 0
  /// The clock's jumps that were closed because no real recording has them.
  var leaps = TimestampJumps()
}

/// Divides streams into stretches with one clock each. Finds restarts of the recording within a
/// file, wrong timestamps, packets that are decoded but not shown, and the end of the last picture.
///
/// A file may contain several recordings: Ogg and MPEG-TS allow chains, and other files are
/// concatenated, such as WebM files of a recorder that was started twice. A stream whose timestamps
/// jump back permanently has reached the next recording. After a temporary jump, a few packets have
/// wrong timestamps, and they are placed after their predecessors.
package enum ClockStretchFinder {
  /// Returns the stretches of each stream, in packet order.
  package static func stretches(
    of streams: [StreamPackets], in traits: ContainerTraits
  ) -> [[ClockStretch]] {
    let walks = streams.map { TimestampJumpScanner($0, traits) }
    let links = numberLinks(streams, walks.map(\.beginnings), traits)
    var found = streams.indices.map { stream -> [ClockStretch] in
      guard !streams[stream].packets.isEmpty else { return [] }
      let starts = [0] + walks[stream].beginnings
      let ends = walks[stream].beginnings + [streams[stream].packets.count]
      return zip(zip(starts, ends), links[stream]).map { range, link in
        stretch(
          streams[stream], range.0..<range.1, link: link, shifts: walks[stream].shifts, traits)
      }
    }
    TimestampRepairer.mend(&found, of: streams)
    for stream in found.indices {
      for stretch in found[stream].indices { found[stream][stretch].finish(streams[stream]) }
    }
    return found
  }

  /// Assigns recording numbers to stretches. A stretch belongs to the recording that other streams
  /// have already reached, or starts a new one.
  private static func numberLinks(
    _ streams: [StreamPackets], _ beginnings: [[Int]], _ traits: ContainerTraits
  ) -> [[Int]] {
    guard traits.isInterleaved else { return beginnings.map { Array(0...$0.count) } }
    var links = streams.map { _ in [Int]() }
    let events = streams.indices.flatMap { stream -> [(sequence: Int, stream: Int)] in
      ([0] + beginnings[stream]).compactMap { packet in
        let packets = streams[stream].packets
        return packets.indices.contains(packet) ? (packets[packet].sequence, stream) : nil
      }
    }.sorted { $0.sequence < $1.sequence }
    var latest = 0
    for event in events {
      if links[event.stream].last == latest { latest += 1 }
      links[event.stream].append(latest)
    }
    return links
  }

  /// Builds the stretch of the packets in `range` and corrects their timestamps.
  private static func stretch(
    _ stream: StreamPackets, _ range: Range<Int>, link: Int, shifts: [Int: Int64],
    _ traits: ContainerTraits
  ) -> ClockStretch {
    let packets = stream.packets[range]
    let timeless = packets.count {
      $0.presentation == nil && (stream.mayReorder || $0.decoding == nil)
    }
    if 2 * timeless > packets.count { return counted(stream, range, link: link) }
    if stream.hasHopelessClock {
      var result = counted(stream, range, link: link)
      result.wrongTimes = range.count
      return result
    }
    var result = ClockStretch(
      packets: range, link: link, timeBase: timeBase(stream, range, traits),
      ticks: range.map { (stream.packets[$0].time ?? .min) +| (shifts[$0] ?? 0) },
      // Fragments of MP4 that return to the beginning are not parts that an edit list excluded.
      isShown: packets.map { !$0.isSecondField && (link > 0 || !$0.isDiscarded) })
    result.wrongTimes = range.count { shifts[$0] != nil }
    fillGaps(&result, stream)
    if !traits.isChain { result.mend(stream, traits) }
    return result
  }

  /// Returns the time base of one recording in a chain. If ticks are samples, a recording with
  /// another sample rate has its own time base.
  private static func timeBase(
    _ stream: StreamPackets, _ range: Range<Int>, _ traits: ContainerTraits
  ) -> Ratio {
    let (first, rate) = (stream.samples[0].rate, stream.samples[range.upperBound - 1].rate)
    guard traits.isChain, stream.isSound, rate > 0, stream.info.timeBase == Ratio(1, first)
    else { return stream.info.timeBase }
    return Ratio(1, rate)
  }

  /// Gives packets without a timestamp that of their predecessor, or the first known one.
  private static func fillGaps(_ stretch: inout ClockStretch, _ stream: StreamPackets) {
    let hasTime = stretch.packets.map { stream.packets[$0].time != nil }
    var last = zip(stretch.ticks, hasTime).first { $0.1 }?.0 ?? 0
    for index in stretch.ticks.indices {
      if hasTime[index] { last = stretch.ticks[index] } else { stretch.ticks[index] = last }
    }
  }

  /// Creates the stretch of a stream without timestamps: picture n is at n / frame rate, or has the
  /// n-th decoding timestamp.
  private static func counted(_ stream: StreamPackets, _ range: Range<Int>, link: Int)
    -> ClockStretch
  {
    let decoding = stream.packets[range].compactMap(\.decoding)
    let isShown = Array(repeating: true, count: range.count)
    if decoding.count == range.count, !stream.hasHopelessClock {
      return ClockStretch(
        packets: range, link: link, timeBase: stream.info.timeBase, ticks: decoding.sorted(),
        isShown: isShown, isCounted: true)
    }
    let claimed = stream.info.video?.averageFrameRate ?? Ratio(0, 0)
    let isSane =
      claimed.numerator > 0 && claimed.denominator > 0 && (0.1...240).contains(claimed.value)
    let rate = isSane ? claimed : Ratio(25, 1)
    return ClockStretch(
      packets: range, link: link, timeBase: Ratio(rate.denominator, rate.numerator),
      ticks: range.indices.map { Int64($0 - range.lowerBound) }, isShown: isShown,
      isCounted: true)
  }

  /// Returns the end of the last packet. Pictures often have no duration: then the last one lasts
  /// as long as the median picture, at most a second and, for sparse pictures, at most until the
  /// declared end. Damaged packets may have durations of hours, which count only if the declared
  /// end confirms them.
  fileprivate static func endTicks(_ stretch: ClockStretch, _ stream: StreamPackets) -> Int64 {
    guard !stretch.isCounted || stretch.timeBase == stream.info.timeBase else {
      return (stretch.ticks.last ?? -1) +| 1
    }
    let longest = stream.ticks(seconds: stream.isSound ? 2 : 60)
    var (end, doubtful) = (Int64.min, Int64.min)
    for (ticks, packet) in zip(stretch.ticks, stretch.packets)
    where stretch.isShown[packet - stretch.packets.lowerBound] {
      let fact = stream.packets[packet]
      let after = ticks +| fact.duration -| padding(fact, stream)
      if fact.duration <= longest { end = max(end, after) } else { doubtful = max(doubtful, after) }
    }
    if let declared = stream.declaredEnd, doubtful > end, doubtful <= declared { return doubtful }
    let sorted = stretch.shownTicks.sorted()
    guard let last = sorted.last, end <= last else { return max(end, sorted.last ?? 0) }
    let (shortest, second) = (stream.ticks(seconds: 1, over: 25), stream.ticks(seconds: 1))
    guard let step = stretch.usualStep else { return last +| shortest }
    guard step > second, let declared = stream.declaredEnd, declared > last else {
      return last +| min(step, second)
    }
    return min(last +| second, max(declared, last +| shortest))
  }

  private static func padding(_ packet: PacketInfo, _ stream: StreamPackets) -> Int64 {
    guard packet.padding > 0, let rate = stream.info.audio?.sampleRate, rate > 0 else { return 0 }
    let padding = MediaTime(sample: Int64(packet.padding), rate: rate)
    return min(packet.duration, padding.ticks(timeBase: stream.info.timeBase))
  }
}

extension ClockStretch {
  /// The timestamps of packets that are shown.
  var shownTicks: [Int64] { zip(ticks, isShown).filter { $0.1 }.map { $0.0 } }

  /// The median distance between shown timestamps; `nil` if all are equal.
  var usualStep: Int64? { Self.usualStep(of: shownTicks.sorted()) }

  /// Returns the median distance of sorted timestamps; `nil` if all are equal.
  static func usualStep(of sorted: [Int64]) -> Int64? {
    let steps = zip(sorted.dropFirst(), sorted).map { $0 -| $1 }.filter { $0 > 0 }.sorted()
    return steps.isEmpty ? nil : steps[steps.count / 2]
  }

  /// Derives the order, the end and the nominal rate from the corrected timestamps.
  fileprivate mutating func finish(_ stream: StreamPackets) {
    let isOfPictures = stream.info.kind == .video
    if isOfPictures, !stream.mayReorder { keepOrder() }
    endTicks = ClockStretchFinder.endTicks(self, stream)
    // Sparse pictures have no frame rate, but may fit one by chance.
    if isOfPictures, !isCounted, usualStep ?? .max <= stream.ticks(seconds: 1) {
      nominalRate = NominalFrameRateFinder.find(
        shownTicks, timeBase: timeBase, claimed: stream.info.video?.averageFrameRate)
    }
  }

  /// Makes timestamps nondecreasing, for codecs that output pictures in packet order.
  fileprivate mutating func keepOrder() {
    var latest = Int64.min
    for index in ticks.indices where isShown[index] {
      latest = max(latest, ticks[index])
      ticks[index] = latest
    }
  }

  /// Moves packets whose timestamps break the order to the time of their predecessor, keeping
  /// distances within each such run.
  fileprivate mutating func mend(_ stream: StreamPackets, _ traits: ContainerTraits) {
    guard traits.hasDecodingTimes || !stream.mayReorder else { return }
    let tolerance = stream.ticks(seconds: 1, over: 4)
    let places = ticks.indices.filter { isShown[$0] }
    let times = places.map { place -> Int64 in
      let packet = stream.packets[packets.lowerBound + place]
      return traits.hasDecodingTimes ? packet.decoding ?? ticks[place] : ticks[place]
    }
    let members = LongestIncreasingSubsequence.members(times, tolerance: tolerance)
    var (shift, latest) = (Int64?.none, members.firstIndex(of: true).map { times[$0] } ?? 0)
    for (index, isRight) in members.enumerated() {
      if isRight {
        (shift, latest) = (nil, max(latest, times[index]))
      } else {
        if shift == nil { shift = latest -| times[index] }
        ticks[places[index]] +|= shift ?? 0
        wrongTimes += 1
      }
    }
  }
}
