import CTesseraFFmpeg

/// Decodes the alpha channel that Matroska stores beside VP8 and VP9 pictures: a second stream of
/// that codec in the packets' BlockAdditional, whose luma is the alpha.
///
/// Recorders omit the alpha of opaque pictures, even in the middle of a stream. A picture is opaque
/// if its packet has no alpha, or if its alpha depends on a picture that was never decoded. A scan
/// accepts only those keyframes after which alpha depends on no earlier one, so that a decoder that
/// starts there returns identical pictures.
final class AlphaDecoder {
  private let decoder: StreamDecoder
  private let packet: Packet
  private let frame: Frame
  /// False until a keyframe of the alpha stream was decoded.
  private var isStarted = false

  init(_ decoder: consuming StreamDecoder) throws(FFmpegError) {
    self.decoder = decoder
    packet = try Packet.allocate()
    frame = try Frame.allocate()
  }

  /// Decodes the alpha of `picture`, packet number `number` of its stream. Returns true if there is
  /// alpha that is damaged or cannot be decoded.
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

  /// Adds the last decoded alpha to `picture` as a plane, if it belongs to that picture.
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
  /// Copies the coded alpha of the packet into `other`; returns false if the packet has none.
  func copyAlpha(into other: borrowing Packet) -> Bool {
    unsafe cff_copy_alpha(raw, other.raw) > 0
  }

  /// Calls `body` with the coded alpha, which is valid only during the call; returns `nil` if the
  /// packet has none.
  func withAlpha<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    var count = 0
    guard let bytes = unsafe cff_alpha(raw, &count) else { return nil }
    return unsafe body(UnsafeRawBufferPointer(start: bytes, count: count))
  }
}
