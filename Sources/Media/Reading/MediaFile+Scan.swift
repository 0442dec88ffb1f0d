import CTesseraFFmpeg
import Glibc
public import TesseraSystem
import TesseraTimeline

extension MediaFile {
  /// Reads all packets of the recording at `path`, without decoding them.
  ///
  /// - Throws: ``MediaError`` where the file cannot be opened as a recording or has no packets of
  ///   pictures or sound. A file that breaks off later is not an error: see ``damage``.
  public static func scan(
    _ path: String, cancellation: Cancellation
  ) throws(MediaError) -> MediaFile {
    let demuxer = try Demuxer.open(path, mayBeChained: true, cancellation: cancellation)
    let streams = demuxer.streams
    var scanned = streams.map { ScannedStream($0) }
    var damage: [String] = []
    do {
      try readAllPackets(demuxer, into: &scanned)
    } catch  where error.isCancellation || cancellation.isCancelled {
      throw MediaError(path: path, reason: .cancelled)
    } catch {
      damage.append("reading stopped early: \(error.logLine ?? error.reason)")
    }
    if damage.isEmpty, let line = FFmpegLog.takeLastLine(), !demuxer.goesOn(behind: line) {
      damage.append(line)
    }
    let lastByte = scanned.map(\.lastByte).max() ?? 0
    let problem = FileEnd.damage(path, container: demuxer.formatName, lastByte: lastByte)
    if let problem { damage = [problem + (damage.first.map { " (\($0))" } ?? "")] }
    let tracks = scanned.compactMap { demuxer.track($0) }
    guard !tracks.isEmpty else {
      let why = damage.first ?? FFmpegLog.takeLastLine()
      throw MediaError(path: path, reason: .nothingDecodable(why))
    }
    return MediaFile(
      path: path, byteCount: byteCount(of: path), container: demuxer.formatName,
      title: demuxer.title, tracks: tracks,
      ignored: scanned.compactMap(\.reasonToIgnore),
      zero: zero(scanned, path, demuxer.formatName, cancellation), damage: damage)
  }

  private static func readAllPackets(
    _ demuxer: borrowing Demuxer, into streams: inout [ScannedStream]
  ) throws(FFmpegError) {
    let packet = try Packet.allocate()
    var (failures, failure) = (0, FFmpegError?.none)
    while true {
      do {
        guard try demuxer.read(into: packet) else { break }
      } catch {
        (failures, failure) = (failures + 1, error)
        guard failures < largestRunOfFailures, !error.isCancellation else { break }
        continue
      }
      (failures, failure) = (0, nil)
      if streams.indices.contains(packet.streamIndex) {
        streams[packet.streamIndex].append(packet)
      }
      packet.clear()
    }
    if let failure { throw failure }
  }

  /// After how many failed reads in a row a file counts as ended.
  static let largestRunOfFailures = 16

  private static func byteCount(of path: String) -> Int64 {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int64(status.st_size) : 0
  }

  /// The time that counts as the file's beginning: that of its first picture or sound, codec
  /// priming aside. A movie file whose edit lists delay all tracks (so that even decoding begins
  /// after zero) begins at the movie's zero; fragments carry a clock of their own instead.
  private static func zero(
    _ streams: [ScannedStream], _ path: String, _ container: String, _ cancellation: Cancellation
  ) -> MediaTime {
    let used = streams.filter { $0.info.kind != .other && !$0.ticks.isEmpty }
    let starts = used.compactMap { stream -> MediaTime? in
      guard let start = stream.start, stream.info.kind == .audio else { return stream.start }
      return start + priming(of: stream.info.index, from: start, path, cancellation)
    }
    let decodingStarts = used.compactMap { stream in
      stream.firstDecodingTicks.flatMap {
        MediaTime(ticks: $0, timeBase: stream.info.timeBase)
      }
    }
    let first = starts.min() ?? .zero
    let isDelayedByEdit =
      container.hasPrefix("mov") && first > .zero
      && (decodingStarts.min() ?? .zero) > .zero && !MovieBoxes.hasFragments(path)
    return isDelayedByEdit ? .zero : first
  }

