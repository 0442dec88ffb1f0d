import Synchronization
import TesseraCodecs
import TesseraPixels
import TesseraPlan
import TesseraSystem

/// The pictures of one recording, for all tracks that show them at the same time: what several of
/// them need is decoded once.
///
/// A follower gets what a decoder would put out that begins with the follower's own packet: of one
/// that has lost nothing it may leave out what comes before the first picture that it shows. Who
/// falls too far behind, or left out a loss, goes on with a decoder of its own.
final class SharedPictures: Sendable {
  /// The recording's place among those of the supply.
  let number: Int
  let cancellation: Cancellation
  private let state = Mutex(State())

  /// A picture as a decoder put it out, or the end.
  struct Step {
    /// The picture; nil at the end.
    let picture: PictureID?
    /// The picture's place in the order of all, or the one before it.
    let number: Int
    let found: FoundPicture?
    /// True if pictures cannot be shown from here on.
    let isBlank: Bool
    /// The losses since the step before.
    let losses: [PacketLoss]
    /// True if nothing was lost up to here.
    let isWhole: Bool
    /// The parts that the file lacks, as far as is known.
    let fileLosses: [MediaLoss.Cause]
  }

  /// Equal for sources whose pictures are the same.
  struct Key: Hashable {
    let path: String
    let stream: Int
    let packets: Range<Int>
    let pairTicks: Int64?
    let background: Color

    init(_ source: PictureSource) {
      path = source.path
      stream = source.track.stream.index
      (packets, pairTicks) = (source.track.packets, source.pairTicks)
      background = source.background
    }
  }

  /// The pictures of the recording with that `number`, which nobody shows yet.
  init(number: Int, cancellation: Cancellation) {
    (self.number, self.cancellation) = (number, cancellation)
  }

  /// The number of pictures that were decoded, by whatever decoder.
  var decodedCount: Int { state.withLock { $0.decodedCount } }

  /// Counts pictures of a decoder that is not shared.
  func count(_ pictures: Int) { state.withLock { $0.decodedCount += pictures } }

  /// The number of one more track that shows the recording. All are added before the first one
  /// reads.
  func addFollower() -> Int {
    state.withLock { state in
      state.followers.append(nil)
      return state.followers.count - 1
    }
  }

  /// Lets a track follow a decoder of `source` as if decoding had begun with packet number `packet`,
  /// to show picture `first`.
  ///
  /// - Returns: what the file was known to lack when it was opened; nil where no other track shows
  ///   the recording: a reader of one's own is cheaper then.
  /// - Throws: ``MediaError`` where the file or its decoder cannot be opened.
  func join(
    _ number: Int, _ source: PictureSource, from packet: Int, toShow first: Int
  ) throws(MediaError) -> [MediaLoss.Cause]? {
    let (isShared, losses) = state.withLock { state in
      (state.followers.count > 1, state.join(number, from: packet, toShow: first))
    }
    guard isShared, losses == nil else { return losses }
    let decoder = Decoder(
      try PictureReader.open(source, from: packet, cancellation: cancellation), of: source,
      start: packet)
    state.withLock { $0.followers[number] = Follower(decoder, toShow: first) }
    return decoder.fileLosses
  }

  /// Lets a track follow no decoder any more.
  func leave(_ number: Int) {
    state.withLock { state in
      guard let follower = state.followers[number].take() else { return }
      state.trim(follower.decoder)
    }
  }

  /// The next step for a track; nil where that is gone, or it follows no decoder.
  func next(for number: Int) -> Step? { state.withLock { $0.next(for: number) } }

  /// A frame of the decoder that a track follows, as a picture; nil where it follows none.
  func picture(of found: FoundPicture, for number: Int) -> FoundPicture.Made? {
    state.withLock { state in
      guard let decoder = state.followers[number]?.decoder else { return nil }
      return decoder.reader.picture(of: found)
    }
  }

  /// One decoder, and what it has put out that some of its followers still need.
  private final class Decoder: @unchecked Sendable {
    // Sendable because it is used under the lock alone.
    var reader: PictureReader
    private let source: PictureSource
    /// The packet that decoding began with.
    private let start: Int
    /// The last steps, and how many there were before them.
    var steps: [Step] = []
    var goneCount = 0
    var isEnded = false
    /// The parts that the file was known to lack when it was opened.
    let fileLosses: [MediaLoss.Cause]

