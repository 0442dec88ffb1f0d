import CTesseraFFmpeg
import Glibc
import TesseraSystem

/// What libav* reads of a file that is being fetched.
@safe final class PartialInput {
  private let file: PartialFile
  private let cancellation: Cancellation
  private var position = 0
  private(set) var context: UnsafeMutablePointer<AVIOContext>?

  private static let bufferSize = 32 << 10

  /// nil where the file at `path` is whole.
  init?(_ path: String, _ cancellation: Cancellation) {
    guard let file = PartialFile.open(path),
      let buffer = unsafe av_malloc(Self.bufferSize)?.assumingMemoryBound(to: UInt8.self)
    else { return nil }
    (self.file, self.cancellation) = (file, cancellation)
    unsafe context = unsafe avio_alloc_context(
      buffer, CInt(Self.bufferSize), 0, Unmanaged.passUnretained(self).toOpaque(),
      { opaque, buffer, count in
        unsafe PartialInput.of(opaque)?.read(buffer, Int(count)) ?? CFF_ERROR_EXIT
      }, nil,
      { opaque, offset, whence in
        unsafe PartialInput.of(opaque)?.seek(offset, whence) ?? Int64(CFF_ERROR_EXIT)
      })
  }

  deinit {
    if let context = unsafe context { unsafe av_freep(&context.pointee.buffer) }
    unsafe avio_context_free(&context)
  }

  @unsafe private static func of(_ opaque: UnsafeMutableRawPointer?) -> PartialInput? {
    unsafe opaque.map { unsafe Unmanaged<PartialInput>.fromOpaque($0).takeUnretainedValue() }
  }

  @unsafe private func read(_ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int) -> CInt {
    guard position < file.size else { return CFF_ERROR_EOF }
    switch file.wait(for: position, cancellation) {
    case .there: break
    case .cancelled: return CFF_ERROR_EXIT
    case .abandoned:
      // Going on would render without what is only not fetched.
      cancellation.cancel(because: EOWNERDEAD)
      return CFF_ERROR_EXIT
    }
    let there = file.available(at: position, count: count)
    let result = unsafe pread(file.descriptor, buffer, there, position)
    guard result > 0 else { return cff_averror(EIO) }
    position += result
    return CInt(result)
  }

  @unsafe private func seek(_ offset: Int64, _ whence: CInt) -> Int64 {
    let origin: Int
    switch whence & ~AVSEEK_FORCE {
    case AVSEEK_SIZE: return Int64(file.size)
    case SEEK_SET: origin = 0
    case SEEK_CUR: origin = position
    case SEEK_END: origin = file.size
    default: return Int64(cff_averror(EINVAL))
    }
    let (target, overflows) = origin.addingReportingOverflow(Int(offset))
    guard !overflows, target >= 0 else { return Int64(cff_averror(EINVAL)) }
    position = target
    return Int64(target)
  }
}
