import CTesseraFFmpeg
import TesseraSystem
import TesseraTimeline

/// Builds the tracks of a file from its packets. Recordings in a chain follow each other; streams
/// of one recording keep their relative times.
struct TrackBuilder {
  private let reading: PacketScanner
  private let cancellation: Cancellation
  private let path: String
  private let stretches: [[ClockStretch]]
  private let indexes: [Int: PacketIndex]
  /// The time by which the pictures start later than the container states; if negative, the audio
  /// starts later.
  private let pictureDelay: ExactTime

  /// The shortest time without pictures at the start that is reported as a missing keyframe.
  private static let shortestUnseen = ExactTime(1, over: 2)
  /// The maximum priming of a decoder: 80 ms for Opus, a few packets for AAC.
  private static let longestPriming = ExactTime(1, over: 4)

  init(_ reading: PacketScanner, _ demuxer: borrowing Demuxer, _ cancellation: Cancellation) {
    (self.reading, self.cancellation, path) = (reading, cancellation, demuxer.path)
    pictureDelay =
      demuxer.isByChromium
      ? MovieMetadataParser(demuxer.path, withFragments: true).pictureDelay ?? .zero : .zero
    let stretches = ClockStretchFinder.stretches(of: reading.streams, in: demuxer.traits)
    self.stretches = stretches
    let streams = reading.streams.indices.filter { !reading.streams[$0].packets.isEmpty }
    indexes = Dictionary(
      uniqueKeysWithValues: streams.map { stream in
        let index = PacketIndex(
          reading.streams[stream], stretches[stream],
          payloadHashes: reading.payloadHashes[stream], seekPoints: reading.clusters)
        return (reading.streams[stream].info.index, index)
      })
  }

  /// Builds tracks, losses and notes.
  ///
  /// - Throws: ``MediaError`` if no stream has packets.
  func scan(_ demuxer: borrowing Demuxer, _ identity: FileIdentity) throws(MediaError)
    -> MediaScanResult
  {
    var tracks: [MediaTrack] = []
    var (begin, containerStart) = (ExactTime.zero, ExactTime.zero)
    for link in 0...(stretches.joined().map(\.link).max() ?? 0) {
      let parts = stretches.indices.flatMap { stream in
        stretches[stream].filter { $0.link == link }.map { (stream, $0) }
      }
      let picture = parts.filter { reading.streams[$0.0].info.kind == .video }
        .map { start(of: $0.1, stream: $0.0) }.min()
      let starts = parts.map { start(of: $0.1, stream: $0.0, beside: picture) }
      let zero = starts.min() ?? .zero
      if link == 0 { containerStart = zero }
      let made = zip(parts, starts).map { part, start in
        track(part.1, stream: part.0, from: start, movedBy: begin - zero)
      }
      begin = max(begin, made.map(\.end).max() ?? begin)
      tracks += made
    }
    let order = tracks.indices.sorted {
      (tracks[$0].stream.index, $0) < (tracks[$1].stream.index, $1)
    }
    var losses: [MediaLoss] = []
    for track in order { losses += self.losses(of: tracks[track]) }
    losses += missingKinds(tracks)
    losses +=
      TruncationDetector(
        tracks: order.map { tracks[$0] }, streams: reading.streams, stretches: stretches,
        isDamaged: reading.isIncomplete || !reading.losses.isEmpty, missingBytes: missingBytes,
        traits: demuxer.traits
      ).losses
    losses =
      reading.losses
      + DamagePosition.losses(
        reading.marks, in: order.map { tracks[$0] }, stretches,
        endIsKnown: !reading.losses.isEmpty, besides: losses) + losses
    guard !tracks.isEmpty else {
      throw MediaError(
        path: path,
        reason: .nothingDecodable(reading.losses.first?.words ?? reading.marks.first?.words))
    }
    return MediaScanResult(
      file: MediaFileInfo(
        path: path, identity: identity, container: demuxer.formatName,
        title: demuxer.text("title"), tags: demuxer.tags, tracks: order.map { tracks[$0] },
        containerStart: containerStart, losses: losses,
        notes: notes(startingAt: containerStart)),
      indexes: Dictionary(
        order.map { (tracks[$0].index, indexes[tracks[$0].stream.index] ?? PacketIndex()) },
        uniquingKeysWith: { first, _ in first }))
  }