  /// How long after `start`, the time of its first packet, a stream of sound is first heard: what
  /// comes before is there for the decoder only, and only the decoder knows how much it is.
  private static func priming(
    of stream: Int, from start: MediaTime, _ path: String, _ cancellation: Cancellation
  ) -> MediaTime {
    do throws(MediaError) {
      let reader = try SoundReader.open(path, stream: stream, cancellation: cancellation)
      guard let heard = reader.following?.time, heard > start else { return .zero }
      return heard - start < longestPriming ? heard - start : .zero
    } catch {
      return .zero
    }
  }

  /// Opus has at most 80 ms, AAC some packets.
  private static let longestPriming = MediaTime(nanoseconds: 250_000_000)
}

/// What the scan remembers of one stream.
private struct ScannedStream {
  let info: StreamInfo
  var ticks: [Int64] = []
  var keyframes: [Int] = []
  var endTicks = Int64.min
  /// Where packets end that last longer than ``longestPacket(of:)``.
  var doubtfulEndTicks = Int64.min
  var firstDecodingTicks: Int64?
  /// The byte behind its last packet in the file; 0 where that is not known.
  var lastByte: Int64 = 0
  /// Packets without a time; they get that of the one before, or of the first one that has one.
  private var timelessCount = 0

  init(_ info: StreamInfo) { self.info = info }

  private func paddingTicks(_ packet: borrowing Packet) -> Int64 {
    guard let rate = info.audio?.sampleRate, rate > 0, packet.paddingSamples > 0 else { return 0 }
    let padding = MediaTime(sample: Int64(packet.paddingSamples), rate: rate)
    let ticks = padding.ticks(timeBase: info.timeBase)
    return min(packet.durationTicks, ticks)
  }

  /// How long a packet can last without the container's word for it; damaged files claim hours. A
  /// still screen may stand for a while.
  private static func longestPacket(of kind: StreamInfo.Kind) -> MediaTime {
    MediaTime(seconds: kind == .audio ? 2 : 60)
  }

  /// The time of its first packet in presentation order; nil where it has none.
  var start: MediaTime? {
    ticks.min().flatMap { MediaTime(ticks: $0, timeBase: info.timeBase) }
  }

  /// Why the stream is no track, in words; nil where it is one.
  var reasonToIgnore: String? {
    let name = "stream \(info.index) (\(info.codec))"
    if info.kind == .other { return "\(name): neither pictures nor sound" }
    return ticks.isEmpty ? "\(name): declared, but without data" : nil
  }

  /// Whether the container has no times: a few packets may be without in any.
  var lacksTimes: Bool { 2 * timelessCount > ticks.count }

  mutating func append(_ packet: borrowing Packet) {
    lastByte = max(lastByte, packet.lastByte)
    guard info.kind != .other, !packet.isDiscarded, packet.size > 0 else { return }
    firstDecodingTicks = firstDecodingTicks ?? packet.decodingTicks
    let time = packet.presentationTicks ?? packet.decodingTicks
    if let time, timelessCount == self.ticks.count { self.ticks = self.ticks.map { _ in time } }
    if time == nil { timelessCount += 1 }
    let ticks = time ?? (self.ticks.last ?? 0)
    guard MediaTime(ticks: ticks, timeBase: info.timeBase) != nil else { return }
    if packet.isKeyframe { keyframes.append(self.ticks.count) }
    self.ticks.append(ticks)
    let duration = MediaTime(ticks: packet.durationTicks, timeBase: info.timeBase)
    let end = ticks &+ packet.durationTicks &- paddingTicks(packet)
    if let duration, duration <= Self.longestPacket(of: info.kind) {
      endTicks = max(endTicks, end)
    } else {
      doubtfulEndTicks = max(doubtfulEndTicks, end)
    }
  }
}

