import Synchronization
import TesseraMedia
import TesseraPixels
import TesseraPlan
import TesseraSystem

/// Where all cursors of a group get their pictures from. Those of one recording share decoders.
final class PictureSupply: Sendable {
  private let recordings: [Key: SharedRecording]

  /// What two sources have in common whose pictures are the same.
  fileprivate struct Key: Hashable {
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

  /// A supply of the pictures of `sources`, each of which has one consumer.
  init(_ sources: [PictureSource], cancellation: Cancellation) {
    var recordings: [Key: SharedRecording] = [:]
    for (key, consumers) in Dictionary(grouping: sources, by: Key.init) {
      recordings[key] = SharedRecording(
        number: recordings.count, consumerCount: consumers.count, cancellation: cancellation)
    }
    self.recordings = recordings
  }

  /// How many recordings there are.
  var count: Int { recordings.count }

  /// How many pictures were decoded.
  var decodedCount: Int { recordings.values.reduce(0) { $0 + $1.decodedCount } }

  /// A consumer of the pictures of `source`.
  func consumer(of source: PictureSource) -> PictureConsumer {
    guard let recording = recordings[Key(source)] else {
      preconditionFailure("a supply is made for all its consumers")
    }
    return PictureConsumer(source: source, of: recording)
  }
}

/// One recording and its decoders.
final class SharedRecording: Sendable {
  /// Its place among the recordings of the supply.
  let number: Int
  let cancellation: Cancellation
  private let consumerCount: Int
  private let lastConsumer = Atomic<Int>(0)
  private let ownCount = Atomic<Int>(0)
  private let streams = Mutex(Streams())

  private struct Streams {
    /// Which decoder each consumer follows.
    var followed: [Int: PictureStream] = [:]
    /// What those decoded that are closed.
    var decodedCount = 0

    /// All that are open.
    var open: [PictureStream] {
      var seen: Set<ObjectIdentifier> = []
      return followed.sorted { $0.key < $1.key }.map(\.value)
        .filter { seen.insert(ObjectIdentifier($0)).inserted }
    }
  }

  fileprivate init(number: Int, consumerCount: Int, cancellation: Cancellation) {
    (self.number, self.consumerCount, self.cancellation) = (number, consumerCount, cancellation)
  }

  /// Whether anybody else may want its pictures.
  fileprivate var isShared: Bool { consumerCount > 1 }

  /// How many pictures were decoded.
  var decodedCount: Int {
    streams.withLock { $0.open.reduce($0.decodedCount) { $0 + $1.decodedCount } }
      + ownCount.load(ordering: .relaxed)
  }

  fileprivate func newConsumer() -> Int { lastConsumer.add(1, ordering: .relaxed).newValue }

  /// Counts pictures of a decoder that is not shared.
  fileprivate func count(_ pictures: Int) { ownCount.add(pictures, ordering: .relaxed) }

  /// Lets `consumer` follow a decoder of `source` from packet number `packet` on, to show picture
  /// `first`; returns what the file was known to lack.
  fileprivate func join(
    _ consumer: Int, _ source: PictureSource, from packet: Int, toShow first: Int
  ) throws(MediaError) -> [MediaLoss.Cause] {
    let joined = streams.withLock { streams in
      let stream = streams.open.first { $0.join(consumer, from: packet, toShow: first) }
      streams.followed[consumer] = stream
      return stream?.fileLosses
    }
    if let joined { return joined }
    let stream = PictureStream(
      try PictureReader.open(source, from: packet, cancellation: cancellation), of: source,
      start: packet, consumerCount: consumerCount)
    _ = stream.join(consumer, from: packet, toShow: first)
    streams.withLock { $0.followed[consumer] = stream }
    return stream.fileLosses
  }

  /// Lets `consumer` follow no decoder any more.
  fileprivate func leave(_ consumer: Int) {
    streams.withLock { streams in
      guard let stream = streams.followed.removeValue(forKey: consumer) else { return }
      stream.leave(consumer)
      if stream.isIdle { streams.decodedCount += stream.decodedCount }
    }
  }

  /// What comes next for `consumer`, which follows a decoder.
  fileprivate func next(for consumer: Int) -> PictureStream.Place {
    streams.withLock { $0.followed[consumer]?.next(for: consumer) } ?? .gone
  }

  /// What was found by the decoder that `consumer` follows, as a picture.
  fileprivate func picture(
    of found: FoundPicture, for consumer: Int
  ) -> FoundPicture.Made? {
    streams.withLock { $0.followed[consumer]?.picture(of: found) }
  }
}

/// Shows the pictures of a recording: opens readers, one after the other.
struct PictureConsumer: Sendable {
  /// The recording's number.
  var recording: Int { shared.number }

  fileprivate let source: PictureSource
  fileprivate let shared: SharedRecording
  fileprivate let number: Int