  /// The number of bytes that the file declares but lacks at its end.
  private var missingBytes: Int64 {
    reading.losses.reduce(0) { count, loss in
      if case .cutOff(let missing) = loss.cause { count +| missing } else { count }
    }
  }

  /// Returns the time of the first picture or sample of `stretch`, by the file's clock. `picture`
  /// is the first time of the pictures in the same recording.
  private func start(
    of stretch: ClockStretch, stream: Int, beside picture: ExactTime? = nil
  ) -> ExactTime {
    let first = stretch.shownTicks.min() ?? stretch.ticks.min() ?? 0
    let start = (ExactTime(ticks: first, timeBase: stretch.timeBase) ?? .zero) + delay(stream)
    guard let sound = reading.first[stream]?.sound, stretch.packets.contains(sound.packet) else {
      return start
    }
    let ticks = stretch.ticks[sound.packet - stretch.packets.lowerBound]
    let heard =
      (ExactTime(ticks: ticks, timeBase: stretch.timeBase) ?? .zero) + sound.skipped
      + delay(stream)
    if let picture, sound.skipped == .zero, isPriming(picture - start, stream) { return picture }
    return heard > start && heard - start < Self.longestPriming ? heard : start
  }

  /// Returns the time by which a stream starts later than the container states.
  private func delay(_ stream: Int) -> ExactTime {
    let isPicture = reading.streams[stream].info.kind == .video
    return isPicture ? max(.zero, pictureDelay) : max(.zero, .zero - pictureDelay)
  }

  /// True if `lead`, the time by which audio precedes the pictures, equals an encoder's delay.
  /// MPEG-TS and FLV cannot signal the delay and Matroska rarely does; their writers shift the
  /// pictures instead.
  private func isPriming(_ lead: ExactTime, _ stream: Int) -> Bool {
    let info = reading.streams[stream].info
    guard let delays = EncoderDelays.samples[info.codec],
      let rate = (reading.first[stream]?.audio ?? info.audio)?.sampleRate, rate > 0
    else { return false }
    return delays.contains { samples in
      let delay = ExactTime(Int128(samples), over: Int128(rate))
      return max(lead, delay) - min(lead, delay) < EncoderDelays.rounding
    }
  }

  private func track(
    _ stretch: ClockStretch, stream: Int, from start: ExactTime, movedBy move: ExactTime
  ) -> MediaTrack {
    var info = reading.streams[stream].info
    let first = stretch.shownTicks.min() ?? stretch.ticks.min() ?? 0
    let decoded = firstDecoded(stretch, stream)
    info.video = decoded?.video ?? info.video
    info.audio = decoded?.audio ?? info.audio
    let clock = TrackTimeMapping(
      start: (ExactTime(ticks: first, timeBase: stretch.timeBase) ?? .zero) + move + delay(stream),
      firstTicks: first, timeBase: stretch.timeBase, nominalRate: stretch.nominalRate)
    var track = MediaTrack(
      stream: info, link: stretch.link, packets: stretch.packets, clock: clock,
      start: start + move, end: clock.time(ticks: stretch.endTicks),
      isCounted: stretch.isCounted, firstPicture: decoded?.picture,
      isAudible: decoded?.sound != nil)
    track.reorderDepth = stretch.isCounted ? 0 : reorderDepth(stretch)
    track.needsFirstPacket = reading.needsFirstPacket[stream]
    if let index = indexes[info.index] { track.index = PacketIndex.name(of: index.encoded) }
    return track
  }

