import CTesseraFFmpeg
package import TesseraSystem
import TesseraTimeline

/// The result of one pass over a recording: the facts about the file, and its packet indexes.
package struct MediaScanResult: Sendable, Codable {
  /// The facts about the file.
  package var file: MediaFileInfo
  /// The packet index of each video and audio stream, by the index's name
  /// (``PacketIndex/name(of:)``).
  package var indexes: [String: PacketIndex]

  /// Returns the packet index of the stream of `track`; empty if it is missing.
  package func index(of track: MediaTrack) -> PacketIndex {
    indexes[track.index] ?? PacketIndex()
  }

  /// Returns the path that readers open for `track`: the file, or one run of a playlist.
  private func path(of track: MediaTrack) -> String {
    track.run.map { "\(file.path)/\($0)" } ?? file.path
  }

  /// Returns the source from which the pictures of `track` are read.
  package func pictures(_ track: MediaTrack) -> PictureSource {
    PictureSource(track: track, index: index(of: track), path: path(of: track))
  }

  /// Returns the source from which the audio of `track` is read.
  package func sound(_ track: MediaTrack) -> SoundSource {
    SoundSource(track: track, index: index(of: track), path: path(of: track))
  }
}

extension MediaFileInfo {
  /// Reads all packets of the recording at `path` and decodes the first of each stream.
  ///
  /// - Throws: ``MediaError`` if the file cannot be opened as a recording or has no video or audio
  ///   packets. Damage after that is not an error: see ``losses``.
  package static func scan(
    _ path: String, cancellation: Cancellation
  ) throws(MediaError) -> MediaScanResult {
    if case (_, nil)? = SegmentedFile.parts(of: path) {
      return try MediaScanResult.segments(path, cancellation: cancellation)
    }
    let demuxer = try Demuxer.open(path, cancellation: cancellation)
    guard !demuxer.isEncrypted else { throw MediaError(path: path, reason: .encrypted) }
    var reading = PacketScanner(demuxer)
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
    return try TrackBuilder(reading, demuxer, cancellation).scan(demuxer, identity)
  }
}

/// Collects all packets of a file in one pass, with hashes, sample counts and damage marks.
struct PacketScanner {
  var streams: [StreamPackets]
  private(set) var payloadHashes: [[UInt64]]
  private(set) var first: [DecodeProbe?]
  private let samples: [ScanSampleCounter?]
  /// The byte offsets of clusters, for containers whose demuxer can seek only to these.
  private(set) var clusters: [Int64] = []
  /// For each stream, true if its decoder needs information that only the first packet carries.
  private(set) var needsFirstPacket: [Bool]
  var losses: [MediaLoss] = []
  private var hashes: [PayloadHasher]
  private let fields: [SecondFieldDetector?]
  private let codings: [PictureHeaderParser?]
  /// For each stream, the number after the last packet that carried alpha.
  private var firstOpaque: [Int]
  /// True if some packets could not be read or are damaged.
  private(set) var isIncomplete = false
  /// The positions at which the demuxer reported damage.
  private(set) var marks: [DamagePosition] = []
  /// For each stream, the index in ``marks`` of the last mark before its next packet; `nil` if
  /// there is none.
  private var pending: [Int?]
  /// The number of packets read from all streams.
  private var sequence = 0

  init(_ demuxer: borrowing Demuxer) {
    let infos = demuxer.streams
    streams = infos.indices.map {
      StreamPackets(
        info: infos[$0], mayReorder: demuxer.mayReorder($0), promisedEnd: demuxer.promisedEnd($0))
    }
    payloadHashes = infos.map { _ in [] }
    hashes = infos.map { _ in PayloadHasher() }
    pending = infos.map { _ in nil }
    needsFirstPacket = infos.map { _ in false }
    firstOpaque = infos.map { _ in 0 }
    fields = infos.indices.map { SecondFieldDetector(stream: $0, of: demuxer) }
    codings = infos.indices.map { index in
      unsafe demuxer.stream(index)?.pointee.codecpar.map { unsafe PictureHeaderParser($0) }
    }
    first = []
    var samples: [ScanSampleCounter?] = []
    for info in infos {
      first.append(info.kind == .other ? nil : try? DecodeProbe(info, of: demuxer))
      samples.append(info.kind == .audio ? try? ScanSampleCounter(info.index, of: demuxer) : nil)
    }
    self.samples = samples
  }

