import CTesseraFFmpeg
public import TesseraPixels
public import TesseraSystem
public import TesseraTimeline

/// Reads one stream's pictures in presentation order, with their times, from any keyframe on.
///
/// Reading a frame and making a picture of it are two steps, so that a frame that is never shown
/// costs no conversion. A reader may change threads, but only one may use it at a time.
public struct PictureReader: ~Copyable {
  /// What was lost so far.
  public private(set) var losses = StreamLosses()
  /// How many whole frames came out of the decoder so far.
  public private(set) var decodedCount = 0

  private let source: PictureSource
  private let cancellation: Cancellation
  private let input: PositionedDemuxer
  private let decoder: StreamDecoder
  private let deinterlacer: Deinterlacer?
  private var converter: PictureConverter
  /// The frame that ``next()`` found.
  private let frame: Frame
  /// A frame from the decoder that waits for the deinterlacer to be emptied.
  private let waiting: Frame
  private var isFrameWaiting = false
  private var phase: Phase
  private var failedReads = 0
  private var lastTicks: Int64 = 0
  private var hasPutOutFrame = false

  private enum Phase {
    /// The packet to decode first has been read already.
    case holdingFirstPacket
    case decoding
    case drainingDecoder
    case drainingDeinterlacer
    case ended
  }

  /// A reader of `source` that starts with keyframe number `keyframe` of its index; 0 means the
  /// start of the file.
  ///
  /// - Throws: ``MediaError`` where the file or its decoder cannot be opened.
  public static func open(
    _ source: PictureSource, keyframe: Int, cancellation: Cancellation
  ) throws(MediaError) -> PictureReader {
    guard let video = source.stream.video else {
      throw MediaError(path: source.path, reason: .nothingDecodable("no pictures"))
    }
    let input = try PositionedDemuxer.open(source, keyframe: keyframe, cancellation: cancellation)
    do throws(FFmpegError) {
      let decoder = try StreamDecoder.open(stream: source.stream.index, of: input.demuxer)
      let timeBase = source.index.timeBase.rational
      return PictureReader(
        source: source, cancellation: cancellation, input: input, decoder: decoder,
        deinterlacer: source.isInterlaced
          ? Deinterlacer(timeBase: timeBase, path: source.path) : nil,
        converter: PictureConverter(stream: video, path: source.path),
        frame: try Frame.allocate(), waiting: try Frame.allocate())
    } catch {
      throw MediaError(
        path: source.path, reason: .nothingDecodable(error.logLine ?? error.reason))
    }
  }

  private init(
    source: PictureSource, cancellation: Cancellation, input: consuming PositionedDemuxer,
    decoder: consuming StreamDecoder, deinterlacer: Deinterlacer?,
    converter: consuming PictureConverter, frame: consuming Frame, waiting: consuming Frame
  ) {
    self.source = source
    self.cancellation = cancellation
    self.phase = input.holdsFirstPacket ? .holdingFirstPacket : .decoding
    self.input = input
    self.decoder = decoder
    self.deinterlacer = deinterlacer
    self.converter = converter
    self.frame = frame
    self.waiting = waiting
  }

  /// Where reading may begin: a keyframe.
  public struct Start: Hashable, Sendable {
    let keyframe: Int
    let ticks: Int64
  }

  /// A reader of `source` that begins at `start`.
  ///
  /// - Throws: ``MediaError`` where the file or its decoder cannot be opened.
  public static func open(
    _ source: PictureSource, at start: Start, cancellation: Cancellation
  ) throws(MediaError) -> PictureReader {
    try open(source, keyframe: start.keyframe, cancellation: cancellation)
  }

  /// Whether going on from here is no farther than beginning at `start`.
  public func hasPassed(_ start: Start) -> Bool { hasPutOutFrame && lastTicks >= start.ticks }

  /// Goes on to the next frame and returns its time relative to the file's beginning; nil after
  /// the last one or once cancelled.
  public mutating func next() -> MediaTime? {
    nextTicks().map { source.index.time(ticks: $0, zero: source.zero) }
  }

