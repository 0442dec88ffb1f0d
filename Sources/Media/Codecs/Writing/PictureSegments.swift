import CTesseraFFmpeg
import TesseraSystem
import TesseraTimeline

/// Segments of pictures that follow each other, as one stream.
struct PictureSegments {
  private let pieces: [Stitcher.Piece]
  /// The stream; nil where there are no segments.
  private(set) var parameters: StreamParameters?
  /// When the frames are shown that decoding can begin with: their numbers from the first one.
  private(set) var keyframes: [Int64] = []
  /// The number of frames.
  private(set) var frameCount: Int64 = 0
  private var delay: Int64 = 0

  /// Reads all segments once; nil where that was cancelled.
  ///
  /// - Throws: where one is not what it should be.
  init?(_ pieces: [Stitcher.Piece], cancellation: Cancellation) throws(Stitcher.Failure) {
    self.pieces = pieces
    for piece in pieces {
      if cancellation.isCancelled { return nil }
      let reader = try Self.open(piece)
      let head = reader.head
      if let parameters {
        guard head.parameters == parameters else {
          throw .gap("\(piece.path) has another format than \(pieces[0].path)")
        }
      } else {
        parameters = head.parameters
      }
      guard reader.tail.packetCount == head.range.count else {
        throw .gap("\(piece.path) does not hold all of its frames")
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

  /// Reads the packets from the first one on.
  func reader() -> Reader { Reader(self) }

  /// A way through all packets in the order of decoding.
  struct Reader: ~Copyable {
    private let segments: PictureSegments
    private var upcoming: ArraySlice<Stitcher.Piece>
    private var current: PacketFileReader?
    /// The frames of all pieces before the current one, and those that it has before its first.
    private var (passed, offset): (Int64, Int64) = (0, 0)
    private var index: Int64 = 0

    fileprivate init(_ segments: PictureSegments) {
      self.segments = segments
      upcoming = segments.pieces[...]
    }

    /// The next packet, whose times count from the first frame; nil after the last one.
    mutating func next() throws(Stitcher.Failure) -> EncodedPacket? {
      while true {
        if let packet = try nextOfCurrent() {
          // Frames come at a constant rate, so the place in the stream is the time of decoding.
          packet.times = (
            packet.times.presentation &+ offset, index &- segments.delay
          )
          packet.duration = 1
          index &+= 1
          return packet
        }
        guard let piece = upcoming.popFirst() else { return nil }
        let opened = try PictureSegments.open(piece)
        offset = passed &- opened.head.range.lowerBound
        passed &+= Int64(opened.head.range.count)
        current = consume opened
      }
    }

    private mutating func nextOfCurrent() throws(Stitcher.Failure) -> EncodedPacket? {
      do throws(FFmpegError) {
        return try current?.next()
      } catch {
        throw .output(error)
      }
    }
  }

  /// Opens a piece, which has to be what it should be.
  static func open(_ piece: Stitcher.Piece) throws(Stitcher.Failure) -> PacketFileReader {
    do throws(PacketFile.Refusal) {
      return try PacketFileReader(piece.path, digest: piece.digest)
    } catch {
      throw .piece(error)
    }
  }
}
