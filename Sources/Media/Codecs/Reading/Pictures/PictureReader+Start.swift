import TesseraSystem

extension PictureSource {
  /// A frame from the decoder, with the facts that decide whether it is shown.
  struct DecodedFrame {
    var packet: Int
    /// True if damage reaches the picture.
    var isDamaged: Bool
    var lacksReferences: Bool
  }

  /// The decision on a decoded picture.
  enum FrameDisposition {
    case shown
    /// The picture is decoded but not shown.
    case hidden
    /// Decoding must start further back: the keyframe at its start is no clean starting point.
    case unclean
  }

  /// Decides on a picture from a decoder that started at packet number `start`. `isFirst` is true
  /// as long as no picture was shown.
  ///
  /// Pictures before the keyframe or before the track's first picture have missing references and
  /// are hidden. The first picture after a start within the track must be that of the keyframe,
  /// undamaged. Only then are the following pictures identical to those of a decoder that started
  /// earlier.
  func fate(of picture: DecodedFrame, from start: Int, isFirst: Bool) -> FrameDisposition {
    // A track without any picture that has all references shows what there is.
    if picture.lacksReferences, track.firstPicture?.isWhole != false { return .hidden }
    guard track.packets.contains(picture.packet), isShown(picture.packet, from: start) else {
      return .hidden
    }
    let isUnclean = picture.packet != start || picture.isDamaged
    return isFirst && isUnclean && mayBeginFurtherBack(than: start) ? .unclean : .shown
  }

  /// True if the picture of packet number `packet` is shown by a decoder that started at packet
  /// number `start`.
  func isShown(_ packet: Int, from start: Int) -> Bool {
    guard index.isShown(packet) else { return false }
    if start > track.packets.lowerBound { return index.ticks[packet] >= index.ticks[start] }
    guard let first = track.firstPicture, !track.isCounted else { return true }
    return index.ticks[packet] >= index.ticks[first.packet]
  }

  /// True if the picture of packet number `packet` is shown after the keyframe before it. Others
  /// may depend on pictures that the file never contained.
  func follows(aKeyframe packet: Int) -> Bool {
    guard let keyframe = index.keyframe(upTo: packet) else { return false }
    return index.ticks[packet] >= index.ticks[Int(index.keyframes[keyframe])]
  }

  /// True if there is an earlier point than packet number `start` at which decoding can start.
  func mayBeginFurtherBack(than start: Int) -> Bool {
    start > track.packets.lowerBound && index.isShown(start)
  }

  /// Returns the packets with stream parameters that a decoder needs before it starts at packet
  /// number `start`.
  func lessons(before start: Int) -> [Int] {
    guard start > track.packets.lowerBound else { return [] }
    let changes = (track.packets.lowerBound...start).last(where: index.changesParameters)
    return (track.needsFirstPacket ? [0] : []) + (changes.map { [$0] } ?? [])
  }

  /// Opens the track's packets from number `packet` on.
  func openPackets(
    from packet: Int, _ cancellation: Cancellation
  ) throws(MediaError) -> PacketStream {
    try PacketStream.open(
      path, stream: track.stream.index, index, from: packet, cancellation: cancellation)
  }

  /// Opens the track's decoder, ready for the packet number `start`.
  func openDecoder(
    _ packets: borrowing PacketStream, from start: Int, isCoarse: Bool = false,
    _ cancellation: Cancellation
  ) throws(FFmpegError) -> StreamDecoder {
    let decoder = try StreamDecoder.open(
      stream: track.stream.index, of: packets.demuxer, reorderDepth: track.reorderDepth,
      isCoarse: isCoarse)
    for lesson in lessons(before: start) { decoder.learn(lesson, of: self, cancellation) }
    return decoder
  }
}

extension StreamDecoder {
  /// Sends the packet `lesson` to the decoder for its parameters, which later packets do not
  /// repeat, and discards its picture.
  func learn(_ lesson: Int, of source: PictureSource, _ cancellation: Cancellation) {
    // The parameters may have changed just before the packet.
    let first = max(0, lesson - 1)
    do {
      var packets = try source.openPackets(from: first, cancellation)
      let packet = try Packet.allocate()
      while let number = try packets.read(into: packet), number < lesson { packet.clear() }
      try send(packet, number: lesson)
    } catch {
      _ = FFmpegLog.takeLastLine()
    }
    flush()
  }
}