  /// Reads packets up to the end of the file.
  ///
  /// - Throws: The last ``FFmpegError`` if reading was cancelled or failed too often in a row.
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

  /// Records damage before the next packet of each stream.
  private mutating func mark(_ words: String) {
    let counts = streams.map(\.packets.count)
    guard marks.last?.counts != counts else { return }
    for stream in pending.indices { pending[stream] = marks.count }
    marks.append(DamagePosition(counts: counts, words: words))
  }

  /// Marks the next packet of `stream` as corrupt if the demuxer says so, or if damage was reported
  /// and there is a gap before the packet.
  private mutating func noteDamage(_ fact: inout PacketInfo, _ stream: Int) {
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
    var mark = DamagePosition(counts: streams.map(\.packets.count), words: words)
    mark.streams = [stream]
    marks.append(mark)
  }

  private mutating func append(_ packet: borrowing Packet, of demuxer: borrowing Demuxer) {
    let stream = packet.streamIndex
    let number = streams[stream].packets.count
    if number == 0 { needsFirstPacket[stream] = packet.isFromOldX264 }
    var fact = PacketInfo(packet, sequence: sequence)
    sequence += 1
    noteAlpha(of: packet, &fact, stream)
    if streams[stream].packets.first?.isDiscarded == true, fact.presentation ?? 0 < 0,
      streams[stream].info.kind == .video, demuxer.traits.promisesStreams
    {
      // libav* does not mark all packets that an edit list excludes if the edit starts without a
      // keyframe.
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

  /// Clears the keyframe flag of pictures without alpha before a picture whose alpha depends on an
  /// earlier one, so that decoding never starts there.
  private mutating func noteAlpha(
    of packet: borrowing Packet, _ fact: inout PacketInfo, _ stream: Int
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
    hashes[stream] = PayloadHasher()
  }

  private mutating func finish(_ demuxer: borrowing Demuxer) {
    for stream in streams.indices {
      if !streams[stream].packets.count.isMultiple(of: PacketIndex.blockLength) {
        closeBlock(stream)
      }
      streams[stream].declaredEnd = demuxer.declaredEnd(stream, start: streams[stream].firstTime)
      first[stream]?.finish()
      samples[stream]?.finish()
      streams[stream].samples = samples[stream]?.counts ?? PacketSampleCounts()
      guard demuxer.traits.isChain else { continue }
      streams[stream].countOtherRates()
      streams[stream].countBackFromPages()
    }
  }

  /// Records losses at the end of the file, and cleans up the damage marks.
  mutating func noteEnd(_ path: String, _ traits: ContainerTraits) {
    isIncomplete = isIncomplete || !marks.isEmpty
    if traits.end == .pages { notePages(OggPageCheck(path)) }
    let lastByte = streams.flatMap { $0.packets.map { $0.position +| Int64($0.size) } }.max()
    if let cause = DeclaredByteCountCheck.loss(
      path, traits, isIncomplete: isIncomplete, lastByte: lastByte ?? 0)
    {
      losses = [MediaLoss(cause)]
      // A truncated file lacks what its index lists after that; marks would repeat the loss.
      if traits.end == .boxes { marks = [] }
    }
    if let words = losses.first?.words { marks.removeAll { $0.words == words } }
    // A mark with a position replaces the mark without one.
    if marks.count > 1 { marks.removeAll(where: \.isAnywhere) }
  }

  /// Records damaged Ogg pages, whether or not libav* reported them.
  private mutating func notePages(_ pages: OggPageCheck) {
    for bytes in pages.damaged {
      isIncomplete = true
      let counts = streams.map { stream in
        stream.packets.partitioningIndex { $0.position >= bytes.lowerBound }
      }
      var mark = DamagePosition(counts: counts, words: "damaged pages")
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

extension PacketInfo {
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
  /// True if the packet's SEI names x264 of build 151 or older. libavcodec must see that packet to
  /// decode 4:4:4 pictures of these builds correctly.
  fileprivate var isFromOldX264: Bool {
    let mark = Array("x264 - core ".utf8)
    let head = unsafe withPayload { unsafe Array($0.prefix(1024)) }
    let start = head.indices.first { head[$0...].starts(with: mark) }
    guard let start else { return false }
    let digits = head[(start + mark.count)...].prefix(3).prefix { 48...57 ~= $0 }
    return digits.reduce(0) { $0 * 10 + Int($1) - 48 } <= 151
  }
}
