import TesseraMessages
import TesseraTimeline

/// A position in a file at which the demuxer reported damage.
struct DamagePosition: Hashable, Sendable {
  /// The number of packets of each stream before the damage.
  var counts: [Int]
  /// libav*'s message.
  var words: String
  /// True if the position is unknown: the damage is somewhere in the file.
  var isAnywhere = false
  /// The streams that miss packets at this position; empty if unknown.
  var streams: Set<Int> = []

  /// The distance below which two losses of one stream are merged.
  private static let near = ExactTime(1, over: 2)
  /// The maximum number of separate losses reported per stream.
  private static let most = 10

  /// Converts `marks` to losses of `tracks`, whose packets are in `stretches`. Marks inside the
  /// interval of a `known` loss are dropped, and so are marks at the end of the file if
  /// `endIsKnown`, that is, if another loss already describes the end.
  static func losses(
    _ marks: [DamagePosition], in tracks: [MediaTrack], _ stretches: [[ClockStretch]],
    endIsKnown: Bool,
    besides known: [MediaLoss]
  ) -> [MediaLoss] {
    var losses: [MediaLoss] = []
    for mark in marks {
      let spans = tracks.compactMap { track in
        mark.span(in: track, stretches[track.stream.index]).map { (track: track, span: $0) }
      }
      if endIsKnown, !spans.contains(where: \.span.isFollowed) { continue }
      let lacking = spans.filter { mark.streams.contains($0.track.stream.index) }
      var found = lacking.map {
        MediaLoss(
          .damaged(UserMessage(mark.words)), $0.track.stream, start: $0.span.start, end: $0.span.end
        )
      }
      if found.isEmpty {
        let (start, end) = (spans.map(\.span.start).min(), spans.map(\.span.end).max())
        found = [MediaLoss(.damaged(UserMessage(mark.words)), start: start, end: end)]
      }
      for loss in found where !known.contains(where: { $0.covers(loss) }) {
        add(loss, to: &losses)
      }
    }
    return losses
  }

  private static func add(_ loss: MediaLoss, to losses: inout [MediaLoss]) {
    let last = losses.lastIndex { $0.stream == loss.stream }
    guard let last, let end = losses[last].end, let start = loss.start,
      start - end < near || losses.count(where: { $0.stream == loss.stream }) >= most
    else { return losses.append(loss) }
    losses[last].extend(to: loss)
  }

  /// Returns the interval of `track` that the damage may affect, and whether packets follow;
  /// returns `nil` if the mark is outside of the track.
  private func span(
    in track: MediaTrack, _ stretches: [ClockStretch]
  ) -> (start: ExactTime, end: ExactTime, isFollowed: Bool)? {
    guard let stretch = stretches.first(where: { $0.packets == track.packets }),
      counts.indices.contains(track.stream.index)
    else { return nil }
    let next = counts[track.stream.index] - track.packets.lowerBound
    if isAnywhere { return (track.start, track.end, true) }
    guard 0...stretch.ticks.count ~= next else { return nil }
    // The next packet, its neighbors or missing packets may be damaged. Packets after the mark may
    // repeat the timestamp of those before.
    let around = stretch.ticks[max(0, next - 2)..<min(stretch.ticks.count, next + 2)]
    let before = next > 0 ? stretch.ticks[next - 1] : .min
    let after = stretch.ticks[next...].first { $0 > before }
    let start = next < 2 ? track.start : track.clock.time(ticks: around.min() ?? 0)
    let isFollowed = next + 1 < stretch.ticks.count
    guard isFollowed, let after, let last = around.max() else {
      return (start, track.end, isFollowed)
    }
    return (start, track.clock.time(ticks: max(after, last)), true)
  }
}

extension MediaLoss {
  /// True if `other` is inside the interval of this missing part of the same stream.
  fileprivate func covers(_ other: MediaLoss) -> Bool {
    guard cause == .missing, other.stream == nil || other.stream == stream, let start, let end,
      let first = other.start, let last = other.end
    else { return false }
    return start <= first && last <= end
  }

  /// Extends the interval to include that of `other`.
  mutating func extend(to other: MediaLoss) {
    start = [start, other.start].compactMap { $0 }.min()
    end = [end, other.end].compactMap { $0 }.max()
  }
}
