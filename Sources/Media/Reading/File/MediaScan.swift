import CTesseraFFmpeg
package import TesseraSystem
import TesseraTimeline

/// What one pass over a recording found: the facts of the file, and the packets of its streams.
package struct MediaScan: Sendable, Codable {
  /// All that a plan has to know.
  package var file: MediaFile
  /// The packets of each stream of pictures or sound, by its number.
  package var indexes: [Int: PacketIndex]

  /// The packets of `track`'s stream.
  package func index(of track: MediaTrack) -> PacketIndex {
    indexes[track.stream.index] ?? PacketIndex()
  }

  /// The pictures of `track`.
  package func pictures(_ track: MediaTrack) -> PictureSource {
    PictureSource(track: track, index: index(of: track), path: file.path)
  }

  /// The sound of `track`.
  package func sound(_ track: MediaTrack) -> SoundSource {
    SoundSource(track: track, index: index(of: track), path: file.path)
  }
}

extension MediaFile {
  /// Reads all packets of the recording at `path` and decodes the first of each stream.
  ///
  /// - Throws: ``MediaError`` where the file cannot be opened as a recording or has no packets of
  ///   pictures or sound. A file that breaks off later is not an error: see ``losses``.
  package static func scan(
    _ path: String, cancellation: Cancellation
  ) throws(MediaError) -> MediaScan {
    let demuxer = try Demuxer.open(path, cancellation: cancellation)
    var reading = PacketReading(demuxer)
    do throws(FFmpegError) {
      try reading.readAll(demuxer)
    } catch {
      guard !error.isCancellation, !cancellation.isCancelled else {
        throw MediaError(path: path, reason: .cancelled)
      }
      reading.losses.append(MediaLoss(.stoppedEarly(error.words)))
    }
    reading.noteEnd(path, demuxer.traits)
    guard let identity = FileIdentity(path) else {
      throw MediaError(path: path, reason: .unreadable("the system cannot read it again"))
    }
    return try TrackMaker(reading, demuxer, cancellation).scan(demuxer, identity)
  }
}

/// All packets of a file, in one pass.
struct PacketReading {
  var streams: [StreamFacts]
  private(set) var payloadHashes: [[UInt64]]
  private(set) var first: [FirstDecoded?]
  private let samples: [PacketSamples?]
  /// Where the demuxer can be set down that cannot be at any packet.
  private(set) var clusters: [Int64] = []
  /// Of streams whose decoder learns something in its first packet only.
  private(set) var needsFirstPacket: [Bool]
  var losses: [MediaLoss] = []
  private var hashes: [PayloadHash]
  private let fields: [FieldParser?]
  private(set) var isIncomplete = false
  private var logLine: String?
  private var sequence = 0

  init(_ demuxer: borrowing Demuxer) {
    let infos = demuxer.streams
    streams = infos.indices.map {
      StreamFacts(
        info: infos[$0], mayReorder: demuxer.mayReorder($0), promisedEnd: demuxer.promisedEnd($0))
    }
    payloadHashes = infos.map { _ in [] }
    hashes = infos.map { _ in PayloadHash() }
    needsFirstPacket = infos.map { _ in false }
    fields = infos.indices.map { FieldParser(stream: $0, of: demuxer) }
    first = []
    var samples: [PacketSamples?] = []
    for info in infos {
      first.append(info.kind == .other ? nil : try? FirstDecoded(info, of: demuxer))
      samples.append(info.kind == .audio ? try? PacketSamples(info.index, of: demuxer) : nil)
    }
    self.samples = samples
  }

  mutating func readAll(_ demuxer: borrowing Demuxer) throws(FFmpegError) {
    _ = FFmpegLog.takeLastLine()
    let packet = try Packet.allocate()
    defer { finish(demuxer) }
    var (failures, failure) = (0, FFmpegError?.none)
    while failures < PacketStream.largestRunOfFailures {
      do throws(FFmpegError) {
        guard try demuxer.read(into: packet) else { break }
      } catch {
        (failures, failure, isIncomplete) = (failures + 1, error, true)
        if error.isCancellation { break }
        continue
      }
      (failures, failure) = (0, nil)
      logLine = FFmpegLog.takeLastLine() ?? logLine
      guard streams.indices.contains(packet.streamIndex),
        streams[packet.streamIndex].info.kind != .other
      else { continue }
      append(packet, of: demuxer)
    }
    if let failure { throw failure }
  }

