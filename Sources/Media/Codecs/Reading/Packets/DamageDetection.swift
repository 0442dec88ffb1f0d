import CTesseraFFmpeg
import Glibc

/// The configuration of libav*'s error detection, and the interpretation of its log lines.
enum DamageDetection {
  /// The error detection flags of decoders: checksums in the stream, and checks that cost nothing.
  /// None of them changes decoded output.
  static let recognition = AV_EF_CRCCHECK | AV_EF_BITSTREAM | AV_EF_BUFFER

  /// Prefixes of error lines that intact recordings produce too, as do decoders that start at a
  /// keyframe other than the first. They concern reference pictures to drop that never came, and
  /// units that are no slices.
  private static let harmless = [
    "mmco: unref short failure", "decode_slice_header error",
    "A non-intra slice in an IDR NAL unit",
  ]

  /// True if `line`, which libav* logged as an error, indicates damage.
  static func isMeant(by line: String) -> Bool {
    !line.isEmpty && !harmless.contains(where: line.hasPrefix)
      && !FFmpegLog.isFollowingSegment(line)
  }
}

/// The error lines of one decoder or demuxer. Must outlive the libav* context.
@safe final class DecoderDiagnostics {
  /// The value of the context's `opaque` field.
  let raw: UnsafeMutablePointer<cff_notes>

  init() {
    unsafe raw = .allocate(capacity: 1)
    unsafe raw.initialize(to: cff_notes())
  }

  deinit {
    unsafe av_frame_free(&raw.pointee.last)
    unsafe raw.deallocate()
  }

  /// Returns the first error line since the last call; `nil` if there was none.
  func take() -> String? {
    guard let words = unsafe cff_noted(raw), unsafe words[0] != 0 else { return nil }
    defer { unsafe raw.pointee.words.0 = 0 }
    return unsafe String(cString: words)
  }

  /// Discards the stored error line and the last picture.
  func forget() {
    unsafe raw.pointee.words.0 = 0
    if let last = unsafe raw.pointee.last { unsafe av_frame_unref(last) }
  }
}

/// Tracks the pictures that damage reaches: the pictures of damaged packets and all that follow, up
/// to an intact keyframe.
struct DamageTracker {
  /// The damaged packets that no other one of the list reaches.
  private var packets: [Int] = []

  /// Records that packet number `packet` is damaged or could not be decoded.
  mutating func add(_ packet: Int, in index: PacketIndex) {
    let keyframe = index.keyframe(upTo: packet)
    let first = keyframe.map { index.ticks[Int(index.keyframes[$0])] } ?? .min
    let isReached = packets.contains {
      $0 <= packet && index.keyframe(upTo: $0) == keyframe && index.ticks[$0] >= first
    }
    if !isReached { packets.append(packet) }
  }

  /// Returns true if the picture of packet number `packet` is damaged or depends on a damaged one.
  /// Must be called in presentation order.
  ///
  /// Damage before a keyframe does not reach pictures after it. The picture of packet `beginning`,
  /// the first of the stream, depends on no other either.
  mutating func reach(_ packet: Int, in index: PacketIndex, beginning: Int?) -> Bool {
    guard !packets.isEmpty else { return false }
    if index.isKeyframe(packet) || packet == beginning, !packets.contains(packet) {
      packets.removeAll { $0 < packet || index.ticks[$0] < index.ticks[packet] }
    }
    return packets.contains { $0 <= packet }
  }
}
