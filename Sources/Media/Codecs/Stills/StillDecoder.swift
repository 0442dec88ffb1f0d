internal import CTesseraFFmpeg
import TesseraMessages
package import TesseraPixels
import TesseraSystem

/// Loads PNG, JPEG, WebP and GIF files. Declared sizes are checked before memory is allocated.
package struct StillDecoder: ImageLoader {
  /// The maximum size of a file, in bytes.
  static let largestFile = 64 << 20

  /// Creates a loader, which has no state.
  package init() {}

  /// Decodes the file at `path`, upright, downscaled so that the longer side is at most
  /// `longestSide` pixels.
  package func image(
    at path: String, longestSide: Int
  ) throws(ImageFileError) -> LoadedImage {
    _ = FFmpegLog.installed
    _ = FFmpegLog.takeLastLine()
    let bytes = try Self.content(of: path)
    do throws(ImageFileError.Reason) {
      let header = try StillHeader(bytes)
      try Self.check(header.size)
      guard header.isWhole else { throw .truncated }
      let hasFrames = header.isAnimated && header.format == .webp
      let first = hasFrames ? StillHeader.firstPicture(ofWebP: bytes) : bytes
      guard let first else { throw .damaged(nil) }
      let image = try ColorImageDecoder.decode(
        first, header.format, longestSide: max(1, min(longestSide, Demuxer.longestSide)))
      let note: UserMessage? =
        header.isAnimated ? "\(file: path) is animated: only its first picture is used." : nil
      return LoadedImage(image, note: note)
    } catch {
      throw ImageFileError(path: path, reason: error)
    }
  }

  private static func check(_ size: PixelSize) throws(ImageFileError.Reason) {
    guard size.width >= 1, size.height >= 1 else { throw .damaged(nil) }
    guard max(size.width, size.height) <= Demuxer.longestSide,
      size.area <= Demuxer.largestPicture
    else { throw .tooManyPixels(size) }
  }

  private static func content(of path: String) throws(ImageFileError) -> [UInt8] {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try RegularFile.bytes(path, atMost: largestFile + 1)
    } catch {
      throw ImageFileError(
        path: path, reason: error.isNotRegular ? .notARegularFile : .unreadable(error.reason))
    }
    guard bytes.count <= largestFile else {
      throw ImageFileError(path: path, reason: .fileTooLarge(maximum: largestFile))
    }
    return bytes
  }
}
