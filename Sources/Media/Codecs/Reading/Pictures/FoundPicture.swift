package import TesseraPixels

/// A decoded frame that several may want as a picture; it is converted once, if at all.
///
/// Only one thread at a time may use it and the reader that it came from.
package final class FoundPicture: @unchecked Sendable {
  // Sendable because those who share it use it under the lock that guards the reader.
  private var frame: Frame?
  private let packet: Int
  /// What came of it; nil before anybody asked.
  package private(set) var made: Made?

  /// What comes of a frame.
  package enum Made: Sendable {
    case picture(Picture)
    case lost(PacketLoss)
  }

  /// Takes over the content of `frame`, which comes from packet number `packet`.
  init(_ frame: borrowing Frame, packet: Int) {
    self.packet = packet
    do throws(FFmpegError) {
      self.frame = try frame.move()
    } catch {
      made = .lost(PacketLoss(packet: packet, .undecodablePackets(1, error.words)))
    }
  }

  /// The frame as a picture, by `converter` where it is not one yet.
  func make(with converter: inout PictureConverter) -> Made {
    if let made { return made }
    let result: Made
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
