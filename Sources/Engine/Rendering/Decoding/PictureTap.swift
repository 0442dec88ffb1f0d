import TesseraCodecs
import TesseraPixels
import TesseraPlan

/// Reads the pictures of a recording for one track: with a decoder of its own, or from what one puts
/// out that others follow, too.
struct PictureTap: ~Copyable, PictureReading {
  private let pictures: SharedPictures
  /// The track's number among the followers.
  private let number: Int
  private let source: PictureSource
  /// The packet that was asked for.
  private let start: Int
  /// The reader of one's own; nil while another decoder is followed.
  private var own: PictureReader?
  /// The number of pictures of the reader of one's own that are counted.
  private var countedCount = 0

  /// The step of the followed decoder that ``next()`` came to.
  private var step: SharedPictures.Step?
  private var kept: FoundPicture?
  /// Losses that were not asked for.
  private var losses: [PacketLoss] = []
  /// True once a picture could not be made.
  private var lacksPictures = false
  private var followedFileLosses: [MediaLoss.Cause] = []

  private init(
    _ pictures: SharedPictures, _ number: Int, _ source: PictureSource, from packet: Int
  ) {
    (self.pictures, self.number, self.source, start) = (pictures, number, source, packet)
    own = nil
  }

  /// A reader for the follower of `pictures` with that `number`, which begins with packet number
  /// `packet` of `source`, to show picture `first`.
  ///
  /// - Throws: ``MediaError`` where the file or its decoder cannot be opened.
  static func open(
    _ pictures: SharedPictures, _ number: Int, _ source: PictureSource, from packet: Int,
    toShow first: Int
  ) throws(MediaError) -> PictureTap {
    var tap = PictureTap(pictures, number, source, from: packet)
    if let losses = try pictures.join(number, source, from: packet, toShow: first) {
      tap.followedFileLosses = losses
    } else {
      try tap.openOwn()
    }
    return tap
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

  mutating func next() -> PictureID? {
    if own == nil {
      if let step = pictures.next(for: number) { return come(to: step) }
      goOnAlone()
    }
    let picture = own?.next()
    count()
    return picture
  }

  private mutating func come(to step: SharedPictures.Step) -> PictureID? {
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

  /// Opens a reader of one's own and goes on where the followed decoder was left.
  private mutating func goOnAlone() {
    // Whoever made the decoder's pictures is gone with it.
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

  private mutating func picture(of found: FoundPicture) -> Picture? {
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
