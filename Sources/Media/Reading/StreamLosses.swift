/// What was lost while reading a stream.
public struct StreamLosses: Hashable, Sendable, Codable {
  /// Packets that could not be decoded, or whose sound could not be converted.
  public var undecodablePackets = 0
  /// Pictures of which the decoder had to make up parts.
  public var damagedPictures = 0
  /// The first error, in words.
  public var firstError: String?
  /// Whether reading stopped before the end of the file.
  public var stoppedEarly = false

  /// Nothing lost.
  public init() {}

  /// Whether nothing was lost.
  public var isEmpty: Bool { self == StreamLosses() }

  /// What was lost in two parts of a stream.
  public static func + (first: StreamLosses, second: StreamLosses) -> StreamLosses {
    var sum = first
    sum.undecodablePackets += second.undecodablePackets
    sum.damagedPictures += second.damagedPictures
    sum.firstError = first.firstError ?? second.firstError
    sum.stoppedEarly = first.stoppedEarly || second.stoppedEarly
    return sum
  }

  mutating func notePacket(_ error: FFmpegError) {
    undecodablePackets += 1
    note(error)
  }

  mutating func noteEnd(_ error: FFmpegError) {
    stoppedEarly = true
    note(error)
  }

  private mutating func note(_ error: FFmpegError) {
    firstError = firstError ?? error.logLine ?? error.reason
  }
}
