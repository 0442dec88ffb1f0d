/// Packets that were read ahead of their turn, and what stopped reading on.
final class PacketBacklog {
  /// A packet in an array: packets themselves cannot be copied.
  private final class Place {
    let packet: Packet

    init(_ packet: consuming Packet) { self.packet = packet }
  }

  private var places: [Place] = []
  /// What reading the next packet failed with, until it is its turn.
  var failure: FFmpegError?

  /// How many wait.
  var count: Int { places.count }
  /// Their bytes.
  private(set) var byteCount = 0

  /// Adds the last one.
  func append(_ packet: consuming Packet) {
    byteCount += packet.size
    places.append(Place(packet))
  }

  /// Moves the first one into `packet`; false where none waits.
  func takeFirst(into packet: borrowing Packet) -> Bool {
    guard !places.isEmpty else { return false }
    packet.take(from: places.removeFirst().packet)
    byteCount -= packet.size
    return true
  }

  /// What `look` finds at the packet with that number.
  func look<Found>(at index: Int, _ look: (borrowing Packet) -> Found) -> Found {
    look(places[index].packet)
  }

  /// Lets go of all.
  func clear() {
    places.removeAll()
    byteCount = 0
    failure = nil
  }
}
