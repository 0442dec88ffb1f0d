import CTesseraFFmpeg
import TesseraPixels

/// Converts pictures between sizes and pixel formats with libswscale. The output does not depend on
/// the processor.
@safe struct Scaler: ~Copyable {
  private let raw: OpaquePointer
  private let path: String

  /// Creates a scaler. `options` (`CFF_SCALE_…`) select the filters; the default is bicubic. Errors
  /// name `path`.
  ///
  /// - Throws: ``FFmpegError`` if libswscale does not support the formats, or if memory runs out.
  init(
    from source: PixelSize, _ sourceFormat: AVPixelFormat, to result: PixelSize,
    _ resultFormat: AVPixelFormat, options: Int, path: String
  ) throws(FFmpegError) {
    guard
      let raw = unsafe cff_scaler_alloc(
        CInt(source.width), CInt(source.height), sourceFormat,
        CInt(result.width), CInt(result.height), resultFormat, CInt(options))
    else {
      throw FFmpegError(code: CFF_ERROR_PATCH_WELCOME, operation: Self.operation, path: path)
    }
    unsafe self.raw = unsafe raw
    self.path = path
  }

  deinit { unsafe cff_scaler_free(raw) }

  private static let operation = "convert a picture's format"

  /// Sets the color matrix of input and output (BT.709, BT.2020, otherwise BT.601) and the range of
  /// each.
  func setColors(_ space: AVColorSpace, isFull: Bool, resultIsFull: Bool) {
    unsafe cff_scaler_set_colors(raw, space, isFull ? 1 : 0, resultIsFull ? 1 : 0)
  }

  /// Converts `frame` into `result`, whose buffer must be allocated.
  func scale(_ frame: borrowing Frame, into result: borrowing Frame) throws(FFmpegError) {
    try check(unsafe cff_scale(raw, result.raw, frame.raw), Self.operation, path)
  }

  /// Converts the picture in `planes` into `result`, whose buffer must be allocated.
  func scale(_ planes: [Plane], into result: borrowing Frame) throws(FFmpegError) {
    let bases: [UnsafePointer<UInt8>?] = unsafe planes.map { unsafe $0.base }
    let rows = unsafe cff_scale_planes(
      raw, result.raw, bases, planes.map { CInt($0.stride) }, CInt(planes[0].size.height))
    try check(rows, Self.operation, path)
  }
}