  fileprivate init(source: PictureSource, of shared: SharedRecording) {
    (self.source, self.shared, number) = (source, shared, shared.newConsumer())
  }

  /// A reader that begins with packet number `packet`, to show picture `first`.
  func open(from packet: Int, toShow first: Int) throws(MediaError) -> SuppliedReader {
    guard shared.isShared else {
      return SuppliedReader(try openAlone(from: packet), of: self, from: packet)
    }
    let losses = try shared.join(number, source, from: packet, toShow: first)
    return SuppliedReader(following: losses, of: self, from: packet)
  }

  fileprivate func openAlone(from packet: Int) throws(MediaError) -> PictureReader {
    try PictureReader.open(source, from: packet, cancellation: shared.cancellation)
  }
}

/// Reads pictures as a reader of one's own does: with one, or with what a decoder puts out that
/// others follow, too.
struct SuppliedReader: ~Copyable, PictureReading {
  private let consumer: PictureConsumer
  /// The packet that was asked for.
  private let start: Int
  /// The reader of one's own; nil while another decoder is followed.
  private var own: PictureReader?
  /// How many pictures of the reader of one's own are counted.
  private var countedCount = 0

  /// The step of the followed decoder that ``next()`` came to.
  private var step: PictureStream.Step?
  private var kept: FoundPicture?
  /// What was lost and not asked for.
  private var losses: [PacketLoss] = []
  /// Whether a picture could not be made.
  private var lacksPictures = false
  private var followedFileLosses: [MediaLoss.Cause] = []
  private(set) var decodedCount = 0

  fileprivate init(_ own: consuming PictureReader, of consumer: PictureConsumer, from start: Int) {
    (self.consumer, self.start) = (consumer, start)
    self.own = consume own
  }

  fileprivate init(
    following losses: [MediaLoss.Cause], of consumer: PictureConsumer, from start: Int
  ) {
    (self.consumer, self.start, followedFileLosses) = (consumer, start, losses)
    own = nil
  }

  deinit { if consumer.shared.isShared { consumer.shared.leave(consumer.number) } }

  var isWhole: Bool {
    guard !lacksPictures else { return false }
    switch own {
    case .some(let own): return own.isWhole
    case nil: return step?.isWhole ?? followedFileLosses.isEmpty
    }
  }

  var fileLosses: [MediaLoss.Cause] {
    switch own {
    case .some(let own): own.fileLosses
    case nil: followedFileLosses
    }
  }

  mutating func next() -> PictureID? {
    if own == nil {
      switch consumer.shared.next(for: consumer.number) {
      case .at(let step): return come(to: step)
      case .gone: goOnAlone()
      }
    }
    let picture = own?.next()
    count()
    return picture
  }

  private mutating func come(to step: PictureStream.Step) -> PictureID? {
    if step.picture != nil || self.step?.picture != nil || self.step == nil {
      losses += step.losses
    }
    (self.step, followedFileLosses) = (step, step.fileLosses)
    if step.picture != nil { decodedCount += 1 }
    return step.picture
  }

  private mutating func count() {
    let count = own?.decodedCount ?? 0
    consumer.shared.count(count - countedCount)
    decodedCount += count - countedCount
    countedCount = count
  }

  /// Opens a reader of one's own and goes on where the followed decoder was left.
  private mutating func goOnAlone() {
    // Whoever made the decoder's pictures is gone with it.
    if let kept { _ = consumer.shared.picture(of: kept, for: consumer.number) }
    consumer.shared.leave(consumer.number)
    do throws(MediaError) {
      own = try consumer.openAlone(from: start)
    } catch {
      followedFileLosses.append(.stoppedEarly(nil))
      return
    }
    guard let last = step?.picture else { return }
    while let picture = own?.next(), picture != last {}
    _ = own?.takeLosses()
    count()
  }

  mutating func takeLosses() -> [PacketLoss] {
    defer { losses.removeAll(keepingCapacity: true) }
    return losses + (own?.takeLosses() ?? [])
  }

  var isBlank: Bool {
    switch own {
    case .some(let own): own.isBlank
    case nil: step?.isBlank ?? false
    }
  }

  mutating func makePicture() -> Picture? {
    if own != nil { return own?.makePicture() }
    return step?.found.flatMap { picture(of: $0) }
  }

  mutating func keep() {
    own?.keep()
    kept = own == nil ? step?.found : nil
  }

  mutating func makeKeptPicture() -> Picture? {
    if let kept { return picture(of: kept) }
    return own?.makeKeptPicture()
  }

  private mutating func picture(of found: FoundPicture) -> Picture? {
    switch found.made ?? consumer.shared.picture(of: found, for: consumer.number) {
    case .picture(let picture): return picture
    case .lost(let loss):
      losses.append(loss)
      lacksPictures = true
      return nil
    case nil: return nil
    }
  }
}
