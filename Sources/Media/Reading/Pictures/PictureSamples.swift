package import TesseraPixels
package import TesseraSystem
package import TesseraTimeline

/// Single pictures of a track, now and then: keyframes, which need no others. Where the next keyframe
/// is far, a second is decoded from one, and its last picture is another.
package struct PictureSamples: Hashable, Sendable, Codable {
  /// Packets that are decoded by themselves.
  package struct Look: Hashable, Sendable, Codable {
    /// A keyframe.
    var first: Int
    /// The packet after the last one.
    var end: Int
  }

  /// What is decoded, in order.
  package private(set) var looks: [Look] = []

  /// How far the next keyframe has to be for a second to be decoded, a twentieth of the time then;
  /// and after the first one.
  private static let (far, firstFar) = (MediaTime(seconds: 20), MediaTime(seconds: 4))

  /// Keyframes of `source`, at least `distance` from each other.
  package init(of source: PictureSource, every distance: MediaTime) {
    let (index, packets) = (source.index, source.track.packets)
    let keyframes = index.keyframes.map(Int.init).filter {
      packets.contains($0) && index.isShown($0)
    }
    var last: MediaTime?
    for (place, keyframe) in keyframes.enumerated() {
      let time = source.time(of: keyframe).rounded
      if let last, time - last < distance { continue }
      last = time
      var end = keyframe + 1
      let next = place + 1 < keyframes.count ? keyframes[place + 1] : packets.upperBound
      let until =
        next < packets.upperBound ? source.time(of: next).rounded : source.track.end.rounded
      if until - time > (looks.isEmpty ? Self.firstFar : Self.far) {
        let limit = time + MediaTime(seconds: 1)
        while end < next, source.time(of: end).rounded < limit { end += 1 }
      }
      looks.append(Look(first: keyframe, end: end))
    }
  }

  /// Decodes them and gives each to `body` with the number of its packet; those that cannot be are
  /// left out.
  ///
  /// - Throws: ``MediaError`` where the file or its decoder cannot be opened.
  package func read(
    _ source: PictureSource, cancellation: Cancellation, _ body: (Int, Picture) -> Void
  ) throws(MediaError) {
    guard let first = looks.first, let video = source.track.stream.video else { return }
    var packets = try PacketStream.open(
      source.path, stream: source.track.stream.index, source.index, from: first.first,
      cancellation: cancellation)
    defer { _ = FFmpegLog.takeLastLine() }
    do throws(FFmpegError) {
      let decoder = try StreamDecoder.open(
        stream: source.track.stream.index, of: packets.demuxer,
        reorderDepth: source.track.reorderDepth)
      for lesson in source.lessons(before: first.first) {
        decoder.learn(lesson, of: source, cancellation)
      }
      var converter = PictureConverter(
        stream: video, background: source.background, path: source.path)
      let packet = try Packet.allocate()
      let frame = try Frame.allocate()
      var next = 0
      while next < looks.count, !cancellation.isCancelled,
        let number = try packets.read(into: packet)
      {
        while next < looks.count, looks[next].end <= number { next += 1 }
        guard next < looks.count, looks[next].first <= number else {
          packet.clear()
          continue
        }
        let isLast = number == looks[next].end - 1
        Self.decode(packet, number, decoder, isLast: isLast)
        packet.clear()
        guard isLast || number == looks[next].first else {
          // Pictures between are only decoded.
          while (try? decoder.receive(into: frame)) == true { frame.clear() }
          continue
        }
        Self.receive(decoder, frame, &converter, body)
        if isLast { decoder.flush() }
      }
    } catch {
      throw MediaError(path: source.path, reason: .nothingDecodable(error.words))
    }
  }

  private static func decode(
    _ packet: borrowing Packet, _ number: Int, _ decoder: borrowing StreamDecoder, isLast: Bool
  ) {
    _ = try? decoder.send(packet, number: number)
    if isLast { decoder.finish() }
  }

  /// Gives the last picture that comes out to `body`.
  private static func receive(
    _ decoder: borrowing StreamDecoder, _ frame: borrowing Frame,
    _ converter: inout PictureConverter, _ body: (Int, Picture) -> Void
  ) {
    var last: (packet: Int, picture: Picture)?
    while (try? decoder.receive(into: frame)) == true {
      if !frame.lacksReferences, let packet = frame.packet,
        let picture = try? converter.picture(from: frame)
      {
        last = (packet, picture)
      }
      frame.clear()
    }
    if let last { body(last.packet, last.picture) }
  }
}
