import CTesseraFFmpeg
import TesseraPixels

/// Composites pictures with an alpha channel over one background color. Input: planar 8-bit 4:2:0
/// with a plane of straight (not premultiplied) alpha.
struct AlphaCompositor {
  private let luma, blue, red: Int

  /// Creates a blend over `background`; `color` is the color space of the pictures.
  init(over background: Color, color: ColorSpace) {
    (luma, blue, red) = background.numbers(in: color)
  }

  /// Returns an opaque frame of equal size.
  func blended(_ frame: borrowing Frame) throws(FFmpegError) -> Frame {
    let size = frame.size
    let result = try Frame.allocate(AV_PIX_FMT_YUV420P, size: size)
    try check(
      unsafe av_frame_copy_props(result.raw, frame.raw), "take over a picture's facts", "no file")
    let sources = [frame.plane(0), frame.plane(1), frame.plane(2)]
    let results = [result.plane(0), result.plane(1), result.plane(2)]
    let stride = Int(unsafe frame.raw.pointee.linesize.3)
    guard let alpha = unsafe frame.raw.pointee.data.3 else {
      preconditionFailure("a decoded picture has its planes")
    }
    func row(_ plane: MutablePlane, _ y: Int) -> UnsafeMutablePointer<UInt8> {
      unsafe plane.base + y * plane.stride
    }
    for y in 0..<size.height {
      let row = unsafe (row(sources[0], y), alpha + y * stride, row(results[0], y))
      for x in 0..<size.width {
        unsafe row.2[x] = Self.mixed(row.0[x], Int(row.1[x]), luma)
      }
    }
    for y in 0..<size.chroma.height {
      let upper = unsafe alpha + 2 * y * stride
      let lower = unsafe alpha + min(2 * y + 1, size.height - 1) * stride
      let from = unsafe (row(sources[1], y), row(sources[2], y))
      let into = unsafe (row(results[1], y), row(results[2], y))
      for x in 0..<size.chroma.width {
        let next = min(2 * x + 1, size.width - 1)
        let sum =
          unsafe Int(upper[2 * x]) + Int(upper[next]) + Int(lower[2 * x]) + Int(lower[next])
        unsafe into.0[x] = Self.mixed(from.0[x], (sum + 2) / 4, blue)
        unsafe into.1[x] = Self.mixed(from.1[x], (sum + 2) / 4, red)
      }
    }
    return result
  }

  /// Blends `sample` over `background` with `alpha` of 255, rounded half up.
  private static func mixed(_ sample: UInt8, _ alpha: Int, _ background: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: (Int(sample) &* alpha &+ background &* (255 &- alpha) &+ 127) / 255)
  }
}
