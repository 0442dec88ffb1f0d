import CTesseraFFmpeg
import TesseraMessages
import TesseraSystem
import TesseraTimeline

/// Consecutive video segments, read as one stream.
struct VideoSegmentSequence {
  private let pieces: [Stitcher.Input]
  /// The codec parameters, equal in all segments; `nil` if there are no segments.
  private(set) var parameters: CodecParameters?
  /// The frame numbers of the keyframes, counted from the first segment's start, in ascending
  /// order.
  private(set) var keyframes: [Int64] = []
  private(set) var frameCount: Int64 = 0
  /// The number of frames by which decoding precedes presentation, the maximum of all segments.
  private var delay: Int64 = 0

  /// Opens and verifies all segments; returns `nil` if that was cancelled.
  ///
  /// - Throws: ``Stitcher/Failure`` if a segment is invalid or incomplete, or its format differs
  ///   from the first one's.
  init?(_ pieces: [Stitcher.Input], cancellation: Cancellation) throws(Stitcher.Failure) {
    self.pieces = pieces
    for piece in pieces {
      if cancellation.isCancelled { return nil }
      let reader = try Self.open(piece)
      let head = reader.head
      if let parameters {
        guard head.parameters == parameters else {
          throw .gap("\(file: piece.path) has another format than \(file: pieces[0].path)")
        }
      } else {
        parameters = head.parameters
      }
      guard reader.tail.packetCount == head.range.count else {
        throw .gap("\(file: piece.path) does not hold all of its frames")
      }
      keyframes += reader.keyframes.map { $0 &- head.range.lowerBound &+ frameCount }
      frameCount &+= Int64(head.range.count)
      delay = max(delay, reader.tail.delay)
    }
    keyframes.sort()
  }

  var milliseconds: Int64 {
    guard let base = parameters?.timeBase.rational else { return 0 }
    return av_rescale_q(frameCount, base, AVRational(num: 1, den: 1000))
  }

  /// Returns a reader that starts with the first packet.
  func reader() -> Reader { Reader(self) }

  /// Iterates over the packets of all segments in decoding order.
  struct Reader: ~Copyable {
    private let segments: VideoSegmentSequence
    private var upcoming: ArraySlice<Stitcher.Input>
    private var current: PacketFileReader?
    /// The number of frames in all segments before the current one, and the offset of the current
    /// one's timestamps.
    private var (passed, offset): (Int64, Int64) = (0, 0)
    private var index: Int64 = 0

    fileprivate init(_ segments: VideoSegmentSequence) {
      self.segments = segments
      upcoming = segments.pieces[...]
    }

    /// Returns the next packet, with timestamps counted from the first frame; returns `nil` after
    /// the last one.
    mutating func next() throws(Stitcher.Failure) -> EncodedPacket? {
      while true {
        if let packet = try Stitcher.output({ () throws(FFmpegError) in try current?.next() }) {
          // The frame rate is constant, so the position in the stream is the decoding timestamp.
          packet.times = (
            packet.times.presentation &+ offset, index &- segments.delay
          )
          packet.duration = 1
          index &+= 1
          return packet
        }
        guard let piece = upcoming.popFirst() else { return nil }
        let opened = try VideoSegmentSequence.open(piece)
        offset = passed &- opened.head.range.lowerBound
        passed &+= Int64(opened.head.range.count)
        current = consume opened
      }
    }
  }

  /// Opens a packet file and verifies its checksum and digest.
  static func open(_ piece: Stitcher.Input) throws(Stitcher.Failure) -> PacketFileReader {
    do throws(PacketFile.OpenError) {
      return try PacketFileReader(piece.path, digest: piece.digest)
    } catch {
      throw .piece(error)
    }
  }
}
