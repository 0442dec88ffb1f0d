import TesseraTimeline

/// A part of one stream whose packets have one clock: what a recorder wrote between being started
/// and being stopped.
package struct Stretch: Hashable, Sendable {
  /// Its packets, numbered within the stream.
  package var packets: Range<Int>
  /// Which of the recordings in the file it belongs to, from 0.
  var link = 0
  /// The unit of ``ticks``.
  var timeBase: Ratio
  /// When each packet is shown or heard, wrong times mended.
  package var ticks: [Int64]
  /// Whether each packet's pictures are shown, not only decoded.
  var isShown: [Bool]
  /// The first tick after the last packet.
  var endTicks: Int64 = 0
  /// Whether the file has no presentation times: the times are those of the pictures in the order
  /// in which they come out of the decoder.
  var isCounted = false
  /// See ``TrackClock/nominalRate``.
  var nominalRate: Ratio?
  /// How many packets have another time than the file's, because that was wrong.
  var wrongTimes = 0
  /// Where its clock leaps further than recordings do.
  var leaps = ClockLeaps()
}

/// Makes one clock of each part of a file: finds where recordings begin again within it, which
/// times are wrong, what is decoded but not shown, and how the last picture ends.
///
/// One recording may stand after another: Ogg and MPEG transport streams are made for it, and
/// others are put together so, as WebM files of a recorder that was started twice. A stream whose
/// times jump back, and stay there, has come to the next one. Where they return, a few packets had
/// wrong times: those follow the ones before.
package enum StretchFinder {
  /// The stretches of each stream in the order of its packets.
  package static func stretches(
    of streams: [StreamFacts], in traits: ContainerTraits
  ) -> [[Stretch]] {
    let walks = streams.map { LeapWalk($0, traits) }
    let links = numberLinks(streams, walks.map(\.beginnings), traits)
    var found = streams.indices.map { stream -> [Stretch] in
      guard !streams[stream].packets.isEmpty else { return [] }
      let starts = [0] + walks[stream].beginnings
      let ends = walks[stream].beginnings + [streams[stream].packets.count]
      return zip(zip(starts, ends), links[stream]).map { range, link in
        stretch(
          streams[stream], range.0..<range.1, link: link, shifts: walks[stream].shifts, traits)
      }
    }
    BrokenClock.mend(&found, of: streams)
    for stream in found.indices {
      for stretch in found[stream].indices { found[stream][stretch].finish(streams[stream]) }
    }
    return found
  }

  /// Which recording each stretch belongs to: one that other streams have come to before, or a new
  /// one.
  private static func numberLinks(
    _ streams: [StreamFacts], _ beginnings: [[Int]], _ traits: ContainerTraits
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

  private static func stretch(
    _ stream: StreamFacts, _ range: Range<Int>, link: Int, shifts: [Int: Int64],
    _ traits: ContainerTraits
  ) -> Stretch {
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
    var result = Stretch(
      packets: range, link: link, timeBase: timeBase(stream, range, traits),
      ticks: range.map { (stream.packets[$0].time ?? .min) +| (shifts[$0] ?? 0) },
      // Fragments of a movie that go back to the beginning are not what an edit left out.
      isShown: packets.map { !$0.isSecondField && (link > 0 || !$0.isDiscarded) })
    result.wrongTimes = range.count { shifts[$0] != nil }
    fillGaps(&result, stream)
    if !traits.isChain { result.mend(stream, traits) }
    return result
  }

  /// The unit of the times of one recording in a chain: where ticks are samples, those of another
  /// recording are its own.
  private static func timeBase(
    _ stream: StreamFacts, _ range: Range<Int>, _ traits: ContainerTraits
  ) -> Ratio {
    let (first, rate) = (stream.samples[0].rate, stream.samples[range.upperBound - 1].rate)
    guard traits.isChain, stream.isSound, rate > 0, stream.info.timeBase == Ratio(1, first)
    else { return stream.info.timeBase }
    return Ratio(1, rate)
  }

  /// Packets without a time get that of the one before, or of the first one that has one.
  private static func fillGaps(_ stretch: inout Stretch, _ stream: StreamFacts) {
    let hasTime = stretch.packets.map { stream.packets[$0].time != nil }
    var last = zip(stretch.ticks, hasTime).first { $0.1 }?.0 ?? 0
    for index in stretch.ticks.indices {
      if hasTime[index] { last = stretch.ticks[index] } else { stretch.ticks[index] = last }
    }
  }

  /// A stream without times: picture n stands at n / frame rate, or has the n-th decoding time.
  private static func counted(_ stream: StreamFacts, _ range: Range<Int>, link: Int) -> Stretch {
    let decoding = stream.packets[range].compactMap(\.decoding)
    let isShown = Array(repeating: true, count: range.count)
    if decoding.count == range.count, !stream.hasHopelessClock {
      return Stretch(
        packets: range, link: link, timeBase: stream.info.timeBase, ticks: decoding.sorted(),
        isShown: isShown, isCounted: true)
    }
    let claimed = stream.info.video?.averageFrameRate ?? Ratio(0, 0)
    let isSane =
      claimed.numerator > 0 && claimed.denominator > 0 && (0.1...240).contains(claimed.value)
    let rate = isSane ? claimed : Ratio(25, 1)
    return Stretch(
      packets: range, link: link, timeBase: Ratio(rate.denominator, rate.numerator),
      ticks: range.indices.map { Int64($0 - range.lowerBound) }, isShown: isShown,
      isCounted: true)
  }

  /// Where the last packet ends. Pictures often come without a duration: then the last one lasts
  /// as long as the median one, but no longer than a second, and where pictures are rare no longer
  /// than the container. Damaged packets claim hours; only the container can confirm them.
  fileprivate static func endTicks(_ stretch: Stretch, _ stream: StreamFacts) -> Int64 {
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

  private static func padding(_ packet: PacketFact, _ stream: StreamFacts) -> Int64 {
    guard packet.padding > 0, let rate = stream.info.audio?.sampleRate, rate > 0 else { return 0 }
    let padding = MediaTime(sample: Int64(packet.padding), rate: rate)
    return min(packet.duration, padding.ticks(timeBase: stream.info.timeBase))
  }
}

extension Stretch {
  /// The times of what is shown.
  var shownTicks: [Int64] { zip(ticks, isShown).filter { $0.1 }.map { $0.0 } }

  /// The median distance of what is shown; nil where that has one time only.
  var usualStep: Int64? { Self.usualStep(of: shownTicks.sorted()) }

  /// The median distance of times in order; nil where there is one time only.
  static func usualStep(of sorted: [Int64]) -> Int64? {
    let steps = zip(sorted.dropFirst(), sorted).map { $0 -| $1 }.filter { $0 > 0 }.sorted()
    return steps.isEmpty ? nil : steps[steps.count / 2]
  }

  /// What follows from the times, now that they are right: the order, the end, the rate.
  fileprivate mutating func finish(_ stream: StreamFacts) {
    let isOfPictures = stream.info.kind == .video
    if isOfPictures, !stream.mayReorder { keepOrder() }
    endTicks = StretchFinder.endTicks(self, stream)
    // Rare pictures have no rate, but fit one by chance.
    if isOfPictures, !isCounted, usualStep ?? .max <= stream.ticks(seconds: 1) {
      nominalRate = NominalRate.find(
        shownTicks, timeBase: timeBase, claimed: stream.info.video?.averageFrameRate)
    }
  }

  /// Pictures that come out of the decoder as they go in are shown one after the other.
  fileprivate mutating func keepOrder() {
    var latest = Int64.min
    for index in ticks.indices where isShown[index] {
      latest = max(latest, ticks[index])
      ticks[index] = latest
    }
  }

  /// Moves the packets that stand elsewhere than where the longest row in order has them.
  fileprivate mutating func mend(_ stream: StreamFacts, _ traits: ContainerTraits) {
    guard traits.hasDecodingTimes || !stream.mayReorder else { return }
    let tolerance = stream.ticks(seconds: 1, over: 4)
    let places = ticks.indices.filter { isShown[$0] }
    let times = places.map { place -> Int64 in
      let packet = stream.packets[packets.lowerBound + place]
      return traits.hasDecodingTimes ? packet.decoding ?? ticks[place] : ticks[place]
    }
    let members = OrderedRow.members(times, tolerance: tolerance)
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