  /// Goes on to the next frame and returns its ticks; nil after the last one or once cancelled.
  public mutating func nextTicks() -> Int64? {
    frame.clear()
    while !cancellation.isCancelled {
      if let ticks = receive() { return ticks }
      guard phase != .ended else { return nil }
      advance()
    }
    return nil
  }

  /// Whether the decoder marked the frame that ``next()`` found as a field pair.
  public var isFrameInterlaced: Bool { frame.isInterlaced }

  /// The frame that ``next()`` found, as a picture; nil where it cannot be one, which then counts
  /// as a loss. Once per frame.
  public mutating func makePicture() -> Picture? {
    do {
      return try converter.picture(from: frame)
    } catch {
      losses.notePacket(error)
      return nil
    }
  }

  /// Takes the next frame out of the deinterlacer or decoder, if there is one.
  private mutating func receive() -> Int64? {
    do throws(FFmpegError) {
      if let deinterlacer {
        if try deinterlacer.receive(into: frame) { return frame.ticks ?? lastTicks }
        if isFrameWaiting {
          isFrameWaiting = false
          deinterlacer.reset()
          try deinterlacer.send(waiting)
          return nil
        }
      }
      guard phase != .drainingDeinterlacer, phase != .ended else { return nil }
      while try decoder.receive(into: frame) {
        guard let ticks = accept() else { continue }
        guard let deinterlacer else { return ticks }
        if let ticks = try deinterlace(ticks, with: deinterlacer) { return ticks }
      }
    } catch {
      losses.notePacket(error)
    }
    return nil
  }

  /// Counts the decoded frame and answers its ticks; nil where it is not to be shown.
  private mutating func accept() -> Int64? {
    let ticks = source.index.isCounted ? Int64(decodedCount) : frame.ticksInOrder ?? lastTicks
    decodedCount += 1
    if frame.isDamaged { losses.damagedPictures += 1 }
    lastTicks = ticks
    guard ticks >= input.firstTicks, hasPutOutFrame || !frame.isDamaged else { return nil }
    hasPutOutFrame = true
    return ticks
  }

  /// Sends the decoded frame through the deinterlacer; answers the frame that this yields.
  private mutating func deinterlace(
    _ ticks: Int64, with deinterlacer: Deinterlacer
  ) throws(FFmpegError) -> Int64? {
    unsafe frame.raw.pointee.pts = ticks
    if deinterlacer.accepts(frame) {
      try deinterlacer.send(frame)
    } else {
      unsafe av_frame_move_ref(waiting.raw, frame.raw)
      isFrameWaiting = true
      deinterlacer.finish()
    }
    guard try deinterlacer.receive(into: frame) else { return nil }
    return frame.ticks ?? lastTicks
  }

  /// Gives the decoder its next packet, or ends what is in use.
  private mutating func advance() {
    switch phase {
    case .holdingFirstPacket:
      phase = .decoding
      decode()
    case .decoding:
      if readPacket() { decode() } else { finishDecoder() }
    case .drainingDecoder:
      deinterlacer?.finish()
      phase = .drainingDeinterlacer
    case .drainingDeinterlacer:
      if !isFrameWaiting { phase = .ended }
    case .ended:
      break
    }
  }

  private mutating func decode() {
    do throws(FFmpegError) {
      try decoder.send(input.packet)
    } catch {
      losses.notePacket(error)
    }
    input.packet.clear()
  }

  private mutating func finishDecoder() {
    decoder.finish()
    phase = .drainingDecoder
  }

  /// Whether another packet was read. A failed read is tried again a few times: some demuxers
  /// find their way back behind damage.
  private mutating func readPacket() -> Bool {
    while !cancellation.isCancelled {
      do throws(FFmpegError) {
        let found = try input.demuxer.read(into: input.packet)
        if found { failedReads = 0 }
        return found
      } catch {
        failedReads += 1
        guard failedReads < MediaFile.largestRunOfFailures, !error.isCancellation else {
          losses.noteEnd(error)
          return false
        }
      }
    }
    return false
  }
}