extension Demuxer {
  /// Whether libav* only complains that another segment follows the one whose length is not known:
  /// it goes on with its packets.
  fileprivate func goesOn(behind line: String) -> Bool {
    hasChangedTimes && line.contains("unknown-length element with ID 0x18538067")
  }

  /// The track that the scan of a stream amounts to; nil where it has no packets.
  fileprivate func track(_ scanned: ScannedStream) -> MediaFile.Track? {
    guard scanned.info.kind != .other, !scanned.ticks.isEmpty else { return nil }
    guard !scanned.lacksTimes else { return countedTrack(scanned) }
    let positions = keyframePositions(stream: scanned.info.index)
    let index = PacketIndex(
      timeBase: scanned.info.timeBase, ticks: scanned.ticks,
      keyframes: scanned.keyframes.map {
        PacketIndex.Keyframe(packet: $0, position: positions[scanned.ticks[$0]] ?? -1)
      },
      endTicks: endTicks(scanned), isCounted: false, isChained: hasChangedTimes)
    return MediaFile.Track(stream: scanned.info, index: index)
  }

  /// A stream without times: picture n stands at n / frame rate.
  private func countedTrack(_ scanned: ScannedStream) -> MediaFile.Track {
    var info = scanned.info
    let claimed = info.video?.averageFrameRate ?? Ratio(0, 0)
    let isSane = claimed.numerator > 0 && claimed.denominator > 0 && claimed.value <= 240
    let rate = isSane ? claimed : Ratio(25, 1)
    info.timeBase = Ratio(rate.denominator, rate.numerator)
    let count = scanned.ticks.count
    let index = PacketIndex(
      timeBase: info.timeBase, ticks: (0..<count).map(Int64.init),
      keyframes: scanned.keyframes.map { PacketIndex.Keyframe(packet: $0, position: -1) },
      endTicks: Int64(count), isCounted: true, isChained: false)
    return MediaFile.Track(stream: info, index: index)
  }

  /// Where the last packet ends. Pictures often come without a duration: then the last one lasts
  /// as long as the median one.
  private func endTicks(_ scanned: ScannedStream) -> Int64 {
    if let declared = declaredEndTicks(scanned.info.index),
      scanned.doubtfulEndTicks > scanned.endTicks, scanned.doubtfulEndTicks <= declared
    {
      return scanned.doubtfulEndTicks
    }
    let sorted = scanned.ticks.sorted()
    guard let last = sorted.last, scanned.endTicks <= last else { return scanned.endTicks }
    let intervals = zip(sorted.dropFirst(), sorted).map { $0 &- $1 }.filter { $0 > 0 }.sorted()
    guard intervals.isEmpty else { return last + intervals[intervals.count / 2] }
    let nominal = MediaTime(nanoseconds: 40_000_000).sample(
      atRate: max(1, scanned.info.timeBase.denominator))
    return last + max(1, nominal / Int64(max(1, scanned.info.timeBase.numerator)))
  }

  /// Where the container says that a stream ends; nil where it does not.
  private func declaredEndTicks(_ index: Int) -> Int64? {
    guard let stream = unsafe stream(index), let duration = unsafe stream.pointee.duration.ticks,
      let start = unsafe stream.pointee.start_time.ticks
    else { return nil }
    let (end, overflows) = start.addingReportingOverflow(duration)
    return overflows ? nil : end
  }

  /// The byte offset of each keyframe that libav* knows after the scan, by its ticks.
  private func keyframePositions(stream index: Int) -> [Int64: Int64] {
    guard formatName.hasPrefix("matroska"), !hasChangedTimes, let stream = unsafe stream(index)
    else {
      return [:]
    }
    var positions: [Int64: Int64] = [:]
    for entry in 0..<(unsafe avformat_index_get_entries_count(stream)) {
      guard let entry = unsafe avformat_index_get_entry(stream, entry) else { continue }
      positions[unsafe entry.pointee.timestamp] = unsafe entry.pointee.pos
    }
    return positions
  }
}
