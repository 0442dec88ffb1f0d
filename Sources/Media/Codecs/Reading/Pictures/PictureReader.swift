import CTesseraFFmpeg
package import TesseraPixels
package import TesseraSystem

/// Reads the pictures of one track in presentation order, starting at any keyframe.
///
/// Decoding a picture and converting it are separate steps, so that pictures that are never shown
/// need no conversion. A reader may move between threads but must not be used by two at once.
package struct PictureReader: ~Copyable {
  /// The number of frames decoded so far.
  package private(set) var decodedCount = 0

  private let source: PictureSource
  private let cancellation: Cancellation
  private var packets: PacketStream
  private var decoder: StreamDecoder
  private let deinterlacer: Deinterlacer?
  private var converter: PictureConverter
  private let packet: Packet
  /// The frame that ``next()`` returned.
  private let frame: Frame
  /// A decoded frame of another format that waits until the deinterlacer is drained.
  private let waiting: Frame
  private var waitingPacket: Int?
  private let kept: Frame
  private var phase = Phase.decoding
  /// The losses since the last ``takeLosses()``.
  private var losses: [PacketLoss] = []
  private var hasLosses = false
  private var damaged = DamageTracker()
  /// The losses that concern the whole file: the file has become shorter, or reading stopped early.
  package private(set) var fileLosses: [MediaLoss.Cause] = []
  /// The packet at which decoding started.
  private var start: Int
  /// True once a picture was shown since the reader was opened.
  private var hasPutOutFrame = false
  /// The last packet sent to the decoder.
  private var sent: Int?
  /// The packet of the last picture shown since decoding started.
  private var last: Int?
  /// The number of pictures shown since decoding started.
  private var countSinceStart = 0
  /// The number of keyframes to go back at the next restart.
  private var retreat = 1
  private var announced = PictureCountCheck()
  private var watch = ParameterSetCheck()
  /// The picture that waits for a decision on its successor, or for its predecessor to be taken.
  private let aside: Frame
  /// The packet of the picture in ``aside`` if it is the next one; otherwise `nil`.
  private var following: Int?
  /// The packet of the first picture that cannot be shown, until ``next()`` reports it; otherwise
  /// `nil`.
  private var blank: Int?
  /// True if ``next()`` returned a place from which pictures cannot be shown. The track is blank
  /// until the next picture.
  package private(set) var isBlank = false

  /// The progress of decoding: packets are sent, decoder and deinterlacer are flushed in turn,
  /// nothing is left.
  private enum Phase {
    case decoding
    case drainingDecoder
    case drainingDeinterlacer
    case ended
  }

  /// Opens a reader of `source` that starts at packet number `packet`, a keyframe (see
  /// ``PictureSource/decodingStart(toShow:)``); the default is the first packet. If the keyframe
  /// turns out not to be a clean starting point, the reader restarts further back and returns
  /// earlier pictures first.
  ///
  /// - Throws: ``MediaError`` if the file or its decoder cannot be opened.
  package static func open(
    _ source: PictureSource, from packet: Int? = nil, cancellation: Cancellation
  ) throws(MediaError) -> PictureReader {
    guard let video = source.track.stream.video else {
      throw MediaError(path: source.path, reason: .nothingDecodable("no pictures"))
    }
    let start = packet ?? source.track.packets.lowerBound
    let packets = try source.openPackets(from: start, cancellation)
    let missing = packets.missingBytes
    do throws(FFmpegError) {
      let decoder = try source.openDecoder(packets, from: start, cancellation)
      return PictureReader(
        source: source, cancellation: cancellation, packets: packets, decoder: decoder,
        deinterlacer: source.isInterlaced
          ? Deinterlacer(showsFields: source.showsFields, path: source.path) : nil,
        converter: PictureConverter(
          stream: video, background: source.background, path: source.path),
        packet: try Packet.allocate(), frame: try Frame.allocate(), waiting: try Frame.allocate(),
        kept: try Frame.allocate(),
        fileLosses: missing > 0 ? [.shrunk(missingBytes: missing)] : [], start: start,
        aside: try Frame.allocate())
    } catch {
      throw MediaError(path: source.path, reason: .nothingDecodable(error.words))
    }
  }

  /// True if nothing was lost since the reader was opened.
  package var isWhole: Bool { !hasLosses && fileLosses.isEmpty }

  /// Returns the losses since the last call and clears them.
  package mutating func takeLosses() -> [PacketLoss] {
    defer { losses.removeAll(keepingCapacity: true) }
    return losses
  }

  /// Advances to the next picture that is shown and returns its identifier; returns `nil` after the
  /// last one and after a cancellation.
  package mutating func next() -> DecodedPictureID? {
    frame.clear()
    isBlank = false
    while !cancellation.isCancelled {
      if let picture = receive() { return picture }
      guard phase != .ended else { return nil }
      advance()
    }
    return nil
  }

  /// Stores the frame of ``next()`` for ``makeKeptPicture()``. Replaces the previously kept frame.
  package mutating func keep() {
    kept.clear()
    unsafe av_frame_move_ref(kept.raw, frame.raw)
  }

  /// Converts the kept frame to a picture; returns `nil`, and counts a loss, if that fails.
  package mutating func makeKeptPicture() -> Picture? {
    do throws(FFmpegError) {
      return try converter.picture(from: kept)
    } catch {
      lose(kept.packet ?? last ?? start, error)
      return nil
    }
  }

  /// Converts the frame of ``next()`` to a picture; returns `nil`, and counts a loss, if that
  /// fails. Must be called at most once per frame.
  package mutating func makePicture() -> Picture? {
    do throws(FFmpegError) {
      return try converter.picture(from: frame)
    } catch {
      lose(frame.packet ?? last ?? start, error)
      return nil
    }
  }

  /// Moves the frame of ``next()`` into a ``SharedDecodedFrame``, which several consumers can
  /// share.
  package mutating func takeFound() -> SharedDecodedFrame {
    SharedDecodedFrame(frame, packet: frame.packet ?? last ?? start)
  }

  /// Returns the picture of `found`, converted at the first call, or the loss that prevents it.
  package mutating func picture(of found: SharedDecodedFrame) -> SharedDecodedFrame.Conversion {
    found.make(with: &converter)
  }

  private mutating func lose(_ packet: Int, _ error: FFmpegError) {
    damaged.add(packet, in: source.index)
    lose(packet, .undecodablePackets(1, error.words))
  }

  private mutating func lose(_ packet: Int, _ cause: MediaLoss.Cause) {
    losses.append(PacketLoss(packet: packet, cause))
    hasLosses = true
  }

  /// Receives the next picture from the deinterlacer or decoder; returns `nil` if it needs more
  /// input.
  private mutating func receive() -> DecodedPictureID? {
    do throws(FFmpegError) {
      if let deinterlacer {
        if let picture = try deinterlacer.receive(into: frame) { return picture }
        if let packet = waitingPacket.take() {
          deinterlacer.reset()
          try deinterlacer.send(waiting, of: packet)
          return nil
        }
      }
      guard phase != .drainingDeinterlacer, phase != .ended else { return nil }
      while let packet = try receiveDecoded() {
        if isBlank { return DecodedPictureID(packet: packet) }
        guard let deinterlacer else { return DecodedPictureID(packet: packet) }
        if let picture = try deinterlace(packet, with: deinterlacer) { return picture }
      }
    } catch {
      lose(sent ?? start, error)
    }
    return nil
  }

  /// Receives the next shown frame from the decoder and returns its packet. Where pictures cannot
  /// be shown, returns once without a frame (see ``isBlank``).
  private mutating func receiveDecoded() throws(FFmpegError) -> Int? {
    if let packet = following.take() {
      unsafe av_frame_move_ref(frame.raw, aside.raw)
      return packet
    }
    if let packet = blank.take() { return goBlank(packet) }
    while try decoder.receive(into: frame) {
      guard let (packet, isDamaged) = accept() else { continue }
      let isKeyframe = source.index.isKeyframe(packet)
      switch watch.see(packet, isKeyframe: isKeyframe, isDamaged: frame.isDamaged) {
      case .shown:
        if isDamaged { lose(packet, .damagedPictures(1)) }
        return packet
      case .inDoubt:
        unsafe av_frame_move_ref(aside.raw, frame.raw)
      case .bothShown(let first):
        if isDamaged { lose(packet, .damagedPictures(1)) }
        guard aside.hasContent else { return packet }
        lose(first, .damagedPictures(1))
        let second = try frame.move()
        unsafe av_frame_move_ref(frame.raw, aside.raw)
        unsafe av_frame_move_ref(aside.raw, second.raw)
        following = packet
        return first
      case .unknown(let first):
        lose(packet, .missingParameters(1))
        return goBlank(first)
      case .stillUnknown:
        lose(packet, .missingParameters(1))
      }
    }
    guard phase == .drainingDecoder, let last = watch.takeDoubt(), aside.hasContent else {
      return nil
    }
    lose(last, .damagedPictures(1))
    unsafe av_frame_move_ref(frame.raw, aside.raw)
    return last
  }

  /// Records that pictures cannot be shown from packet number `packet` on.
  private mutating func goBlank(_ packet: Int) -> Int {
    frame.clear()
    aside.clear()
    lose(packet, .missingParameters(1))
    isBlank = true
    return packet
  }

  /// Counts the decoded frame; returns its packet and whether damage reaches it, or `nil` if it is
  /// not shown.
  private mutating func accept() -> (packet: Int, isDamaged: Bool)? {
    decodedCount += 1
    guard announced.receive(frame.packet) else { return nil }
    let counted = countSinceStart < source.order.count ? Int(source.order[countSinceStart]) : nil
    let found =
      source.track.isCounted
      ? counted : frame.packet ?? last.flatMap(source.shown(after:)) ?? start
    guard let packet = found else { return nil }
    let lacksReferences = frame.lacksReferences
    if frame.isDamaged, !lacksReferences { damaged.add(packet, in: source.index) }
    let isReached = damaged.reach(
      packet, in: source.index, beginning: source.track.firstPicture?.packet)
    let decoded = PictureSource.DecodedFrame(
      packet: packet, isDamaged: isReached || lacksReferences, lacksReferences: lacksReferences)
    switch source.fate(of: decoded, from: start, isFirst: !hasPutOutFrame) {
    case .hidden:
      if isReached, lacksReferences, source.follows(aKeyframe: packet) {
        lose(packet, .damagedPictures(1))
      }
      return nil
    case .unclean:
      beginFurtherBack()
      return nil
    case .shown:
      while !source.track.isCounted,
        let missing = announced.takeMissing(
          before: packet, { [source] in source.index.ticks[$0] < source.index.ticks[packet] })
      {
        loseMissing(missing)
      }
      (last, countSinceStart, hasPutOutFrame) = (packet, countSinceStart + 1, true)
      return (packet, decoded.isDamaged)
    }
  }

  /// Records the picture announced by packet number `packet` as missing.
  private mutating func loseMissing(_ packet: Int) {
    guard source.track.packets.contains(packet), source.isShown(packet, from: start) else { return }
    lose(packet, .missingPictures(1))
  }

  /// Sends the decoded frame to the deinterlacer and returns the next picture, if one is ready.
  private mutating func deinterlace(
    _ packet: Int, with deinterlacer: Deinterlacer
  ) throws(FFmpegError) -> DecodedPictureID? {
    if deinterlacer.accepts(frame) {
      try deinterlacer.send(frame, of: packet)
    } else {
      unsafe av_frame_move_ref(waiting.raw, frame.raw)
      waitingPacket = packet
      deinterlacer.finish()
    }
    return try deinterlacer.receive(into: frame)
  }

  /// Restarts decoding further back, doubling the number of keyframes each time.
  private mutating func beginFurtherBack() {
    start = source.decodingStart(at: start, back: retreat)
    retreat *= 2
    (last, sent, countSinceStart, phase) = (nil, nil, 0, .decoding)
    (watch, following, blank) = (ParameterSetCheck(), nil, nil)
    announced.removeAll()
    aside.clear()
    do {
      packets = try source.openPackets(from: start, cancellation)
      decoder = try source.openDecoder(packets, from: start, cancellation)
      (losses, hasLosses, damaged) = ([], false, DamageTracker())
    } catch let error as FFmpegError {
      end(error)
    } catch {
      phase = .ended
    }
  }

  /// Sends the next packet to the decoder, or flushes what still holds frames.
  private mutating func advance() {
    switch phase {
    case .decoding:
      do throws(FFmpegError) {
        guard let number = try packets.read(into: packet), number < source.track.packets.upperBound
        else { return finishDecoder() }
        decode(number)
      } catch {
        end(error)
      }
    case .drainingDecoder where !hasPutOutFrame && source.mayBeginFurtherBack(than: start):
      beginFurtherBack()
    case .drainingDecoder:
      while let packet = announced.takeRemaining() { loseMissing(packet) }
      deinterlacer?.finish()
      phase = .drainingDeinterlacer
    case .drainingDeinterlacer:
      if waitingPacket == nil { phase = .ended }
    case .ended:
      break
    }
  }

  private mutating func decode(_ number: Int) {
    sent = number
    let isKeyframe = source.index.isKeyframe(number)
    if isKeyframe {
      let isBare = unsafe packet.withPayload(decoder.coding.lacksParameterSets)
      watch.sendKeyframe(number, lacksParameterSets: isBare && deinterlacer == nil)
    }
    do throws(FFmpegError) {
      let isComplaining = try decoder.send(packet, number: number)
      if isComplaining || source.index.isCorrupt(number) { damaged.add(number, in: source.index) }
      if source.index.isShown(number), unsafe packet.withPayload(decoder.coding.announcesPicture) {
        if let missing = announced.announce(number) { loseMissing(missing) }
      }
    } catch {
      switch watch.see(number, isKeyframe: isKeyframe, isDamaged: true) {
      case .unknown(let first):
        damaged.add(number, in: source.index)
        lose(number, .missingParameters(1))
        blank = first
      case .stillUnknown: lose(number, .missingParameters(1))
      case .shown, .inDoubt, .bothShown: lose(number, error)
      }
    }
    packet.clear()
  }

  private mutating func end(_ error: FFmpegError) {
    if !error.isCancellation { fileLosses.append(.stoppedEarly(error.words)) }
    finishDecoder()
  }

  private mutating func finishDecoder() {
    decoder.finish()
    phase = .drainingDecoder
  }
}
