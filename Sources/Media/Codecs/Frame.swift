import CTesseraFFmpeg
import TesseraPixels

/// An owned `AVFrame`: a decoded picture or block of audio samples.
@safe struct Frame: ~Copyable {
  let raw: UnsafeMutablePointer<AVFrame>

  private init(owning raw: UnsafeMutablePointer<AVFrame>) { unsafe self.raw = unsafe raw }

  deinit {
    var raw: UnsafeMutablePointer<AVFrame>? = unsafe raw
    unsafe av_frame_free(&raw)
  }

  static func allocate() throws(FFmpegError) -> Frame {
    guard let raw = unsafe av_frame_alloc() else {
      throw .outOfMemory("take memory for a picture", "no file")
    }
    return unsafe Frame(owning: raw)
  }

  /// Allocates a frame with a buffer for a picture of the given format and size.
  static func allocate(_ format: AVPixelFormat, size: PixelSize) throws(FFmpegError) -> Frame {
    let frame = try allocate()
    unsafe frame.raw.pointee.format = format.rawValue
    unsafe frame.raw.pointee.width = CInt(size.width)
    unsafe frame.raw.pointee.height = CInt(size.height)
    try check(unsafe av_frame_get_buffer(frame.raw, 64), "take memory for a picture", "no file")
    return frame
  }

  /// Moves the content of this frame into a new one; this frame is empty afterwards.
  func move() throws(FFmpegError) -> Frame {
    let other = try Frame.allocate()
    unsafe av_frame_move_ref(other.raw, raw)
    return other
  }

  func clear() { unsafe av_frame_unref(raw) }

  /// Trims interleaved audio to the samples in `range`. `bytes` is the size of one sample of all
  /// channels.
  func keepSamples(_ range: Range<Int>, bytes: Int) {
    unsafe raw.pointee.data.0 = unsafe raw.pointee.data.0?.advanced(by: bytes * range.lowerBound)
    unsafe raw.pointee.nb_samples = CInt(range.count)
  }

  var size: PixelSize {
    PixelSize(width: Int(unsafe raw.pointee.width), height: Int(unsafe raw.pointee.height))
  }

  var pixelFormat: AVPixelFormat { AVPixelFormat(rawValue: unsafe raw.pointee.format) }

  /// The number of the packet that the frame was decoded from; `nil` if the decoder lost it.
  var packet: Int? { unsafe raw.pointee.pts.ticks.map { Int($0) } }

  var hasContent: Bool { unsafe raw.pointee.buf.0 != nil }

  var isInterlaced: Bool { unsafe cff_frame_is_interlaced(raw) != 0 }

  /// True if the picture depends on reference pictures that the decoder has not seen.
  var lacksReferences: Bool { unsafe raw.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0 }

  /// True if the decoder concealed errors in the picture.
  var isDamaged: Bool { unsafe raw.pointee.decode_error_flags != 0 }
}
