import TesseraCodecs
import TesseraPixels

/// Reads a recording's pictures for one track: with a decoder of its own, or by following one that
/// other tracks share.
struct TrackPictureReader: ~Copyable, PictureSequence {
  private let pictures: SharedPictureDecoder
  /// The track's number among the followers of `pictures`.
  private let number: Int
  private let source: PictureSource
  /// The packet number at which reading starts.
  private let start: Int
  /// The tap's own reader; nil while it follows a shared decoder.
  private var own: PictureReader?
  /// Number of pictures of the own reader that were reported to `pictures`.
  private var countedCount = 0

  /// The current step of the shared decoder.
  private var step: SharedPictureDecoder.DecoderOutput?
  private var kept: SharedDecodedFrame?
  /// Losses that ``takeLosses()`` has not returned yet.
  private var losses: [PacketLoss] = []
  /// True if a picture could not be converted.
  private var lacksPictures = false
  private var followedFileLosses: [MediaLoss.Cause] = []

  private init(
    _ pictures: SharedPictureDecoder, _ number: Int, _ source: PictureSource, from packet: Int
  ) {
    (self.pictures, self.number, self.source, start) = (pictures, number, source, packet)
    own = nil
  }

  /// Opens a reader for follower `number` of `pictures` that starts at packet number `packet` of
  /// `source`, to show picture `first`.
  ///
  /// - Throws: ``MediaError`` if the file or its decoder cannot be opened.
  static func open(
    _ pictures: SharedPictureDecoder, _ number: Int, _ source: PictureSource, from packet: Int,
    toShow first: Int
  ) throws(MediaError) -> TrackPictureReader {
    var trackReader = TrackPictureReader(pictures, number, source, from: packet)
    if let losses = try pictures.join(number, source, from: packet, toShow: first) {
      trackReader.followedFileLosses = losses
    } else {
      try trackReader.openOwn()
    }
    return trackReader
  }

  deinit { pictures.leave(number) }

  private mutating func openOwn() throws(MediaError) {
    own = try PictureReader.open(source, from: start, cancellation: pictures.cancellation)
  }

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

  mutating func next() -> DecodedPictureID? {
    if own == nil {
      if let step = pictures.next(for: number) { return come(to: step) }
      goOnAlone()
    }
    let picture = own?.next()
    count()
    return picture
  }

  private mutating func come(to step: SharedPictureDecoder.DecoderOutput) -> DecodedPictureID? {
    if step.picture != nil || self.step?.picture != nil || self.step == nil {
      losses += step.losses
    }
    (self.step, followedFileLosses) = (step, step.fileLosses)
    return step.picture
  }

  private mutating func count() {
    let count = own?.decodedCount ?? 0
    pictures.count(count - countedCount)
    countedCount = count
  }

  /// Opens an own reader and continues where the shared decoder was left.
  private mutating func goOnAlone() {
    // The kept frame belongs to the shared decoder: convert it first.
    if let kept { _ = pictures.picture(of: kept, for: number) }
    pictures.leave(number)
    do throws(MediaError) {
      try openOwn()
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

  private mutating func picture(of found: SharedDecodedFrame) -> Picture? {
    switch found.made ?? pictures.picture(of: found, for: number) {
    case .picture(let picture): return picture
    case .lost(let loss):
      losses.append(loss)
      lacksPictures = true
      return nil
    case nil: return nil
    }
  }
}
