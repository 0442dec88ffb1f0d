import CTesseraFFmpeg

/// Counts the samples in Vorbis packets. The count of a packet depends on its predecessor, and a
/// chained stream in the same file brings its own headers.
@safe final class VorbisSampleCounter {
  private var parser: OpaquePointer?
  private var rate: Int
  private var hasBegun = false
  /// The headers of a chained stream received so far.
  private var headers: [[UInt8]] = []

  /// The packet type byte of each of the three headers.
  private static let headerTypes: [UInt8] = [1, 3, 5]
  /// The bytes after the packet type in a header.
  private static let magic = Array("vorbis".utf8)

  /// Creates a counter for a stream whose three headers are in `extradata`; returns `nil` if they
  /// are invalid.
  init?(_ extradata: UnsafePointer<UInt8>?, count: CInt, rate: Int) {
    self.rate = rate
    unsafe parser = unsafe av_vorbis_parse_init(extradata, count)
    guard unsafe parser != nil else { return nil }
  }

  deinit { unsafe av_vorbis_parse_free(&parser) }

  /// Returns the duration of a packet: 0 for a header and for the first packet after the headers,
  /// `nil` for invalid data.
  func length(_ data: Span<UInt8>) -> AudioFrameHeaderParser.SampleDuration? {
    if let type = Self.headerType(data) {
      take(data, type)
      return AudioFrameHeaderParser.SampleDuration(samples: 0, rate: rate)
    }
    let count = unsafe data.withUnsafeBufferPointer {
      unsafe av_vorbis_parse_frame(parser, $0.baseAddress, CInt(clamping: $0.count))
    }
    guard count >= 0 else { return nil }
    defer { hasBegun = true }
    return AudioFrameHeaderParser.SampleDuration(samples: hasBegun ? Int(count) : 0, rate: rate)
  }

  private static func headerType(_ data: Span<UInt8>) -> Int? {
    guard data.count > magic.count,
      magic.indices.allSatisfy({ data[$0 + 1] == magic[$0] })
    else { return nil }
    return headerTypes.firstIndex(of: data[0])
  }

  /// Collects a header, and switches to the chained stream when all three have come.
  private func take(_ data: Span<UInt8>, _ type: Int) {
    if type == 0 { headers = [] }
    guard headers.count == type else { return }
    headers.append(data.indices.map { data[$0] })
    guard headers.count == Self.headerTypes.count, headers[0].count >= 16 else { return }
    let sizes = headers.dropLast().flatMap { header in
      Array(repeating: UInt8(255), count: header.count / 255) + [UInt8(header.count % 255)]
    }
    let extradata = [UInt8(headers.count - 1)] + sizes + headers.joined()
    let other = unsafe extradata.withUnsafeBufferPointer {
      unsafe av_vorbis_parse_init($0.baseAddress, CInt(clamping: $0.count))
    }
    guard unsafe other != nil else { return }
    unsafe av_vorbis_parse_free(&parser)
    unsafe parser = unsafe other
    rate = headers[0][12..<16].reversed().reduce(0) { $0 << 8 | Int($1) }
    hasBegun = false
  }
}