  private mutating func append(_ packet: borrowing Packet, of demuxer: borrowing Demuxer) {
    let stream = packet.streamIndex
    let number = streams[stream].packets.count
    if number == 0 { needsFirstPacket[stream] = packet.isFromOldX264 }
    var fact = PacketFact(packet, sequence: sequence)
    sequence += 1
    isIncomplete = isIncomplete || fact.isCorrupt
    if fields[stream]?.isSecondField(packet) == true {
      fact.isSecondField = true
      streams[stream].packets[number - 1].duration &+= fact.duration
    }
    streams[stream].packets.append(fact)
    unsafe packet.withPayload { unsafe hashes[stream].add($0) }
    if number % PacketIndex.blockLength == PacketIndex.blockLength - 1 { closeBlock(stream) }
    if let cluster = demuxer.cluster(of: packet), cluster > clusters.last ?? -1 {
      clusters.append(cluster)
    }
    let length = samples[stream]?.add(packet, of: demuxer)
    first[stream]?.send(packet, number: number, holding: length ?? nil)
  }

  private mutating func closeBlock(_ stream: Int) {
    payloadHashes[stream].append(hashes[stream].low)
    hashes[stream] = PayloadHash()
  }

  private mutating func finish(_ demuxer: borrowing Demuxer) {
    logLine = FFmpegLog.takeLastLine() ?? logLine
    for stream in streams.indices {
      if !streams[stream].packets.count.isMultiple(of: PacketIndex.blockLength) {
        closeBlock(stream)
      }
      streams[stream].declaredEnd = demuxer.declaredEnd(stream)
      first[stream]?.finish()
      samples[stream]?.finish()
      streams[stream].samples = samples[stream]?.counts ?? SampleCounts()
      guard demuxer.traits.isChain else { continue }
      streams[stream].countOtherRates()
      streams[stream].countBackFromPages()
    }
  }

  /// Notes what the end of the file shows, and what libav* complained of.
  mutating func noteEnd(_ path: String, _ traits: ContainerTraits) {
    let damage = logLine.flatMap { FFmpegLog.isFollowingSegment($0) ? nil : $0 }
    isIncomplete = isIncomplete || damage != nil
    let lastByte = streams.flatMap { $0.packets.map { $0.position +| Int64($0.size) } }.max()
    if let cause = FileEnd.loss(path, traits, isIncomplete: isIncomplete, lastByte: lastByte ?? 0) {
      losses = [MediaLoss(cause)]
    } else if losses.isEmpty, let damage {
      losses = [MediaLoss(.damaged(damage))]
    }
  }
}

extension PacketFact {
  init(_ packet: borrowing Packet, sequence: Int) {
    presentation = packet.presentationTicks
    decoding = packet.decodingTicks
    duration = packet.durationTicks
    position = packet.position
    size = packet.size
    (isKeyframe, isDiscarded) = (packet.isKeyframe, packet.isDiscarded)
    (isCorrupt, padding) = (packet.isCorrupt, packet.paddingSamples)
    changesParameters = packet.changesParameters
    self.sequence = sequence
  }
}

extension Packet {
  /// Whether it says that an x264 has made it whose 4:4:4 has to be decoded in its own way, as
  /// libavcodec knows from the number of its build: up to 151.
  fileprivate var isFromOldX264: Bool {
    let mark = Array("x264 - core ".utf8)
    let head = unsafe withPayload { unsafe Array($0.prefix(1024)) }
    let start = head.indices.first { head[$0...].starts(with: mark) }
    guard let start else { return false }
    let digits = head[(start + mark.count)...].prefix(3).prefix { 48...57 ~= $0 }
    return digits.reduce(0) { $0 * 10 + Int($1) - 48 } <= 151
  }
}
