import TesseraSystem

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
