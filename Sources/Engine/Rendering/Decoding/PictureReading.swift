package import TesseraCodecs
import TesseraPlan

/// What a cursor reads with: pictures one after the other, in the order in which they are shown.
///
/// To read a picture and to make it usable are two steps, so that one that is never shown costs no
/// conversion.
protocol PictureReading: ~Copyable {
  associatedtype Picture: Sendable

  /// Goes on to the next picture and names it; nil after the last one.
  mutating func next() -> PictureID?
  /// True if ``next()`` came to where pictures cannot be shown: there is nothing to make or to keep,
  /// and the track shows nothing up to the next picture.
  var isBlank: Bool { get }
  /// The picture that ``next()`` found; nil where it cannot be made, which counts as a loss.
  mutating func makePicture() -> Picture?
  /// Puts what ``next()`` found aside, in place of what was put aside before.
  mutating func keep()
  /// The picture that was put aside; nil as for ``makePicture()``.
  mutating func makeKeptPicture() -> Picture?

  /// Whether nothing was lost since it was opened.
  var isWhole: Bool { get }
  /// What was lost with packets since this was asked last.
  mutating func takeLosses() -> [PacketLoss]
  /// What the file lacks as a whole.
  var fileLosses: [MediaLoss.Cause] { get }
}

extension PictureReader: PictureReading {}
