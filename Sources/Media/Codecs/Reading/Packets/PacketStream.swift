import CTesseraFFmpeg
import TesseraSystem
import TesseraTimeline

/// Reads the packets of one stream in order, starting at any packet of its ``PacketIndex``.
///
/// If the demuxer cannot seek to the first wanted packet, the file is read from the start.
struct PacketStream: ~Copyable {
  /// The demuxer, which delivers only this stream.
  private(set) var demuxer: Demuxer
  private let (index, stream): (PacketIndex, Int)
  private let cancellation: Cancellation
  /// The number of the next packet to return.
  private var wanted: Int
  /// The number of the next packet from the demuxer; `nil` until known after a seek.
  private var next: Int?
  /// The target of the seek; `nil` if the file is read from the start.
  private var place: SeekTarget?
  private var failure: FFmpegError?

  /// The number of consecutive failed reads after which a file counts as ended. Fewer are retried,
  /// because some demuxers resynchronize after damage.
  static let largestRunOfFailures = 16

  /// Opens stream `stream` of the file at `path`, starting at packet number `packet`.
  ///
  /// - Throws: ``MediaError`` if the file cannot be opened.
  static func open(
    _ path: String, stream: Int, _ index: PacketIndex, from packet: Int,
    cancellation: Cancellation
  ) throws(MediaError) -> PacketStream {
    var packets = PacketStream(
      demuxer: try Demuxer.open(path, cancellation: cancellation), index: index, stream: stream,
      cancellation: cancellation, wanted: packet)
    packets.setDown()
    return packets
  }

  /// The number of bytes of indexed packets that the file lacks, because it was truncated after the
  /// scan.
  var missingBytes: Int64 {
    let end = zip(index.positions, index.sizes).map { $0 +| Int64($1) }.max() ?? 0
    return max(0, end -| (FileIdentity.byteCount(of: demuxer.path) ?? end))
  }

  /// Reads the next packet and returns its number; returns `nil` at the end.
  ///
  /// - Throws: ``FFmpegError`` if reading fails repeatedly or is cancelled.
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
      // The file may have grown since the scan.
      guard number < index.count else { return nil }
      guard number >= wanted else { continue }
      wanted = number + 1
      packet.setDiscarded(!index.isShown(number))
      return number
    }
  }

  /// Seeks as close as possible before the first wanted packet.
  private mutating func setDown() {
    demuxer.select { $0 == stream }
    place = demuxer.traits.place(of: wanted, in: index)
    if let found = place, !demuxer.seek(to: found.place, stream: stream) { place = nil }
    if place == nil { next = 0 }
  }

  /// Opens the file again and reads from the start, because a packet was not at its indexed place.
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

  /// Returns the number of `packet` if it is the target of the seek, otherwise `nil`.
  private func recognize(_ packet: borrowing Packet) -> Int? {
    guard let place, packet.position == place.position,
      packet.size == index.sizes[place.packet],
      place.ticks == nil || packet.decodingTicks == place.ticks
    else { return nil }
    return place.packet
  }

  /// True if `packet` is beyond the target of the seek, which will therefore not come any more.
  private func isMissed(_ packet: borrowing Packet) -> Bool {
    guard let place else { return false }
    if let ticks = place.ticks { return packet.decodingTicks ?? .min > ticks }
    return packet.position > place.position
  }

  /// Reads the demuxer's next packet, retrying after errors; returns false at the end.
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
