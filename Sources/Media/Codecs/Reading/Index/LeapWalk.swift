import TesseraTimeline

/// Walks through a stream's packets and judges every leap of their times: whether a recording
/// begins again there, or a few times are wrong.
struct LeapWalk {
  /// The packets with which recordings begin again.
  private(set) var beginnings: [Int] = []
  /// What has to be added to the times of packets that are wrong.
  private(set) var shifts: [Int: Int64] = [:]

  private enum Leap { case back, ahead }

  private let packets: [PacketFact]
  private let traits: ContainerTraits
  /// How far times have to leap; less is disorder.
  private let disorder: Int64
  /// A clock that is elsewhere for so long stays there.
  private let stay: Int64
  /// How far a stream may have gone on when it returns.
  private let longestAbsence: Int64

  /// The most packets that are looked at to see whether a stream returns.
  private static let longestTrial = 500

  init(_ stream: StreamFacts, _ traits: ContainerTraits) {
    (packets, self.traits) = (stream.packets, traits)
    disorder = stream.ticks(seconds: 1, over: 4)
    (stay, longestAbsence) = (stream.ticks(seconds: 1), stream.ticks(seconds: 2))
    walk(longestPacket: stream.ticks(seconds: 60))
  }

  /// Decoding times are in order, but libav* makes them up where the format has none.
  private func time(_ packet: Int) -> Int64? {
    traits.isChain
      ? packets[packet].decoding ?? packets[packet].presentation : packets[packet].time
  }

  private mutating func walk(longestPacket: Int64) {
    // Where the last packet ended; where the last one with a right time did, while those that
    // followed had wrong ones.
    var (end, left): (Int64?, Int64?)
    var (first, furthest) = (Int64.min, Int64.min)
    for packet in packets.indices {
      guard let time = time(packet) else { continue }
      if end == nil { first = time }
      var shift: Int64 = 0
      if let last = end {
        let mayBegin =
          packets[packet].isKeyframe && time < first +| stay
          && packets[packet].position > furthest
        switch leap(to: time, from: last, left: left, mayBegin: mayBegin) {
        case let leap? where returns(from: packet, left: left ?? last, isAhead: leap == .ahead):
          (left, shift) = (left ?? last, last -| time)
          shifts[packet] = shift
        case .back:
          beginnings.append(packet)
          (end, left, first) = (nil, nil, time)
        case .ahead, nil:
          break
        }
      }
      let after = time +| shift +| min(packets[packet].duration, longestPacket)
      if shift == 0, after >= end ?? after { left = nil }
      end = max(end ?? after, after)
      furthest = max(furthest, packets[packet].position)
    }
  }

  private func leap(to time: Int64, from end: Int64, left: Int64?, mayBegin: Bool) -> Leap? {
    if time < (left ?? end) -| disorder { return traits.isChain || mayBegin ? .back : nil }
    return traits.isChain && time > end +| disorder ? .ahead : nil
  }

  /// Whether the stream that leapt with that packet, and should have stood at `left`, comes back
  /// soon.
  private func returns(from packet: Int, left: Int64, isAhead: Bool) -> Bool {
    guard var since = time(packet) else { return false }
    var end = since +| min(packets[packet].duration, stay)
    for next in packets.indices.suffix(from: packet + 1).prefix(Self.longestTrial) {
      guard let time = time(next) else { continue }
      let fits = time >= left -| disorder && time < left +| longestAbsence
      if time < end -| disorder {
        if isAhead, fits { return true }
        since = time
      } else if time > end +| disorder, !isAhead, fits {
        return true
      }
      end = time +| min(packets[next].duration, stay)
      if time -| since >= stay { return false }
    }
    return false
  }
}

/// The longest row of numbers in a list that do not go down (patience sorting: C. Schensted,
/// "Longest Increasing and Decreasing Subsequences", 1961).
enum OrderedRow {
  /// Which of `numbers` belong to it, or stand no more than `tolerance` from where it goes.
  static func members(_ numbers: [Int64], tolerance: Int64) -> [Bool] {
    guard zip(numbers, numbers.dropFirst()).contains(where: { $1 < $0 }) else {
      return numbers.map { _ in true }
    }
    var (tops, previous): ([Int], [Int]) = ([], [])
    for (index, number) in numbers.enumerated() {
      let next = tops.partitioningIndex { numbers[$0] > number }
      previous.append(next > 0 ? tops[next - 1] : -1)
      if next < tops.count { tops[next] = index } else { tops.append(index) }
    }
    var isMember = numbers.map { _ in false }
    var last = tops.last ?? -1
    while last >= 0 { (isMember[last], last) = (true, previous[last]) }
    var latest = numbers[isMember.firstIndex(of: true) ?? 0]
    for index in numbers.indices {
      if isMember[index] { latest = numbers[index] }
      isMember[index] =
        isMember[index] || (numbers[index] -| latest).magnitude <= tolerance.magnitude
    }
    return isMember
  }
}
