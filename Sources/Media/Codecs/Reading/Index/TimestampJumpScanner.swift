import TesseraTimeline

/// Scans a stream's packets for timestamp jumps and classifies each: a new recording starts there
/// (a chain), or a few timestamps are wrong.
struct TimestampJumpScanner {
  /// The numbers of packets that start another recording.
  private(set) var beginnings: [Int] = []
  /// The corrections in ticks to add to wrong timestamps, by packet number.
  private(set) var shifts: [Int: Int64] = [:]

  /// The direction of a timestamp jump.
  private enum JumpDirection { case back, ahead }

  private let packets: [PacketInfo]
  private let traits: ContainerTraits
  /// The shortest distance that counts as a jump, a quarter of a second in ticks. Shorter ones are
  /// reordering.
  private let disorder: Int64
  /// The time after which a jump counts as permanent, a second in ticks.
  private let stay: Int64
  /// The latest return of a stream after a temporary jump, two seconds in ticks.
  private let longestAbsence: Int64

  /// The number of packets that are searched for the return of a stream.
  private static let longestTrial = 500

  init(_ stream: StreamPackets, _ traits: ContainerTraits) {
    (packets, self.traits) = (stream.packets, traits)
    disorder = stream.ticks(seconds: 1, over: 4)
    (stay, longestAbsence) = (stream.ticks(seconds: 1), stream.ticks(seconds: 2))
    walk(longestPacket: stream.ticks(seconds: 60))
  }

  /// Returns the timestamp by which jumps are judged. Decoding timestamps are in order, but libav*
  /// invents them for formats without.
  private func time(_ packet: Int) -> Int64? {
    traits.isChain
      ? packets[packet].decoding ?? packets[packet].presentation : packets[packet].time
  }

  private mutating func walk(longestPacket: Int64) {
    // `end` is the end of the last packet. `left` is the end of the last packet with a right
    // timestamp, while those after it are wrong.
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
        switch jump(to: time, from: last, left: left, mayBegin: mayBegin) {
        case let jump? where returns(from: packet, left: left ?? last, isAhead: jump == .ahead):
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

  private func jump(to time: Int64, from end: Int64, left: Int64?, mayBegin: Bool) -> JumpDirection?
  {
    if time < (left ?? end) -| disorder { return traits.isChain || mayBegin ? .back : nil }
    return traits.isChain && time > end +| disorder ? .ahead : nil
  }

  /// True if the stream, which jumped at `packet`, soon returns to where it left off, `left`. Then
  /// the timestamps in between are wrong.
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

/// The longest nondecreasing subsequence of a list of numbers, by patience sorting (C. Schensted,
/// "Longest Increasing and Decreasing Subsequences", 1961).
enum LongestIncreasingSubsequence {
  /// For each of `numbers`, true if it belongs to the subsequence or differs by at most `tolerance`
  /// from its last member before.
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
