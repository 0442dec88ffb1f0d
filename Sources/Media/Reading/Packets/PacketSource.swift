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
