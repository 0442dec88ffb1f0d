import Synchronization
import TesseraCodecs
import TesseraPixels
import TesseraSystem

/// The pictures of one recording, for all tracks that show it at the same time. Pictures that
/// several tracks need are decoded once.
///
/// A follower gets the output of a decoder that starts at the follower's own packet. If the decoder
/// has lost nothing, the follower may skip the steps before the first picture that it shows. A
/// follower that falls too far behind, or that skipped a loss, continues with a decoder of its own.
final class SharedPictureDecoder: Sendable {
  /// The recording's index in the ``PictureDecodePool``.
  let number: Int
  let cancellation: Cancellation
  private let state = Mutex(State())

  /// One output of a decoder: a picture, or the end.
  struct DecoderOutput {
    let picture: DecodedPictureID?
    /// The picture's number in display order; at the end, that of the last picture.
    let number: Int
    let found: SharedDecodedFrame?
    /// True if pictures cannot be shown from here on.
    let isBlank: Bool
    /// The losses since the previous step.
    let losses: [PacketLoss]
    /// True if nothing was lost up to here.
    let isWhole: Bool
    /// The defects of the file as a whole, as far as known.
    let fileLosses: [MediaLoss.Cause]
  }

  /// The identity of a recording: equal for sources with the same pictures.
  struct RecordingKey: Hashable {
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

  /// Creates the pictures of recording `number`, without followers.
  init(number: Int, cancellation: Cancellation) {
    (self.number, self.cancellation) = (number, cancellation)
  }

  /// Number of pictures that were decoded, shared or not.
  var decodedCount: Int { state.withLock { $0.decodedCount } }

  /// Counts pictures of a decoder that is not shared.
  func count(_ pictures: Int) { state.withLock { $0.decodedCount += pictures } }

  /// Adds a follower and returns its number. All followers must be added before the first one
  /// reads.
  func addFollower() -> Int {
    state.withLock { state in
      state.followers.append(nil)
      return state.followers.count - 1
    }
  }

  /// Makes follower `number` follow a decoder of `source`, as if decoding had started at packet
  /// number `packet` to show picture `first`.
  ///
  /// - Returns: the file's defects that were known when it was opened; nil if no other track shows
  ///   the recording, because a reader of its own is cheaper then.
  /// - Throws: ``MediaError`` if the file or its decoder cannot be opened.
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
    state.withLock { $0.followers[number] = Consumer(decoder, toShow: first) }
    return decoder.fileLosses
  }

  /// Detaches follower `number` from its decoder.
  func leave(_ number: Int) {
    state.withLock { state in
      guard let follower = state.followers[number].take() else { return }
      state.trim(follower.decoder)
    }
  }

  /// Returns the next step of a follower; nil if the step was dropped already or it follows no
  /// decoder.
  func next(for number: Int) -> DecoderOutput? { state.withLock { $0.next(for: number) } }

  /// Converts a frame of the decoder that a track follows; nil if it follows none.
  func picture(of found: SharedDecodedFrame, for number: Int) -> SharedDecodedFrame.Conversion? {
    state.withLock { state in
      guard let decoder = state.followers[number]?.decoder else { return nil }
      return decoder.reader.picture(of: found)
    }
  }

  /// A decoder, and its steps that some followers still need.
  private final class Decoder: @unchecked Sendable {
    // Sendable, because it is only used under the lock.
    var reader: PictureReader
    private let source: PictureSource
    /// The packet at which decoding started.
    private let start: Int
    /// The latest steps, and the number of steps that were dropped before them.
    var steps: [DecoderOutput] = []
    var goneCount = 0
    var isEnded = false
    /// The defects of the file that were known when it was opened.
    let fileLosses: [MediaLoss.Cause]

    init(_ reader: consuming PictureReader, of source: PictureSource, start: Int) {
      (self.source, self.start) = (source, start)
      fileLosses = reader.fileLosses
      self.reader = reader
    }

    /// False if the decoder has advanced too far, or lost something, for a follower that starts at
    /// packet number `packet` to show picture `first`.
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
        DecoderOutput(
          picture: picture,
          number: picture.flatMap(source.number(of:)) ?? steps.last?.number ?? 0,
          found: picture == nil ? nil : reader.takeFound(), isBlank: reader.isBlank,
          losses: reader.takeLosses(),
          isWhole: reader.isWhole, fileLosses: reader.fileLosses))
      isEnded = picture == nil
    }
  }

  private struct Consumer {
    let decoder: Decoder
    /// The number of the follower's next step.
    var next: Int
    /// The picture before which the follower may skip steps; nil once it was reached.
    var first: Int?
    /// True if skipped steps contained a loss.
    var isSpoiled = false

    init(_ decoder: Decoder, toShow first: Int) {
      (self.decoder, next) = (decoder, decoder.goneCount)
      self.first = decoder.reader.isWhole ? first : nil
    }

    /// True if the follower cannot skip the first stored step.
    var needsFirst: Bool {
      guard next <= decoder.goneCount else { return false }
      guard let first, decoder.steps.count > 1 else { return true }
      return decoder.steps[1].number > first
    }
  }

  private struct State {
    /// Number of decoded pictures.
    var decodedCount = 0
    /// The followers by number; nil for a track that follows no decoder.
    var followers: [Consumer?] = []

    /// Largest number of steps that are stored for slow followers, and number of steps that are
    /// stored for followers that have not joined yet.
    static let (longest, shortest) = (24, 4)

    /// Makes a follower follow one of the open decoders; returns nil if none admits it.
    mutating func join(
      _ number: Int, from packet: Int, toShow first: Int
    ) -> [MediaLoss.Cause]? {
      let decoder = followers.lazy.compactMap { $0?.decoder }
        .first { $0.admits(from: packet, toShow: first) }
      followers[number] = decoder.map { Consumer($0, toShow: first) }
      return decoder?.fileLosses
    }

    mutating func next(for number: Int) -> DecoderOutput? {
      guard let follower = followers[number], !follower.isSpoiled else { return nil }
      let decoder = follower.decoder
      guard follower.next >= decoder.goneCount else { return nil }
      if follower.next == decoder.goneCount + decoder.steps.count {
        // After the end, every step is the end.
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

    /// Drops steps of `decoder` that no follower needs, and the oldest ones if there are too many.
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
