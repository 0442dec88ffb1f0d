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
    let (data, strides) = unsafe (frame.raw.pointee.data, frame.raw.pointee.linesize)
    let (to, steps) = unsafe (result.raw.pointee.data, result.raw.pointee.linesize)
    guard let alpha = unsafe data.3,
      let sources = unsafe Self.planes(data.0, data.1, data.2),
      let results = unsafe Self.planes(to.0, to.1, to.2)
    else { preconditionFailure("a decoded picture has its planes") }
    for y in 0..<size.height {
      let row = unsafe (
        sources.0 + y * Int(strides.0), alpha + y * Int(strides.3), results.0 + y * Int(steps.0)
      )
      for x in 0..<size.width {
        unsafe row.2[x] = Self.mixed(row.0[x], Int(row.1[x]), luma)
      }
    }
    for y in 0..<size.chroma.height {
      let upper = unsafe alpha + 2 * y * Int(strides.3)
      let lower = unsafe alpha + min(2 * y + 1, size.height - 1) * Int(strides.3)
      let from = unsafe (sources.1 + y * Int(strides.1), sources.2 + y * Int(strides.2))
      let into = unsafe (results.1 + y * Int(steps.1), results.2 + y * Int(steps.2))
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

  private typealias Planes = (
    UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt8>
  )

  private static func planes(
    _ luma: UnsafeMutablePointer<UInt8>?, _ blue: UnsafeMutablePointer<UInt8>?,
    _ red: UnsafeMutablePointer<UInt8>?
  ) -> Planes? {
    guard let luma = unsafe luma, let blue = unsafe blue, let red = unsafe red else { return nil }
    return unsafe (luma, blue, red)
  }

  /// Blends `sample` over `background` with `alpha` of 255, rounded half up.
  private static func mixed(_ sample: UInt8, _ alpha: Int, _ background: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: (Int(sample) &* alpha &+ background &* (255 &- alpha) &+ 127) / 255)
  }
}
