import CTesseraFFmpeg
import Glibc

/// What libav* is asked of damage, and what it says of it: the one place that knows.
enum Damage {
  /// What decoders check: the checksums that streams carry, and what costs nothing besides. None of
  /// it changes what comes out.
  static let recognition = AV_EF_CRCCHECK | AV_EF_BITSTREAM | AV_EF_BUFFER

  /// What errors begin with that whole recordings give, and decoders that begin with a keyframe which
  /// is not the first: pictures to be forgotten that never came, and slices that are none.
  private static let harmless = [
    "mmco: unref short failure", "decode_slice_header error",
    "A non-intra slice in an IDR NAL unit",
  ]

  /// Whether a line that libav* logs as an error means damage.
  static func isMeant(by line: String) -> Bool {
    !line.isEmpty && !harmless.contains(where: line.hasPrefix)
      && !FFmpegLog.isFollowingSegment(line)
  }
}

/// What one decoder or demuxer complains of. It has to outlive its context.
@safe final class Complaints {
  /// What the context keeps as its `opaque`.
  let raw: UnsafeMutablePointer<cff_notes>

  init() {
    unsafe raw = .allocate(capacity: 1)
    unsafe raw.initialize(to: cff_notes())
  }

  deinit {
    unsafe av_frame_free(&raw.pointee.last)
    unsafe raw.deallocate()
  }

  /// The first complaint since the last call, in libav*'s words; nil where there was none.
  func take() -> String? {
    guard let words = unsafe cff_noted(raw), unsafe words[0] != 0 else { return nil }
    defer { unsafe raw.pointee.words.0 = 0 }
    return unsafe String(cString: words)
  }

  /// Forgets what was complained of, and the last picture.
  func forget() {
    unsafe raw.pointee.words.0 = 0
    if let last = unsafe raw.pointee.last { unsafe av_frame_unref(last) }
  }
}

/// Which pictures damage reaches: those of a damaged packet and after it, until a whole keyframe.
struct DamagedPackets {
  private var packets: [Int] = []

  /// Notes that packet number `packet` is damaged, or could not be decoded.
  mutating func add(_ packet: Int, in index: PacketIndex) {
    let keyframe = index.keyframe(upTo: packet)
    let first = keyframe.map { index.ticks[Int(index.keyframes[$0])] } ?? .min
    let isReached = packets.contains {
      $0 <= packet && index.keyframe(upTo: $0) == keyframe && index.ticks[$0] >= first
    }
    if !isReached { packets.append(packet) }
  }

  /// Whether the picture of packet number `packet`, the next one in the order in which they are
  /// shown, is damaged or depends on what is.
  ///
  /// What belongs before a keyframe leaves those alone that come after it. The first picture
  /// `beginning` of all depends on none either.
  mutating func reach(_ packet: Int, in index: PacketIndex, beginning: Int?) -> Bool {
    guard !packets.isEmpty else { return false }
    if index.isKeyframe(packet) || packet == beginning, !packets.contains(packet) {
      packets.removeAll { $0 < packet || index.ticks[$0] < index.ticks[packet] }
    }
    return packets.contains { $0 <= packet }
  }
}
