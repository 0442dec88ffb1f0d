import TesseraSystem

extension PictureSource {
  /// What came out of a decoder.
  struct Decoded {
    var packet: Int
    /// Whether damage reaches it.
    var isDamaged: Bool
    var lacksReferences: Bool
  }

  /// What becomes of it.
  enum Fate {
    case shown
    case hidden
    /// The keyframe that decoding began with is not where decoding can begin.
    case unclean
  }

  /// Whether a picture is shown that came out of a decoder which began with packet number `start`,
  /// as the first one to be shown or after it.
  ///
  /// What comes before the keyframe, or the track's first picture, depends on what is missing. The
  /// first picture after a start within the track has to be that of the keyframe, and whole: only
  /// then those that follow are what they are in a row.
  func fate(of picture: Decoded, from start: Int, isFirst: Bool) -> Fate {
    // Unless there is nothing better.
    if picture.lacksReferences, track.firstPicture?.isWhole != false { return .hidden }
    guard track.packets.contains(picture.packet), isShown(picture.packet, from: start) else {
      return .hidden
    }
    let isUnclean = picture.packet != start || picture.isDamaged
    return isFirst && isUnclean && mayBeginFurtherBack(than: start) ? .unclean : .shown
  }

  /// True if the picture of packet number `packet` is shown where decoding began with packet number
  /// `start`.
  func isShown(_ packet: Int, from start: Int) -> Bool {
    guard index.isShown(packet) else { return false }
    if start > track.packets.lowerBound { return index.ticks[packet] >= index.ticks[start] }
    guard let first = track.firstPicture, !track.isCounted else { return true }
    return index.ticks[packet] >= index.ticks[first.packet]
  }

  /// Whether the picture of packet number `packet` is shown after the keyframe before it: others may
  /// depend on what the file never held.
  func follows(aKeyframe packet: Int) -> Bool {
    guard let keyframe = index.keyframe(upTo: packet) else { return false }
    return index.ticks[packet] >= index.ticks[Int(index.keyframes[keyframe])]
  }

  /// Whether decoding that began with packet number `start` can begin before it.
  func mayBeginFurtherBack(than start: Int) -> Bool {
    start > track.packets.lowerBound && index.isShown(start)
  }

  /// The packets that a decoder has to have seen which begins at packet number `start`.
  func lessons(before start: Int) -> [Int] {
    guard start > track.packets.lowerBound else { return [] }
    let changes = (track.packets.lowerBound...start).last(where: index.changesParameters)
    return (track.needsFirstPacket ? [0] : []) + (changes.map { [$0] } ?? [])
  }
}

extension StreamDecoder {
  /// Shows the decoder a packet, so that it knows what is said there only.
  func learn(_ lesson: Int, of source: PictureSource, _ cancellation: Cancellation) {
    // A change of parameters may stand before the packet.
    let first = max(0, lesson - 1)
    do {
      var packets = try PacketStream.open(
        source.path, stream: source.track.stream.index, source.index, from: first,
        cancellation: cancellation)
      let packet = try Packet.allocate()
      while let number = try packets.read(into: packet), number < lesson { packet.clear() }
      try send(packet, number: lesson)
    } catch {
      _ = FFmpegLog.takeLastLine()
    }
    flush()
  }
}