    init(_ reader: consuming PictureReader, of source: PictureSource, start: Int) {
      (self.source, self.start) = (source, start)
      fileLosses = reader.fileLosses
      self.reader = reader
    }

    /// False where the decoder has come too far for a follower that begins with packet number
    /// `packet` to show picture `first`, or lost something.
    func admits(from packet: Int, toShow first: Int) -> Bool {
      if packet == start, goneCount == 0 { return true }
      guard reader.isWhole, packet >= start, !isEnded, let oldest = steps.first else {
        return false
      }
      return oldest.number <= first && first - (steps.last?.number ?? 0) <= State.longest * 2
    }

    func decode() {
      let picture = reader.next()
      steps.append(
        Step(
          picture: picture,
          number: picture.flatMap(source.number(of:)) ?? steps.last?.number ?? 0,
          found: picture == nil ? nil : reader.takeFound(), isBlank: reader.isBlank,
          losses: reader.takeLosses(),
          isWhole: reader.isWhole, fileLosses: reader.fileLosses))
      isEnded = picture == nil
    }
  }

  private struct Follower {
    let decoder: Decoder
    /// The number of the step that it gets next.
    var next: Int
    /// The picture before which it may leave out steps; nil where it has come to it.
    var first: Int?
    /// True if something was lost with what it has left out.
    var isSpoiled = false

    init(_ decoder: Decoder, toShow first: Int) {
      (self.decoder, next) = (decoder, decoder.goneCount)
      self.first = decoder.reader.isWhole ? first : nil
    }

    /// True if it cannot leave out the first step that is kept.
    var needsFirst: Bool {
      guard next <= decoder.goneCount else { return false }
      guard let first, decoder.steps.count > 1 else { return true }
      return decoder.steps[1].number > first
    }
  }

  private struct State {
    /// The number of pictures that were decoded.
    var decodedCount = 0
    /// The followers by their numbers; nil for a track that follows no decoder.
    var followers: [Follower?] = []

    /// As many steps are kept for followers, and these for those who have not come yet.
    static let (longest, shortest) = (24, 4)

    /// Lets a track follow one of the open decoders; nil where none admits it.
    mutating func join(
      _ number: Int, from packet: Int, toShow first: Int
    ) -> [MediaLoss.Cause]? {
      let decoder = followers.lazy.compactMap { $0?.decoder }
        .first { $0.admits(from: packet, toShow: first) }
      followers[number] = decoder.map { Follower($0, toShow: first) }
      return decoder?.fileLosses
    }

    mutating func next(for number: Int) -> Step? {
      guard let follower = followers[number], !follower.isSpoiled else { return nil }
      let decoder = follower.decoder
      guard follower.next >= decoder.goneCount else { return nil }
      if follower.next == decoder.goneCount + decoder.steps.count {
        // The end stays the end.
        if decoder.isEnded, let end = decoder.steps.last { return end }
        decodedCount -= decoder.reader.decodedCount
        decoder.decode()
        decodedCount += decoder.reader.decodedCount
      }
      let step = decoder.steps[follower.next - decoder.goneCount]
      followers[number]?.next += step.picture == nil ? 0 : 1
      if let first = follower.first, step.number >= first { followers[number]?.first = nil }
      trim(decoder)
      return step
    }

    /// Lets go of steps of `decoder` that nobody needs, and of those that are too many.
    mutating func trim(_ decoder: Decoder) {
      let count = followers.count { $0?.decoder === decoder }
      let expected = count < followers.count ? Self.shortest : 0
      while decoder.steps.count > max(expected, decoder.isEnded ? 1 : 0) {
        let isNeeded = followers.contains { $0?.decoder === decoder && $0?.needsFirst == true }
        guard !isNeeded || decoder.steps.count > Self.longest else { return }
        drop(decoder)
      }
    }

    private mutating func drop(_ decoder: Decoder) {
      for number in followers.indices {
        guard let follower = followers[number], follower.decoder === decoder,
          follower.next == decoder.goneCount, !follower.needsFirst
        else { continue }
        followers[number]?.next += 1
        let step = decoder.steps[0]
        if !step.losses.isEmpty || !step.isWhole { followers[number]?.isSpoiled = true }
      }
      decoder.steps.removeFirst()
      decoder.goneCount += 1
    }
  }
}
