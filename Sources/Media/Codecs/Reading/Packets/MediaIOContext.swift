import CTesseraFFmpeg
import Glibc
import TesseraSystem
import TesseraTimeline

/// The custom I/O of a demuxer, for files that are still being downloaded and for segments that are
/// read as one file.
@safe final class MediaIOContext {
  /// True if the input is a sequence of segments.
  let isSegmented: Bool
  private let pieces: [SegmentedFile.ByteRange]
  /// The byte offset of each piece in the concatenated input, then the total size.
  private let starts: [Int64]
  private let cancellation: Cancellation
  private var position: Int64 = 0
  /// The file of the piece that was read last.
  private var open: (piece: Int, file: Source)?
  private(set) var context: UnsafeMutablePointer<AVIOContext>?

  private static let bufferSize = 32 << 10

  /// A local file, complete or still being downloaded.
  private enum Source {
    case partial(PartialFile)
    case whole(SharedFileHandle)
  }

  /// A reference-counted open file.
  private final class SharedFileHandle {
    let file: RegularFile
    init(_ path: String) throws(SystemError) { file = try RegularFile(path) }
  }

  /// Creates the input for the file or the run of segments at `path`; returns `nil` for a complete
  /// file. A segment of fragmented MP4 is preceded by its initialization segment; the first part of
  /// a browser's recording is followed by its later parts.
  ///
  /// - Throws: ``MediaError`` if a playlist cannot be read.
  static func open(_ path: String, _ cancellation: Cancellation) throws(MediaError)
    -> MediaIOContext?
  {
    if let (playlist, run) = SegmentedFile.parts(of: path) {
      let pieces = try SegmentedFile.run(run ?? 0, of: playlist).pieces
      return MediaIOContext(pieces, isSegmented: true, cancellation)
    }
    guard let file = PartialFile.open(path) else {
      let files = SegmentedFile.files(of: path)
      guard files.count > 1 else { return nil }
      let pieces = files.map { path in
        let size = FileOperations.byteCount(of: path)
        return SegmentedFile.ByteRange(path: path, offset: 0, count: Int64(size))
      }
      return MediaIOContext(pieces, isSegmented: true, cancellation)
    }
    let piece = SegmentedFile.ByteRange(path: path, offset: 0, count: Int64(file.size))
    let input = MediaIOContext([piece], isSegmented: false, cancellation)
    input?.open = (0, .partial(file))
    return input
  }

  private init?(
    _ pieces: [SegmentedFile.ByteRange], isSegmented: Bool, _ cancellation: Cancellation
  ) {
    guard let buffer = unsafe av_malloc(Self.bufferSize)?.assumingMemoryBound(to: UInt8.self)
    else { return nil }
    (self.pieces, self.isSegmented, self.cancellation) = (pieces, isSegmented, cancellation)
    starts = pieces.reduce(into: [0]) { $0.append(($0.last ?? 0) +| $1.count) }
    unsafe context = unsafe avio_alloc_context(
      buffer, CInt(Self.bufferSize), 0, Unmanaged.passUnretained(self).toOpaque(),
      { opaque, buffer, count in
        unsafe MediaIOContext.of(opaque)?.read(buffer, Int(count)) ?? CFF_ERROR_EXIT
      }, nil,
      { opaque, offset, whence in
        unsafe MediaIOContext.of(opaque)?.seek(offset, whence) ?? Int64(CFF_ERROR_EXIT)
      })
  }

  deinit {
    if let context = unsafe context { unsafe av_freep(&context.pointee.buffer) }
    unsafe avio_context_free(&context)
  }

  @unsafe private static func of(_ opaque: UnsafeMutableRawPointer?) -> MediaIOContext? {
    unsafe opaque.map { unsafe Unmanaged<MediaIOContext>.fromOpaque($0).takeUnretainedValue() }
  }

  private var size: Int64 { starts.last ?? 0 }

  @unsafe private func read(_ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int) -> CInt {
    while position < size {
      guard !cancellation.isCancelled else { return CFF_ERROR_EXIT }
      let piece = starts.partitioningIndex { $0 > position } -| 1
      let place = position -| starts[piece]
      let wanted = Int(min(Int64(count), pieces[piece].count -| place))
      let offset = Int(pieces[piece].offset +| place)
      let result: Int
      switch source(piece) {
      case .partial(let file):
        switch file.wait(for: offset, cancellation) {
        case .there: break
        case .cancelled: return CFF_ERROR_EXIT
        case .abandoned:
          // Continuing would render without media that merely has not been downloaded.
          cancellation.cancel(because: EOWNERDEAD)
          return CFF_ERROR_EXIT
        }
        let there = file.available(at: offset, count: wanted)
        result = unsafe pread(file.descriptor, buffer, there, offset)
        guard result > 0 else { return cff_averror(EIO) }
      case .whole(let file):
        result = unsafe pread(file.file.descriptor, buffer, wanted, offset)
      case nil:
        result = 0
      }
      guard result <= 0 else {
        position +|= Int64(result)
        return CInt(result)
      }
      // The file was truncated or removed: continue with the next piece; the demuxer reports the
      // loss.
      position = starts[piece + 1]
    }
    return CFF_ERROR_EOF
  }

  private func source(_ piece: Int) -> Source? {
    let path = pieces[piece].path
    if let open, pieces[open.piece].path == path { return open.file }
    open = nil
    if let file = PartialFile.open(path) {
      open = (piece, .partial(file))
    } else if let file = try? SharedFileHandle(path) {
      open = (piece, .whole(file))
    }
    return open?.file
  }

  @unsafe private func seek(_ offset: Int64, _ whence: CInt) -> Int64 {
    let origin: Int64
    switch whence & ~AVSEEK_FORCE {
    case AVSEEK_SIZE: return size
    case SEEK_SET: origin = 0
    case SEEK_CUR: origin = position
    case SEEK_END: origin = size
    default: return Int64(cff_averror(EINVAL))
    }
    let (target, overflows) = origin.addingReportingOverflow(offset)
    guard !overflows, target >= 0 else { return Int64(cff_averror(EINVAL)) }
    position = target
    return target
  }
}
