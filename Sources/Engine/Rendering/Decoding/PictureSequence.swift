package import TesseraCodecs

/// The reader that a ``PictureCursor`` uses: pictures one after the other, in display order.
///
/// Finding a picture and converting it are separate steps, so that a picture that is never shown is
/// not converted.
protocol PictureSequence: ~Copyable {
  associatedtype Picture: Sendable

  /// Advances to the next picture and returns its identifier; nil after the last one.
  mutating func next() -> DecodedPictureID?
  /// True if ``next()`` reached a position from which pictures cannot be shown: the track shows
  /// nothing up to the next picture, and there is nothing to convert or keep.
  var isBlank: Bool { get }
  /// Converts the picture that ``next()`` found; nil, and a loss, if that fails.
  mutating func makePicture() -> Picture?
  /// Keeps the picture that ``next()`` found, in place of the one kept before.
  mutating func keep()
  /// Converts the kept picture; nil, and a loss, if that fails.
  mutating func makeKeptPicture() -> Picture?

  /// True if nothing was lost since the reader was opened.
  var isWhole: Bool { get }
  /// Returns the packet losses since the last call.
  mutating func takeLosses() -> [PacketLoss]
  /// The defects of the file as a whole.
  var fileLosses: [MediaLoss.Cause] { get }
}

extension PictureReader: PictureSequence {}
