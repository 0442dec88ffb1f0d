import CTesseraFFmpeg
package import TesseraPixels
package import TesseraSystem
package import TesseraTimeline

/// Plays a finished file from start to end as a player does: packets in file order, one decoder per
/// stream, timestamps as stored. Verification uses it; recordings are read with ``PictureReader``
/// and ``SoundReader``.
package struct FilePlayer: ~Copyable {
  /// The result of one step of playback.
  package enum Event: Sendable {
    /// A decoded picture, accessible through ``FilePlayer/withPicture(_:)``; its presentation time,
    /// or `nil` if the file has none.
    case picture(at: ExactTime?)
    /// Decoded audio in ``FilePlayer/samples``; the position of its first sample, in samples at its
    /// rate, or `nil`.
    case sound(at: Int64?)
    /// A text of a subtitle stream.
    case text(stream: Int, start: MediaTime, end: MediaTime, String)
    /// An error of reading or decoding, as a message.
    case failure(String)
    /// A packet whose decoding timestamp is out of order, and that timestamp.
    case disorder(stream: Int, MediaTime)
  }

  /// A chapter mark of the file.
  package struct Chapter: Hashable, Sendable, Codable {
    package var start: MediaTime
    package var title: String
  }

  package let streams: [StreamInfo]
  /// The indexes of the first video and the first audio stream.
  package let (video, audio): (Int?, Int?)
  /// The chapter marks of the file, in file order.
  package let chapters: [Chapter]
  /// The duration that the file states for the last picture; `nil` if it states none.
  package private(set) var pictureDuration: ExactTime?
  /// Interleaved stereo samples, valid after ``Event/sound(at:)``.
  package private(set) var samples: [Float] = []

  private let demuxer: Demuxer
  private let cancellation: Cancellation
  private var pictures: StreamDecoder?
  private var sounds: AudioDecoder?
  private var converter: SampleConverter?
  private let packet: Packet
  private let frame: Frame
  /// The presentation timestamps of packets in the decoder, by packet number; of pictures with
  /// their durations.
  private var times: [Int: (start: Int64, duration: Int64)] = [:]
  private var soundTimes: [Int: Int64] = [:]
  private var counts: (pictures: Int, sounds: Int) = (0, 0)
  private var lastDecoding: [Int: Int64] = [:]
  private var state = DecodingPhase.reading

  private enum DecodingPhase {
    case reading, pictures, sounds, drainingPictures, drainingSounds, ended
  }

  /// Opens the file at `path`.
  ///
  /// - Throws: ``MediaError`` if the file or a decoder cannot be opened.
  package static func open(
    _ path: String, cancellation: Cancellation
  ) throws(MediaError) -> FilePlayer {
    let demuxer = try Demuxer.open(path, cancellation: cancellation)
    demuxer.select { _ in true }
    let (streams, chapters) = (demuxer.streams, demuxer.chapters)
    let video = streams.first { $0.kind == .video }?.index
    let audio = streams.first { $0.kind == .audio }?.index
    do throws(FFmpegError) {
      var pictures: StreamDecoder?
      var sounds: AudioDecoder?
      if let video {
        pictures = try StreamDecoder.open(stream: video, of: demuxer, reorderDepth: 16)
      }
      if let audio { sounds = try AudioDecoder.open(stream: audio, of: demuxer) }
      return FilePlayer(
        streams: streams, video: video, audio: audio, chapters: chapters, demuxer: demuxer,
        cancellation: cancellation, pictures: pictures, sounds: sounds,
        packet: try Packet.allocate(), frame: try Frame.allocate())
    } catch {
      throw MediaError(path: path, reason: .nothingDecodable(error.words))
    }
  }

  /// The duration that the container declares; `nil` if it declares none.
  package var declaredDuration: MediaTime? { demuxer.declaredDuration }
  package var formatName: String { demuxer.formatName }
  /// The title tag of the file.
  package var title: String? { demuxer.text("title") }

  /// Seeks to the keyframe before `time`, or to the start. Returns false if the file cannot seek.
  /// Must be called before ``next()``.
  package func go(to time: MediaTime) -> Bool {
    unsafe av_seek_frame(demuxer.context, -1, time.nanoseconds / 1000, AVSEEK_FLAG_BACKWARD) >= 0
  }

  /// Performs the next step; returns `nil` at the end and after a cancellation.
  package mutating func next() -> Event? {
    while state != .ended, !cancellation.isCancelled {
      do throws(FFmpegError) {
        switch state {
        case .pictures, .drainingPictures:
          if let event = try takePicture() { return event }
          if state == .drainingPictures {
            sounds?.finish()
            state = .drainingSounds
          } else {
            state = .reading
          }
        case .sounds, .drainingSounds:
          if let event = try takeSound() { return event }
          state = state == .drainingSounds ? .ended : .reading
        case .reading:
          if let event = try read() { return event }
        case .ended: return nil
        }
      } catch {
        if state == .drainingPictures || state == .drainingSounds { state = .ended }
        return .failure(error.words)
      }
    }
    return nil
  }

  /// Calls `body` with the planes of the last picture; returns `nil` if its format is not 8-bit
  /// 4:2:0.
  package func withPicture<R>(_ body: (_ luma: Plane, _ blue: Plane, _ red: Plane) -> R) -> R? {
    guard [AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P].contains(frame.pixelFormat) else { return nil }
    let (raw, size) = unsafe (frame.raw, frame.size)
    let half = PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
    guard let luma = unsafe raw.pointee.data.0, let blue = unsafe raw.pointee.data.1,
      let red = unsafe raw.pointee.data.2,
      unsafe raw.pointee.linesize.0 >= size.width, unsafe raw.pointee.linesize.1 >= half.width,
      unsafe raw.pointee.linesize.2 >= half.width
    else { return nil }
    return unsafe body(
      Plane(base: luma, stride: Int(raw.pointee.linesize.0), size: size),
      Plane(base: blue, stride: Int(raw.pointee.linesize.1), size: half),
      Plane(base: red, stride: Int(raw.pointee.linesize.2), size: half))
  }

  /// Reads a packet and sends it to its decoder.
  private mutating func read() throws(FFmpegError) -> Event? {
    guard try demuxer.read(into: packet) else {
      pictures?.finish()
      state = .drainingPictures
      return nil
    }
    let (index, ticks) = (packet.streamIndex, packet.presentationTicks)
    guard index >= 0, index < streams.count else { return nil }
    let disorder = disorder(of: index)
    if index == video {
      times[counts.pictures] = ticks.map { ($0, packet.durationTicks) }
      counts.pictures += 1
      state = .pictures
      try pictures?.send(packet, number: counts.pictures - 1)
    } else if index == audio {
      soundTimes[counts.sounds] = ticks
      counts.sounds += 1
      state = .sounds
      try sounds?.send(packet, number: counts.sounds - 1)
    } else if let text = text(index) {
      return text
    }
    return disorder
  }

  /// Returns an event if the packet's decoding timestamp is out of order, for containers that store
  /// these.
  private mutating func disorder(of index: Int) -> Event? {
    guard demuxer.traits.positioning != .cluster, let ticks = packet.decodingTicks else {
      return nil
    }
    defer { lastDecoding[index] = ticks }
    guard let last = lastDecoding[index], ticks < last || ticks == last && index == video,
      let time = MediaTime(ticks: ticks, timeBase: streams[index].timeBase)
    else { return nil }
    return .disorder(stream: index, time)
  }

  private mutating func takePicture() throws(FFmpegError) -> Event? {
    guard let video, try pictures?.receive(into: frame) == true else { return nil }
    let ticks = frame.packet.flatMap { times.removeValue(forKey: $0) }
    let base = streams[video].timeBase
    pictureDuration = ticks.flatMap {
      $0.duration > 0 ? ExactTime(ticks: $0.duration, timeBase: base) : nil
    }
    return .picture(at: ticks.flatMap { ExactTime(ticks: $0.start, timeBase: base) })
  }

  private mutating func takeSound() throws(FFmpegError) -> Event? {
    guard let audio, let block = try sounds?.receive(into: frame) else { return nil }
    if converter?.accepts(frame) != true {
      converter = try SampleConverter.make(for: frame, path: demuxer.path)
    }
    samples.removeAll(keepingCapacity: true)
    try converter?.convert(frame, into: &samples)
    let ticks = block.packet.flatMap { soundTimes.removeValue(forKey: $0) }
    let time = ticks.flatMap { ExactTime(ticks: $0, timeBase: streams[audio].timeBase) }
    return .sound(at: time.map { ($0 + block.skipped).sample(atRate: block.sampleRate) })
  }

  /// Returns the text in a packet of a subtitle stream.
  private func text(_ index: Int) -> Event? {
    let base = streams[index].timeBase
    guard let ticks = packet.presentationTicks,
      let start = MediaTime(ticks: ticks, timeBase: base),
      let end = MediaTime(ticks: ticks +| packet.durationTicks, timeBase: base)
    else { return nil }
    let bytes = unsafe packet.withPayload { unsafe Array($0) }
    // 3GPP timed text starts with the length of the text.
    let isTimed = streams[index].codec == "mov_text"
    let length = isTimed && bytes.count >= 2 ? Int(bytes[0]) << 8 | Int(bytes[1]) : 0
    let text = isTimed ? bytes.dropFirst(2).prefix(length) : bytes[...]
    guard !text.isEmpty else { return nil }
    return .text(stream: index, start: start, end: end, String(decoding: text, as: UTF8.self))
  }
}

extension Demuxer {
  /// The chapter marks of the file, in file order.
  var chapters: [FilePlayer.Chapter] {
    (0..<Int(unsafe context.pointee.nb_chapters)).compactMap { index in
      guard let chapter = unsafe context.pointee.chapters[index],
        let start = unsafe MediaTime(
          ticks: chapter.pointee.start, timeBase: Ratio(chapter.pointee.time_base))
      else { return nil }
      let title = unsafe av_dict_get(chapter.pointee.metadata, "title", nil, 0)
      return FilePlayer.Chapter(
        start: start, title: unsafe title.map { unsafe String(cString: $0.pointee.value) } ?? "")
    }
  }
}
