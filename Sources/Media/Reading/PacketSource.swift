import CTesseraFFmpeg
import Synchronization
public import TesseraSystem

/// Reads a file once for all of its streams that are wanted: who wants its next packet reads on,
/// and what comes meanwhile of the others waits for them.
///
/// Packets are those of the streams' indexes, by their numbers. Where a demuxer cannot be set down
/// at the first one that is wanted, the file is read through.
public final class PacketSource: @unchecked Sendable {
  /// A stream, and the packet that is wanted first.
  public struct Want: Sendable {
    var stream: Int
    var index: PacketIndex
    var packet: Int

    /// The packets of stream `stream` from number `packet` on.
    public init(stream: Int, index: PacketIndex, packet: Int) {
      (self.stream, self.index, self.packet) = (stream, index, packet)
    }
  }

  /// The most bytes that wait; where a stream lies further ahead of others, those get a demuxer of
  /// their own.
  public static let largestBacklog = 32 << 20

  private let lock = Mutex(())
  /// Only touched by who holds ``lock``.
  private var state: PacketSourceState

  private init(_ state: consuming PacketSourceState) { self.state = state }

  /// Opens the file for `wants`.
  ///
  /// - Throws: ``MediaError`` where it cannot be opened.
  public static func open(
    _ path: String, _ wants: [Want], cancellation: Cancellation
  ) throws(MediaError) -> PacketSource {
    let demuxer = try Demuxer.open(path, cancellation: cancellation)
    do throws(FFmpegError) {
      return PacketSource(
        PacketSourceState(demuxer, wants, try Packet.allocate(), cancellation))
    } catch {
      throw MediaError(path: path, reason: .unreadable(error.reason))
    }
  }

  /// What one read came to.
  enum Answer {
    case packet(Int)
    case end
    /// Too much would have to wait for this stream: it has to be read elsewhere from that packet on.
    case elsewhere(from: Int)
  }

  /// Reads the next packet of `stream`.
  func read(_ stream: Int, into packet: borrowing Packet) throws(FFmpegError) -> Answer {
    try lock.withLock { _ throws(FFmpegError) in try state.read(stream, into: packet) }
  }

  /// What `open` makes for the file's demuxer.
  func decoder<Decoder: ~Copyable>(
    _ open: (borrowing Demuxer) throws(FFmpegError) -> Decoder
  ) throws(FFmpegError) -> Decoder {
    var decoder: Decoder?
    try lock.withLock { _ throws(FFmpegError) in decoder = try open(state.demuxer) }
    guard let decoder = decoder.take() else { preconditionFailure("opened or thrown") }
    return decoder
  }

  /// Nothing of `stream` is wanted any more.
  func leave(_ stream: Int) { lock.withLock { _ in state.streams[stream] = nil } }

  /// Whether `stream` comes from packet `packet` on and nobody reads it yet, who now does.
  func take(_ stream: Int, from packet: Int) -> Bool {
    lock.withLock { _ in
      guard state.streams[stream]?.first == packet, state.streams[stream]?.isTaken == false else {
        return false
      }
      state.streams[stream]?.isTaken = true
      return true
    }
  }
}

/// One stream's packets, in order.
struct PacketStream: ~Copyable {
  private var source: PacketSource
  private let (path, index, stream): (String, PacketIndex, Int)
  private let cancellation: Cancellation

  /// Packets of `track` from number `packet` on, out of `shared` where that offers them.
  static func open(
    _ path: String, _ track: MediaTrack, _ index: PacketIndex, from packet: Int,
    shared: PacketSource?, cancellation: Cancellation
  ) throws(MediaError) -> PacketStream {
    let stream = track.stream.index
    var source: PacketSource?
    if let shared, shared.take(stream, from: packet) { source = shared }
    if source == nil {
      let want = PacketSource.Want(stream: stream, index: index, packet: packet)
      source = try PacketSource.open(path, [want], cancellation: cancellation)
    }
    guard let source else { preconditionFailure("shared or opened") }
    return PacketStream(source, path, index, stream, cancellation)
  }

  private init(
    _ source: PacketSource, _ path: String, _ index: PacketIndex, _ stream: Int,
    _ cancellation: Cancellation
  ) {
    (self.source, self.path, self.index, self.stream) = (source, path, index, stream)
    self.cancellation = cancellation
  }

  deinit { source.leave(stream) }

  /// How many bytes of the index's packets the file lacks by now.
  var missingBytes: Int64 {
    let end = zip(index.positions, index.sizes).map { $0 &+ Int64($1) }.max() ?? 0
    return max(0, end - (FileIdentity.byteCount(of: path) ?? end))
  }

  /// Reads the next packet and returns its number; nil at the end.
  mutating func read(into packet: borrowing Packet) throws(FFmpegError) -> Int? {
    switch try source.read(stream, into: packet) {
    case .packet(let number): return number
    case .end: return nil
    case .elsewhere(let number):
      let want = PacketSource.Want(stream: stream, index: index, packet: number)
      guard let own = try? PacketSource.open(path, [want], cancellation: cancellation) else {
        return nil
      }
      source = own
      return try read(into: packet)
    }
  }

  /// A decoder for the stream.
  func decoder<Decoder: ~Copyable>(
    _ open: (borrowing Demuxer) throws(FFmpegError) -> Decoder
  ) throws(FFmpegError) -> Decoder {
    try source.decoder(open)
  }
}

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

  /// Begins anew with the file: a packet was not where it should be.
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

/// Where a demuxer is set down so that a packet comes.
struct PacketPlace {
  /// The packet by which it is recognised that the demuxer is there: the wanted one, or one before.
  var packet: Int
  /// Its byte in the file.
  var position: Int64
  /// What the demuxer looks for: a byte, or a decoding time.
  var place: Int64
  /// Its decoding time, where positions may occur twice.
  var ticks: Int64?
}

extension ContainerTraits {
  /// Where the demuxer is set down so that packet number `packet` comes; nil where the file has to
  /// be read through.
  func place(of packet: Int, in index: PacketIndex) -> PacketPlace? {
    guard packet > 0, packet < index.count else { return nil }
    var first = packet
    if positioning == .index {
      let keyframe = index.keyframe(upTo: packet)
      if !index.keyframes.isEmpty {
        guard let keyframe else { return nil }
        first = Int(index.keyframes[keyframe])
      }
      let ticks = keyframe.map { index.keyframeTicks[$0] } ?? index.ticks[packet]
      return PacketPlace(
        packet: first, position: index.positions[first], place: ticks, ticks: ticks)
    }
    // Several packets of one page or block have its position; only the first is recognised.
    while first > 0,
      index.positions[first] < 0 || index.positions[first - 1] == index.positions[first]
    {
      first -= 1
    }
    let position = index.positions[first]
    guard first > 0, position >= 0 else { return nil }
    guard positioning == .cluster else {
      return PacketPlace(packet: first, position: position, place: position, ticks: nil)
    }
    guard let cluster = index.seekPoints.last(where: { $0 <= position }) else { return nil }
    return PacketPlace(packet: first, position: position, place: cluster, ticks: nil)
  }
}
