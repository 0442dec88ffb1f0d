import TesseraMedia
import TesseraPixels
import TesseraPlan

/// One decoder of a recording, and what it has put out that some of its followers still need.
///
/// A follower gets what a decoder would put out that begins with the follower's own packet: of one
/// that has lost nothing it may leave out what comes before the first picture that it shows. Who
/// falls too far behind, or left out a loss, goes on with a decoder of its own.
///
/// Only one thread at a time may use it.
final class PictureStream: @unchecked Sendable {
  // Sendable because its recording uses it under a lock.

  /// What the decoder put out at once.
  struct Step {
    /// The picture; nil at the end.
    let picture: PictureID?
    /// The picture's place in the order of all, or the one before it.
    let number: Int
    let found: FoundPicture?
    /// True if pictures cannot be shown from here on.
    let isBlank: Bool
    /// What was lost since the step before.
    let losses: [PacketLoss]
    /// Whether nothing was lost up to here.
    let isWhole: Bool
    /// What the file lacks, as far as is known.
    let fileLosses: [MediaLoss.Cause]
  }

  /// What a follower has to know to go on alone.
  enum Place {
    case at(Step)
    /// What comes next is gone.
    case gone
  }

  private struct Follower {
    /// The number of the step that it gets next.
    var next: Int
    /// The picture before which it may leave out steps; nil where it has come to it.
    var first: Int?
    /// Whether something was lost with what it has left out.
    var isSpoiled = false
  }

  /// As many steps are kept for followers, and these for those who have not come yet.
  private static let (longest, shortest) = (24, 4)

  /// The packet that decoding began with.
  let start: Int
  private var reader: PictureReader
  private let source: PictureSource
  /// The last steps, and how many there were before them.
  private var steps: [Step] = []
  private var goneCount = 0
  private var followers: [Int: Follower] = [:]
  /// How many may follow.
  private let consumerCount: Int
  private var isWhole: Bool
  private var isEnded = false
  /// What the file was known to lack when it was opened.
  let fileLosses: [MediaLoss.Cause]

  /// A stream of what `reader` reads of `source`, which begins with packet number `start`, for up
  /// to `consumerCount` followers.
  init(
    _ reader: consuming PictureReader, of source: PictureSource, start: Int, consumerCount: Int
  ) {
    (self.source, self.start, self.consumerCount) = (source, start, consumerCount)
    (isWhole, fileLosses) = (reader.isWhole, reader.fileLosses)
    self.reader = reader
  }

  /// Whether nobody follows.
  var isIdle: Bool { followers.isEmpty }

  /// How many pictures were decoded.
  var decodedCount: Int { reader.decodedCount }

  /// Lets `consumer` follow as if decoding had begun with packet number `packet`, to show picture
  /// `first`; false where the decoder has come too far, or lost something.
  func join(_ consumer: Int, from packet: Int, toShow first: Int) -> Bool {
    let isFromStart = packet == start && goneCount == 0
    guard isFromStart || isWhole && packet >= start && !isEnded else { return false }
    if !isFromStart {
      guard let oldest = steps.first, oldest.number <= first,
        first - (steps.last?.number ?? 0) <= Self.longest * 2
      else { return false }
    }
    followers[consumer] = Follower(next: goneCount, first: isWhole ? first : nil)
    return true
  }

  /// Lets `consumer` go.
  func leave(_ consumer: Int) {
    followers[consumer] = nil
    trim()
  }

  /// What comes next for `consumer`.
  func next(for consumer: Int) -> Place {
    guard let follower = followers[consumer], !follower.isSpoiled, follower.next >= goneCount else {
      return .gone
    }
    if follower.next == goneCount + steps.count {
      // The end stays the end.
      if isEnded, let end = steps.last { return .at(end) }
      decode()
    }
    let step = steps[follower.next - goneCount]
    followers[consumer]?.next += step.picture == nil ? 0 : 1
    if let first = follower.first, step.number >= first { followers[consumer]?.first = nil }
    trim()
    return .at(step)
  }

  /// What was found, as a picture.
  func picture(of found: FoundPicture) -> FoundPicture.Made { reader.picture(of: found) }

  private func decode() {
    let picture = reader.next()
    let step = Step(
      picture: picture,
      number: picture.flatMap(source.number(of:)) ?? steps.last?.number ?? 0,
      found: picture == nil ? nil : reader.takeFound(), isBlank: reader.isBlank,
      losses: reader.takeLosses(),
      isWhole: reader.isWhole, fileLosses: reader.fileLosses)
    steps.append(step)
    (isWhole, isEnded) = (step.isWhole, picture == nil)
  }

  /// Lets go of steps that nobody needs, and of those that are too many.
  private func trim() {
    let expected = followers.count < consumerCount ? Self.shortest : 0
    while steps.count > max(expected, isEnded ? 1 : 0) {
      let second = steps.count > 1 ? steps[1].number : nil
      let isNeeded = followers.values.contains { follower in
        guard follower.next <= goneCount else { return false }
        guard let first = follower.first, let second else { return true }
        return second > first
      }
      guard !isNeeded || steps.count > Self.longest else { return }
      drop()
    }
  }

  private func drop() {
    let step = steps.removeFirst()
    for (consumer, follower) in followers where follower.next == goneCount {
      guard follower.first != nil, !isNeededLater(step, by: follower) else { continue }
      followers[consumer]?.next += 1
      if !step.losses.isEmpty || !step.isWhole { followers[consumer]?.isSpoiled = true }
    }
    goneCount += 1
  }

  /// Whether a follower cannot leave `step` out, which was the first one.
  private func isNeededLater(_ step: Step, by follower: Follower) -> Bool {
    guard let first = follower.first, let second = steps.first else { return true }
    return second.number > first
  }
}
