import CTesseraFFmpeg
package import TesseraSystem
import TesseraTimeline

/// What one pass over a recording found: the facts of the file, and the packets of its streams.
package struct MediaScan: Sendable, Codable {
  /// All that a plan has to know.
  package var file: MediaFile
  /// The packets of each stream of pictures or sound, by the names of their indexes.
  package var indexes: [String: PacketIndex]

  /// The packets of `track`'s stream.
  package func index(of track: MediaTrack) -> PacketIndex {
    indexes[track.index] ?? PacketIndex()
  }

  /// The path that is opened to read `track`.
  private func path(of track: MediaTrack) -> String {
    track.run.map { "\(file.path)/\($0)" } ?? file.path
  }

  /// The pictures of `track`.
  package func pictures(_ track: MediaTrack) -> PictureSource {
    PictureSource(track: track, index: index(of: track), path: path(of: track))
  }

  /// The sound of `track`.
  package func sound(_ track: MediaTrack) -> SoundSource {
    SoundSource(track: track, index: index(of: track), path: path(of: track))
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
    if case (_, nil)? = SegmentedFile.parts(of: path) {
      return try MediaScan.segments(path, cancellation: cancellation)
    }
    let demuxer = try Demuxer.open(path, cancellation: cancellation)
    guard !demuxer.isEncrypted else { throw MediaError(path: path, reason: .encrypted) }
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
  private let codings: [PictureCoding?]
  /// Of each stream, the packet after the last one that carried opacity.
  private var firstOpaque: [Int]
  private(set) var isIncomplete = false
  /// Where the demuxer found damage.
  private(set) var marks: [DamageMark] = []
  /// Of each stream, the last mark before its next packet.
  private var pending: [Int?]
  private var sequence = 0

  init(_ demuxer: borrowing Demuxer) {
    let infos = demuxer.streams
    streams = infos.indices.map {
      StreamFacts(
        info: infos[$0], mayReorder: demuxer.mayReorder($0), promisedEnd: demuxer.promisedEnd($0))
    }
    payloadHashes = infos.map { _ in [] }
    hashes = infos.map { _ in PayloadHash() }
    pending = infos.map { _ in nil }
    needsFirstPacket = infos.map { _ in false }
    firstOpaque = infos.map { _ in 0 }
    fields = infos.indices.map { FieldParser(stream: $0, of: demuxer) }
    codings = infos.indices.map { index in
      unsafe demuxer.stream(index)?.pointee.codecpar.map { unsafe PictureCoding($0) }
    }
    first = []
    var samples: [PacketSamples?] = []
    for info in infos {
      first.append(info.kind == .other ? nil : try? FirstDecoded(info, of: demuxer))
      samples.append(info.kind == .audio ? try? PacketSamples(info.index, of: demuxer) : nil)
    }
    self.samples = samples
  }

  mutating func readAll(_ demuxer: borrowing Demuxer) throws(FFmpegError) {
    let packet = try Packet.allocate()
    defer { finish(demuxer) }
    if let words = demuxer.takeComplaint() {
      mark(words)
      marks[0].isAnywhere = true
    }
    var (failures, failure) = (0, FFmpegError?.none)
    while failures < PacketStream.largestRunOfFailures {
      do throws(FFmpegError) {
        let isPacket = try demuxer.read(into: packet)
        if let words = demuxer.takeComplaint() { mark(words) }
        guard isPacket else { break }
      } catch {
        (failures, failure, isIncomplete) = (failures + 1, error, true)
        if error.isCancellation { break }
        mark(demuxer.takeComplaint() ?? error.words)
        continue
      }
      (failures, failure) = (0, nil)
      guard streams.indices.contains(packet.streamIndex),
        streams[packet.streamIndex].info.kind != .other
      else { continue }
      append(packet, of: demuxer)
    }
    if let failure { throw failure }
  }

  /// Notes that something is damaged before the packets that come next.
  private mutating func mark(_ words: String) {
    let counts = streams.map(\.packets.count)
    guard marks.last?.counts != counts else { return }
    for stream in pending.indices { pending[stream] = marks.count }
    marks.append(DamageMark(counts: counts, words: words))
  }

  /// Notes of a packet, the next one of its stream, whether it or what should be before it is
  /// damaged.
  private mutating func noteDamage(_ fact: inout PacketFact, _ stream: Int) {
    let (mark, isBeginning) = (pending[stream], streams[stream].packets.count < 2)
    if fact.isCorrupt {
      isIncomplete = true
      addMark("a packet is incomplete", stream)
    } else if let mark, streams[stream].isGap(before: fact), !marks[mark].isAnywhere || !isBeginning
    {
      if marks[mark].isAnywhere {
        addMark(marks[mark].words, stream)
      } else {
        marks[mark].streams.insert(stream)
      }
      fact.isCorrupt = !fact.isKeyframe
    } else if let mark, marks[mark].isAnywhere {
      return
    }
    pending[stream] = nil
  }

  private mutating func addMark(_ words: String, _ stream: Int) {
    var mark = DamageMark(counts: streams.map(\.packets.count), words: words)
    mark.streams = [stream]
    marks.append(mark)
  }

  private mutating func append(_ packet: borrowing Packet, of demuxer: borrowing Demuxer) {
    let stream = packet.streamIndex
    let number = streams[stream].packets.count
    if number == 0 { needsFirstPacket[stream] = packet.isFromOldX264 }
    var fact = PacketFact(packet, sequence: sequence)
    sequence += 1
    noteAlpha(of: packet, &fact, stream)
    if streams[stream].packets.first?.isDiscarded == true, fact.presentation ?? 0 < 0,
      streams[stream].info.kind == .video, demuxer.traits.promisesStreams
    {
      // libav* does not leave out all that an edit does where that begins without a keyframe.
      fact.isDiscarded = true
    }
    noteDamage(&fact, stream)
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

  /// Has decoding begin with none of the pictures before one whose opacity depends on an earlier one.
  private mutating func noteAlpha(
    of packet: borrowing Packet, _ fact: inout PacketFact, _ stream: Int
  ) {
    guard let coding = codings[stream], let isKey = unsafe packet.withAlpha(coding.isKey) else {
      return
    }
    let number = streams[stream].packets.count
    if !isKey {
      for opaque in firstOpaque[stream]..<number {
        streams[stream].packets[opaque].isKeyframe = false
      }
      fact.isKeyframe = false
    }
    firstOpaque[stream] = number + 1
  }

  private mutating func closeBlock(_ stream: Int) {
    payloadHashes[stream].append(hashes[stream].low)
    hashes[stream] = PayloadHash()
  }

  private mutating func finish(_ demuxer: borrowing Demuxer) {
    for stream in streams.indices {
      if !streams[stream].packets.count.isMultiple(of: PacketIndex.blockLength) {
        closeBlock(stream)
      }
      streams[stream].declaredEnd = demuxer.declaredEnd(stream, start: streams[stream].firstTime)
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
    isIncomplete = isIncomplete || !marks.isEmpty
    if traits.end == .pages { notePages(OggPages(path)) }
    let lastByte = streams.flatMap { $0.packets.map { $0.position +| Int64($0.size) } }.max()
    if let cause = FileEnd.loss(path, traits, isIncomplete: isIncomplete, lastByte: lastByte ?? 0) {
      losses = [MediaLoss(cause)]
      // What its index promises after that is missing.
      if traits.end == .boxes { marks = [] }
    }
    if let words = losses.first?.words { marks.removeAll { $0.words == words } }
    // It was found where something is missing.
    if marks.count > 1 { marks.removeAll(where: \.isAnywhere) }
  }

  /// Notes damaged pages, whether or not libav* said so.
  private mutating func notePages(_ pages: OggPages) {
    for bytes in pages.damaged {
      isIncomplete = true
      let counts = streams.map { stream in
        stream.packets.partitioningIndex { $0.position >= bytes.lowerBound }
      }
      var mark = DamageMark(counts: counts, words: "damaged pages")
      mark.streams = Set(
        streams.indices.filter { stream in
          let packets = streams[stream].packets
          guard packets.indices.contains(counts[stream]) else { return !packets.isEmpty }
          return streams[stream].isGap(before: packets[counts[stream]], counts[stream])
        })
      marks.append(mark)
    }
    if pages.missing > 0 { losses = [MediaLoss(.cutOff(missingBytes: pages.missing))] }
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
