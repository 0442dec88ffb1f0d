import CTesseraFFmpeg
import TesseraSystem
import TesseraTimeline

/// One stream's packets in order, by their numbers in its index, from any of them on.
///
/// Where the demuxer cannot be set down at the packet that is wanted first, the file is read
/// through.
struct PacketStream: ~Copyable {
  /// What reads the file, for this stream only.
  private(set) var demuxer: Demuxer
  private let (index, stream): (PacketIndex, Int)
  private let cancellation: Cancellation
  /// The packet that is wanted first, or next.
  private var wanted: Int
  /// The number of the packet that the demuxer delivers next; nil until it is known.
  private var next: Int?
  /// Where the demuxer was set down; nil where the file is read through.
  private var place: PacketPlace?
  private var failure: FFmpegError?

  /// After how many failed reads in a row a file counts as ended: some demuxers find their way
  /// back after damage.
  static let largestRunOfFailures = 16

  /// The packets of stream `stream` of the file at `path` from number `packet` on.
  ///
  /// - Throws: ``MediaError`` where the file cannot be opened.
  static func open(
    _ path: String, stream: Int, _ index: PacketIndex, from packet: Int,
    cancellation: Cancellation
  ) throws(MediaError) -> PacketStream {
    var packets = PacketStream(
      try Demuxer.open(path, cancellation: cancellation), stream, index, packet, cancellation)
    packets.setDown()
    return packets
  }

  private init(
    _ demuxer: consuming Demuxer, _ stream: Int, _ index: PacketIndex, _ packet: Int,
    _ cancellation: Cancellation
  ) {
    self.demuxer = demuxer
    (self.stream, self.index, self.cancellation) = (stream, index, cancellation)
    wanted = packet
  }

  /// How many bytes of the index's packets the file lacks by now.
  var missingBytes: Int64 {
    let end = zip(index.positions, index.sizes).map { $0 +| Int64($1) }.max() ?? 0
    return max(0, end -| (FileIdentity.byteCount(of: demuxer.path) ?? end))
  }

  /// Reads the next packet and returns its number; nil at the end.
  mutating func read(into packet: borrowing Packet) throws(FFmpegError) -> Int? {
    while true {
      guard try readNext(into: packet) else {
        guard next == nil else { return nil }
        try reopen()
        continue
      }
      guard packet.streamIndex == stream else { continue }
      guard let number = next ?? recognize(packet) else {
        if isMissed(packet) { try reopen() }
        continue
      }
      next = number + 1
      // The file may have grown since it was scanned.
      guard number < index.count else { return nil }
      guard number >= wanted else { continue }
      wanted = number + 1
      packet.setDiscarded(!index.isShown(number))
      return number
    }
  }

  private mutating func setDown() {
    demuxer.select { $0 == stream }
    place = demuxer.traits.place(of: wanted, in: index)
    if let found = place, !demuxer.seek(to: found.place, stream: stream) { place = nil }
    if place == nil { next = 0 }
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
    demuxer.select { $0 == stream }
    (place, next) = (nil, 0)
  }

  /// The packet's number; nil where it is not the one that was looked for.
  private func recognize(_ packet: borrowing Packet) -> Int? {
    guard let place, packet.position == place.position,
      packet.size == index.sizes[place.packet],
      place.ticks == nil || packet.decodingTicks == place.ticks
    else { return nil }
    return place.packet
  }

  /// Whether the packet that was looked for will not come any more.
  private func isMissed(_ packet: borrowing Packet) -> Bool {
    guard let place else { return false }
    if let ticks = place.ticks { return packet.decodingTicks ?? .min > ticks }
    return packet.position > place.position
  }

  private mutating func readNext(into packet: borrowing Packet) throws(FFmpegError) -> Bool {
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
