import TesseraTimeline

/// When a packet stands in its file.
struct PacketTime {
  /// Its stream's number.
  let stream: Int
  /// Its time by the file.
  let time: MediaTime
  /// How long it lasts.
  let duration: MediaTime
  let isKeyframe: Bool
}

/// Makes one clock of the times of a chained file, whose links each begin anew.
///
/// One recording may stand behind another: Ogg and MPEG transport streams are made for it, and
/// others are put together so, as WebM files of a recorder that was started twice. A stream whose
/// times jump back, and stay there, has come to the next link, which begins where the longest
/// stream of the one before ended. Where they return, a few packets had wrong times: those follow
/// the ones before.
final class LinkClock {
  private struct Stream {
    /// Where its first packet stood that was read, by the file.
    var first: MediaTime
    var link: Int
    /// Where its last packet ended, on the one clock.
    var end: MediaTime?
    /// Where the last one with a right time ended, while those that followed had wrong ones.
    var left: MediaTime?
  }

  /// The only stream that is wanted; the clock needs to see the others all the same.
  var selected: Int?
  /// Whether the format is made for links. In others, times that jump back are damage, unless a
  /// keyframe brings them back to the beginning.
  let isChainFormat: Bool
  /// Whether packets of one time lie together. In other files all pictures may come before the
  /// sound, each stream going from link to link.
  private let isInterleaved: Bool
  private var streams: [Int: Stream] = [:]
  /// What is added to the times of each link.
  private var offsets = [MediaTime.zero]
  /// Whether wrong times were mended so far.
  private var hasMended = false

  /// How far from a file's first time its other links may begin.
  private static let beginning = MediaTime(seconds: 1)

  /// The most that is added, and the longest that a packet lasts: damaged files claim years.
  private static let longestOffset = MediaTime(seconds: 50 * 366 * 86400)
  private static let longestPacket = MediaTime(seconds: 60)

  init(isChainFormat: Bool, isInterleaved: Bool) {
    (self.isChainFormat, self.isInterleaved) = (isChainFormat, isInterleaved)
  }

  /// Whether a packet's time was another one than the file's so far.
  var hasChanged: Bool { offsets.count > 1 || hasMended }

  /// Forgets what was read, as after going elsewhere in the file.
  func reset() {
    streams.removeAll(keepingCapacity: true)
    offsets = [.zero]
  }

  /// What is to be added to the time of the next packet. Where it leaps, `judge` is asked whether
  /// its stream stays where it went.
  func offset(
    of packet: PacketTime, judge: (inout LinkTrial) -> LinkTrial.Verdict
  ) -> MediaTime {
    var state =
      streams[packet.stream]
      ?? Stream(first: packet.time, link: isInterleaved ? offsets.count - 1 : 0)
    defer { streams[packet.stream] = state }
    var added = offsets[state.link]
    if let end = state.end, let leap = leap(of: packet, state, from: end) {
      var trial = LinkTrial(packet, left: (state.left ?? end) - added)
      switch judge(&trial) {
      case .returns:
        hasMended = true
        state.left = state.left ?? end
        added = end - packet.time
      case .stays where leap == .back:
        state.link = link(after: state.link, at: packet.time)
        added = offsets[state.link]
      case .stays:
        break
      }
    }
    let end = packet.time + added + min(packet.duration, Self.longestPacket)
    if added == offsets[state.link], end >= state.end ?? end { state.left = nil }
    state.end = max(state.end ?? end, end)
    return added
  }

  private enum Leap { case back, ahead }

  /// Whether the packet stands elsewhere than its stream went on to.
  private func leap(of packet: PacketTime, _ state: Stream, from end: MediaTime) -> Leap? {
    let time = packet.time + offsets[state.link]
    if time < (state.left ?? end) - LinkTrial.disorder {
      let mayBegin = packet.isKeyframe && packet.time < state.first + Self.beginning
      return isChainFormat || mayBegin ? .back : nil
    }
    return isChainFormat && time > end + LinkTrial.disorder ? .ahead : nil
  }

  /// The link that a stream comes to from `link` with a packet at `time`: one that others have come
  /// to before, or a new one; the same where that would be out of bounds.
  private func link(after link: Int, at time: MediaTime) -> Int {
    guard link + 1 == offsets.count else { return isInterleaved ? offsets.count - 1 : link + 1 }
    let next = (streams.values.compactMap(\.end).max() ?? time) - time
    guard next <= Self.longestOffset else { return link }
    offsets.append(next)
    return link + 1
  }
}

/// Finds out from the packets that follow whether a stream whose time leapt stays there.
struct LinkTrial {
  enum Verdict { case stays, returns }

  /// How far times have to leap for a trial; less is disorder.
  static let disorder = MediaTime(nanoseconds: 250_000_000)
  /// Who is elsewhere for so long stays there.
  private static let stay = MediaTime(seconds: 1)
  /// How far a stream may have gone on when it returns.
  private static let longestAbsence = MediaTime(seconds: 2)

  private let stream: Int
  /// Where the stream would have gone on, by the file.
  private let left: MediaTime
  private let isAhead: Bool
  /// Since when it has been where it is, by the file, and where its last packet ended.
  private var (since, end): (MediaTime, MediaTime)

  /// The trial of `packet`, which should have stood at `left`.
  init(_ packet: PacketTime, left: MediaTime) {
    (stream, self.left, since) = (packet.stream, left, packet.time)
    isAhead = packet.time > left
    end = packet.time + min(packet.duration, Self.stay)
  }

  /// Takes the next packet of the file; nil where more have to be seen.
  mutating func verdict(_ packet: PacketTime) -> Verdict? {
    guard packet.stream == stream else { return nil }
    let time = packet.time
    let fits = time >= left - Self.disorder && time < left + Self.longestAbsence
    if time < end - Self.disorder {
      if isAhead, fits { return .returns }
      since = time
    } else if time > end + Self.disorder, !isAhead, fits {
      return .returns
    }
    end = time + min(packet.duration, Self.stay)
    return time - since >= Self.stay ? .stays : nil
  }
}
