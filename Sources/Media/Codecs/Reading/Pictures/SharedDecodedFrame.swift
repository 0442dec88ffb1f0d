package import TesseraPixels

/// A decoded frame that several consumers may need as a picture. The conversion runs at most once.
///
/// Not thread-safe: the owner of the ``PictureReader`` that returned the frame serializes all
/// access.
package final class SharedDecodedFrame: @unchecked Sendable {
  // Sendable because all users hold the lock that guards the reader.
  private var frame: Frame?
  private let packet: Int
  /// The result of the conversion; `nil` before the first request.
  package private(set) var made: Conversion?

  /// The result of converting a frame.
  package enum Conversion: Sendable {
    case picture(Picture)
    case lost(PacketLoss)
  }

  /// Creates a wrapper that takes over the content of `frame`, decoded from packet number `packet`.
  init(_ frame: borrowing Frame, packet: Int) {
    self.packet = packet
    do throws(FFmpegError) {
      self.frame = try frame.move()
    } catch {
      made = .lost(PacketLoss(packet: packet, .undecodablePackets(1, error.words)))
    }
  }

  /// Returns the picture, converting the frame with `converter` at the first call.
  func make(with converter: inout PictureConverter) -> Conversion {
    if let made { return made }
    let result: Conversion
    do throws(FFmpegError) {
      guard let frame = frame.take() else { preconditionFailure("what is not made has its frame") }
      result = .picture(try converter.picture(from: frame))
    } catch {
      result = .lost(PacketLoss(packet: packet, .undecodablePackets(1, error.words)))
    }
    made = result
    return result
  }
}
