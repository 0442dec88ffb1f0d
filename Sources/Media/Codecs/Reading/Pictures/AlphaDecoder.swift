import CTesseraFFmpeg

/// Decodes the opacity that Matroska stores beside pictures of VP8 and VP9: a second stream of the
/// same codec, whose luma it is, in the packets' BlockAdditional.
///
/// Recorders leave it out where a picture is opaque, also in the middle of a stream. A packet without
/// it, or whose opacity depends on what was never seen, is opaque. A scan counts as keyframes only those
/// after which opacity depends on no earlier one, so that a decoder which begins there returns the same.
final class AlphaDecoder {
  private let decoder: StreamDecoder
  private let packet: Packet
  private let frame: Frame
  /// False until a keyframe of the opacity was decoded.
  private var isStarted = false

  init(_ decoder: consuming StreamDecoder) throws(FFmpegError) {
    self.decoder = decoder
    packet = try Packet.allocate()
    frame = try Frame.allocate()
  }

  /// Decodes the opacity of `picture`, packet number `number` of its stream; returns true if there is
  /// one that cannot be decoded without damage.
  func send(_ picture: borrowing Packet, number: Int) -> Bool {
    frame.clear()
    guard picture.copyAlpha(into: packet) else { return false }
    defer { packet.clear() }
    isStarted = unsafe isStarted || packet.withPayload(decoder.coding.isKey)
    guard isStarted else { return true }
    do throws(FFmpegError) {
      let isComplaining = try decoder.send(packet, number: number)
      _ = try decoder.receive(into: frame)
      return isComplaining
    } catch {
      return true
    }
  }

  /// Makes the opacity that was decoded last a plane of `picture`, if it belongs to it.
  func add(to picture: borrowing Frame) throws(FFmpegError) {
    guard frame.packet != nil, frame.packet == picture.packet, frame.size == picture.size,
      picture.pixelFormat == AV_PIX_FMT_YUV420P
    else { return }
    try check(
      unsafe cff_add_alpha(picture.raw, frame.raw), "take memory for a picture", "no file")
  }

  func reset() {
    frame.clear()
    decoder.flush()
    isStarted = false
  }
}

extension Packet {
  /// Copies the coded opacity that the packet carries into `other`; false where it has none.
  func copyAlpha(into other: borrowing Packet) -> Bool {
    unsafe cff_copy_alpha(raw, other.raw) > 0
  }

  /// The coded opacity that the packet carries, for as long as `body` runs; nil where it has none.
  func withAlpha<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    var count = 0
    guard let bytes = unsafe cff_alpha(raw, &count) else { return nil }
    return unsafe body(UnsafeRawBufferPointer(start: bytes, count: count))
  }
}
