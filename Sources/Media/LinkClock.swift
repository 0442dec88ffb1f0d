import Timeline

/// Makes one clock of the times of a chained file, whose links each begin anew.
///
/// One recording may stand behind another: Ogg and MPEG transport streams are made for it, and
/// others are put together so, as WebM files of a recorder that was started twice. A stream whose
/// times jump back has come to the next link, which begins where the longest stream of the one
/// before ended.
final class LinkClock {
  private struct Stream {
    /// Where its first packet stood, by the file.
    var first: MediaTime
    var link: Int
    /// What is added to its times.
    var offset: MediaTime
    /// Where its last packet ended, on the one clock.
    var end: MediaTime?
  }

  /// The only stream that is wanted; the clock needs to see the others all the same.
  var selected: Int?
  /// Whether the format is made for links. In others, times that jump back are damage, unless a
  /// keyframe brings them back to the beginning.
  let isChainFormat: Bool
  private var streams: [Int: Stream] = [:]
  private var link = 0
  /// What is added to the times of the current link.
  private var offset = MediaTime.zero

  /// How far times have to jump back for a new link; less is disorder.
  private static let jump = MediaTime(nanoseconds: 250_000_000)
  /// How far from a file's first time its other links may begin.
  private static let beginning = MediaTime(seconds: 1)

  /// The most that is added, and the longest that a packet lasts: damaged files claim years.
  private static let longestOffset = MediaTime(seconds: 50 * 366 * 86400)
  private static let longestPacket = MediaTime(seconds: 60)

  init(isChainFormat: Bool) { self.isChainFormat = isChainFormat }

  /// Whether there was more than one link so far.
  var hasRestarted: Bool { link > 0 }

  /// Forgets what was read, as after going elsewhere in the file.
  func reset() {
    streams.removeAll(keepingCapacity: true)
    (link, offset) = (0, .zero)
  }

  /// What is to be added to the time of a packet of `stream` that stands at `time`, by the file,
  /// and lasts for `duration`.
  func offset(
    ofPacketAt time: MediaTime, lasting duration: MediaTime, isKeyframe: Bool, stream: Int
  ) -> MediaTime {
    var state = streams[stream] ?? Stream(first: time, link: link, offset: offset)
    if let end = state.end, time + state.offset < end - Self.jump,
      isChainFormat || isKeyframe && time < state.first + Self.beginning,
      state.link < link || beginLink(at: time)
    {
      (state.link, state.offset) = (link, offset)
    }
    let end = time + state.offset + min(duration, Self.longestPacket)
    state.end = max(state.end ?? end, end)
    streams[stream] = state
    return state.offset
  }

  /// Begins a link whose first packet stands at `time`; false where that would be out of bounds.
  private func beginLink(at time: MediaTime) -> Bool {
    let next = (streams.values.compactMap(\.end).max() ?? time) - time
    guard next <= Self.longestOffset else { return false }
    (offset, link) = (next, link + 1)
    return true
  }
}
