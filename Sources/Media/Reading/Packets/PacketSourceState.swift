import CTesseraFFmpeg
import TesseraSystem

/// What a ``PacketSource`` holds: its demuxer, and where each stream stands.
struct PacketSourceState: ~Copyable {
  /// One stream that is read.
  struct Reading {
    let index: PacketIndex
    /// The packet that is wanted first, or next.
    var first: Int
    /// The number of the packet that the demuxer delivers next; nil until it is known.
    var next: Int?
    /// The packet by which it is recognised.
    var landmark = 0
    /// The decoding time of that, where its position may occur twice.
    var landmarkTicks: Int64?
    var waiting: ArraySlice<WaitingPacket> = []
    var byteCount = 0
    /// Whether it has to be read elsewhere.
    var isDropped = false
    var isTaken = false
  }

  /// A packet in an array: packets themselves cannot be copied.
  final class WaitingPacket {
    let packet: Packet
    let number: Int

    init(_ packet: consuming Packet, _ number: Int) {
      self.packet = packet
      self.number = number
    }
  }

  var demuxer: Demuxer
  var streams: [Int: Reading]
  private let packet: Packet
  private let cancellation: Cancellation
  private var isReadThrough = false
  private var failure: FFmpegError?

  init(
    _ demuxer: consuming Demuxer, _ wants: [PacketSource.Want], _ packet: consuming Packet,
    _ cancellation: Cancellation
  ) {
    self.demuxer = demuxer
    self.packet = packet
    self.cancellation = cancellation
    streams = Dictionary(
      wants.map { ($0.stream, Reading(index: $0.index, first: $0.packet)) },
      uniquingKeysWith: { first, _ in first })
    let numbers = Set(streams.keys)
    self.demuxer.select { numbers.contains($0) }
    setDown()
  }

  /// After how many failed reads in a row a file counts as ended: some demuxers find their way
  /// back after damage.
  static let largestRunOfFailures = 16

  /// Goes to the first place that is wanted of any stream.
  private mutating func setDown() {
    let places = streams.mapValues { demuxer.traits.place(of: $0.first, in: $0.index) }
    guard places.allSatisfy({ $0.value != nil }),
      let first = places.min(by: { isBefore($0, $1) }), let place = first.value,
      demuxer.seek(to: place.place, stream: first.key)
    else { return readThrough() }
    for (stream, place) in places {
      streams[stream]?.landmark = place?.packet ?? 0
      streams[stream]?.landmarkTicks = place?.ticks
    }
  }

  private func isBefore(
    _ a: (key: Int, value: PacketPlace?), _ b: (key: Int, value: PacketPlace?)
  ) -> Bool {
    guard let first = a.value, let second = b.value else { return a.value == nil }
    return first.position < second.position
  }

  private mutating func readThrough() {
    isReadThrough = true
    for stream in streams.keys { streams[stream]?.next = 0 }
  }

  /// Begins again with the file: a packet was not where it should be.
  private mutating func reopen() throws(FFmpegError) {
    do throws(MediaError) {
      demuxer = try Demuxer.open(demuxer.path, cancellation: cancellation)
    } catch {
      throw FFmpegError(
        code: cancellation.isCancelled ? CFF_ERROR_EXIT : CFF_ERROR_INVALID_DATA,
        operation: "read on", path: demuxer.path)
    }
    let numbers = Set(streams.keys)
    demuxer.select { numbers.contains($0) }
    readThrough()
  }

  mutating func read(
    _ stream: Int, into wanted: borrowing Packet
  ) throws(FFmpegError) -> PacketSource.Answer {
    guard let reading = streams[stream] else { return .end }
    if reading.isDropped { return .elsewhere(from: reading.first) }
    if let first = reading.waiting.first {
      streams[stream]?.waiting.removeFirst()
      streams[stream]?.byteCount -= first.packet.size
      wanted.clear()
      wanted.take(from: first.packet)
      return .packet(first.number)
    }
    while let (found, number) = try readNumbered() {
      if found == stream {
        wanted.clear()
        wanted.take(from: packet)
        return .packet(number)
      }
      try keep(number, of: found)
    }
    return .end
  }

  /// Keeps the packet that was read for who wants it.
  private mutating func keep(_ number: Int, of stream: Int) throws(FFmpegError) {
    guard var reading = streams[stream], !reading.isDropped else { return }
    let waiting = try Packet.allocate()
    reading.byteCount += packet.size
    waiting.take(from: packet)
    reading.waiting.append(WaitingPacket(waiting, number))
    if reading.byteCount > PacketSource.largestBacklog {
      reading.first = reading.waiting.first?.number ?? number
      (reading.isDropped, reading.waiting) = (true, [])
    }
    streams[stream] = reading
  }

  /// Reads the next packet of any stream that is at or after what is wanted first of it.
  private mutating func readNumbered() throws(FFmpegError) -> (stream: Int, number: Int)? {
    while true {
      guard try readNext() else {
        guard !isReadThrough, streams.values.contains(where: { $0.next == nil }) else { return nil }
        try reopen()
        continue
      }
      let stream = packet.streamIndex
      guard let reading = streams[stream] else { continue }
      guard let number = reading.next ?? reading.recognise(packet) else {
        if reading.isMissed(packet) { try reopen() }
        continue
      }
      streams[stream]?.next = number + 1
      guard number < reading.index.count else {
        // The file has grown since it was scanned.
        if streams.values.allSatisfy({ $0.next ?? 0 > $0.index.count }) { return nil }
        continue
      }
      guard number >= reading.first else { continue }
      streams[stream]?.first = number + 1
      packet.setDiscarded(!reading.index.isShown(number))
      return (stream, number)
    }
  }

  private mutating func readNext() throws(FFmpegError) -> Bool {
    if let failure { throw failure }
    for attempt in 1... {
      do throws(FFmpegError) {
        return try demuxer.read(into: packet)
      } catch {
        guard attempt < Self.largestRunOfFailures, !error.isCancellation else {
          failure = error
          throw error
        }
      }
    }
    return false
  }
}

extension PacketSourceState.Reading {
  /// The packet's number; nil where it is not the one that was looked for.
  func recognise(_ packet: borrowing Packet) -> Int? {
    guard packet.position == index.positions[landmark], packet.size == index.sizes[landmark],
      landmarkTicks == nil || packet.decodingTicks == landmarkTicks
    else { return nil }
    return landmark
  }

  /// Whether the packet that was looked for will not come any more.
  func isMissed(_ packet: borrowing Packet) -> Bool {
    if let landmarkTicks { return packet.decodingTicks ?? .min > landmarkTicks }
    return packet.position > index.positions[landmark]
  }
}