  /// Returns the first decoded frame of a stretch: from the scan, or by reading the stretch again
  /// if the stream has several.
  private func firstDecoded(_ stretch: ClockStretch, _ stream: Int) -> DecodeProbe? {
    let first = reading.first[stream]
    let packet = first?.picture?.packet ?? first?.sound?.packet
    if let packet, stretch.packets.contains(packet) { return first }
    let info = reading.streams[stream].info
    guard stretch.packets.lowerBound > 0, let index = indexes[info.index],
      var packets = try? PacketStream.open(
        path, stream: info.index, index, from: stretch.packets.lowerBound,
        cancellation: cancellation),
      let again = try? DecodeProbe(info, of: packets.demuxer),
      let packet = try? Packet.allocate()
    else { return nil }
    while !again.isDone, let number = try? packets.read(into: packet),
      number < stretch.packets.upperBound
    {
      again.send(packet, number: number)
    }
    again.finish()
    return again
  }

  /// Returns the maximum number of earlier packets that are shown after a packet.
  private func reorderDepth(_ stretch: ClockStretch) -> Int {
    var depth = 0
    for index in stretch.ticks.indices where stretch.isShown[index] {
      let before = stretch.ticks[max(0, index - 16)..<index]
      depth = max(depth, before.count { $0 > stretch.ticks[index] })
    }
    return depth
  }

  private func losses(of track: MediaTrack) -> [MediaLoss] {
    guard let stream = reading.streams.firstIndex(where: { $0.info.index == track.stream.index }),
      let stretch = stretches[stream].first(where: { $0.packets == track.packets })
    else { return [] }
    var losses: [MediaLoss] = []
    if stretch.wrongTimes > 0 {
      losses.append(MediaLoss(.wrongTimes(stretch.wrongTimes), track.stream))
    }
    if let first = track.firstPicture, first.isWhole, !track.isCounted {
      let ticks = stretch.ticks[first.packet - track.packets.lowerBound]
      let shown = track.clock.time(ticks: ticks)
      if shown - track.start >= Self.shortestUnseen {
        losses.append(MediaLoss(.missingKeyframe, track.stream, start: track.start, end: shown))
      }
    }
    if let percent = reading.first[stream]?.percentDecoded, track.link == 0 {
      losses.append(
        MediaLoss(
          .partlyDecoded(percent: percent), track.stream, start: track.start, end: track.end))
    }
    return losses
  }

  /// Returns a loss for each kind of media that has packets but no decodable stream.
  private func missingKinds(_ tracks: [MediaTrack]) -> [MediaLoss] {
    [StreamInfo.Kind.video, .audio].compactMap { kind in
      let all = tracks.filter { $0.stream.kind == kind }
      guard let first = all.first, !all.contains(where: \.isDecodable) else { return nil }
      let stream = reading.streams.firstIndex { $0.info.index == first.stream.index }
      return MediaLoss(
        .nothingDecodable(stream.flatMap { reading.first[$0]?.failure }), first.stream)
    }
  }

  private func notes(startingAt start: ExactTime) -> [MediaNote] {
    reading.streams.compactMap { stream -> MediaNote? in
      if stream.info.kind == .other { return .ignored(stream.info.index, codec: stream.info.codec) }
      return stream.packets.isEmpty
        ? .withoutData(stream.info.index, codec: stream.info.codec) : nil
    } + (start.seconds.magnitude >= 0.1 ? [.startsAt(start)] : []) + brokenClocks
  }

  private var brokenClocks: [MediaNote] {
    zip(reading.streams, stretches).compactMap { stream, stretches in
      let leaps = stretches.map(\.leaps)
      let count = leaps.reduce(0) { $0 + $1.count }
      return count == 0
        ? nil
        : .brokenClock(
          stream.info.index, codec: stream.info.codec, leaps: count,
          longest: leaps.map(\.longest).max() ?? .zero)
    }
  }
}

/// The delays of common audio encoders.
private enum EncoderDelays {
  /// The delays in samples, by codec. AAC: FFmpeg (`aacenc.c`), FDK and Apple (TN2258). MP3: LAME
  /// (`libmp3lame.c`: the encoder's delay and the decoder's 529). Others: FFmpeg.
  static let samples = [
    "aac": [1024, 2048, 2112], "mp3": [1105], "mp2": [481], "ac3": [256], "eac3": [256],
  ]
  /// The tolerance, because containers round timestamps to milliseconds.
  static let rounding = ExactTime(3, over: 2000)
}
