import Glibc
import TesseraSystem
import TesseraTimeline

/// Parses facts about the tracks of an ISO base media file (MP4, MOV) that libavformat does not
/// expose.
struct MovieMetadataParser {
  /// One track, in file order.
  struct MovieTrack {
    var id: UInt64 = 0
    /// The number of ticks per second.
    var timescale: UInt64 = 0
    /// The content of the `name` box; empty if there is none.
    var name = ""
    /// True if the first sample description is `encv` or `enca` (ISO 14496-12, section 8.12).
    var isEncrypted = false
    /// The handler type: `vide` or `soun`.
    var handler = ""
    /// The decoding time at which each fragment starts, in ticks, by the number of the fragment.
    var starts: [Int: UInt64] = [:]

    fileprivate func seconds(_ fragment: Int) -> Double? {
      guard timescale > 0, let ticks = starts[fragment] else { return nil }
      return Double(ticks) / Double(timescale)
    }
  }

  private(set) var tracks: [MovieTrack] = []

  private static let largestIndex = 32 << 20
  private static let largestFragment = 1 << 20
  private static let mostFragments = 64

  /// Reads the `moov` box, and with `withFragments` the first fragments.
  init(_ path: String, withFragments: Bool = false) {
    guard let file = unsafe RegularFile.stream(path) else { return }
    defer { unsafe fclose(file) }
    var (offset, fragments) = (0, 0)
    for _ in 0..<4096 {
      guard unsafe fseek(file, offset, SEEK_SET) == 0, let box = unsafe MovieBoxParser.box(file)
      else { return }
      let limit =
        box.type == "moov" ? Self.largestIndex : box.type == "moof" ? Self.largestFragment : 0
      if box.length <= limit {
        var bytes = [UInt8](repeating: 0, count: box.length)
        guard unsafe fseek(file, offset, SEEK_SET) == 0,
          unsafe bytes.withUnsafeMutableBytes({ unsafe fread($0.baseAddress, 1, $0.count, file) })
            == box.length
        else { return }
        read(bytes[8...], fragment: fragments)
      }
      if box.type == "moof" { fragments += 1 }
      if withFragments ? fragments >= Self.mostFragments : box.type == "moov" { return }
      offset += box.length
    }
  }

  /// The time by which the pictures start later than the audio; negative if earlier. Some recorders
  /// start both tracks at 0 although they began at different times; fragments of one interval then
  /// differ by a constant offset. `nil` if there is no such offset.
  var pictureDelay: ExactTime? {
    guard let pictures = tracks.first(where: { $0.handler == "vide" }),
      let sound = tracks.first(where: { $0.handler == "soun" }), tracks.count == 2,
      pictures.starts[0] == 0, sound.starts[0] == 0
    else { return nil }
    let differences = pictures.starts.keys.sorted().dropFirst().compactMap { fragment in
      sound.seconds(fragment).flatMap { time in pictures.seconds(fragment).map { time - $0 } }
    }
    guard let least = differences.min(), let most = differences.max(),
      most - least < Self.jitter, abs(least) > Self.jitter, abs(most) > Self.jitter,
      let first = differences.first
    else { return nil }
    return ExactTime(Int128(Int64(saturating: (first * 1e6).rounded())), over: 1_000_000)
  }

  /// The tolerance of offsets in seconds. Fragments end between packets, which are shorter.
  private static let jitter = 0.1

  private mutating func read(_ bytes: ArraySlice<UInt8>, fragment: Int, depth: Int = 0) {
    var rest = bytes
    while rest.count >= 8, depth < 8 {
      let length = Int(MovieBoxParser.bigEndian(rest.prefix(4)))
      let type = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
      guard length >= 8, length <= rest.count else { return }
      let content = rest.dropFirst(8).prefix(length - 8)
      switch type {
      case "trak":
        tracks.append(MovieTrack())
        read(content, fragment: fragment, depth: depth + 1)
      case "mdia", "minf", "stbl", "udta", "traf":
        read(content, fragment: fragment, depth: depth + 1)
      default: take(type, content, fragment)
      }
      rest = rest.dropFirst(length)
    }
  }

  /// The index of the track that the current `traf` box belongs to.
  private var current = 0

  private mutating func take(_ type: String, _ content: ArraySlice<UInt8>, _ fragment: Int) {
    func number(_ offset: Int, _ count: Int) -> UInt64 {
      MovieBoxParser.bigEndian(content.dropFirst(offset).prefix(count))
    }
    let isLong = content.first == 1
    switch (type, tracks.indices.last) {
    case ("tkhd", let last?): tracks[last].id = number(isLong ? 20 : 12, 4)
    case ("mdhd", let last?): tracks[last].timescale = number(isLong ? 20 : 12, 4)
    case ("hdlr", let last?):
      tracks[last].handler = String(decoding: content.dropFirst(8).prefix(4), as: UTF8.self)
    case ("stsd", let last?):
      let entry = String(decoding: content.dropFirst(12).prefix(4), as: UTF8.self)
      tracks[last].isEncrypted = ["encv", "enca"].contains(entry)
    case ("name", let last?):
      tracks[last].name = String(decoding: content.prefix(200).filter { $0 >= 32 }, as: UTF8.self)
    case ("tfhd", _): current = tracks.firstIndex { $0.id == number(4, 4) } ?? tracks.count
    case ("tfdt", _) where tracks.indices.contains(current):
      tracks[current].starts[fragment] = number(4, isLong ? 8 : 4)
    default: break
    }
  }
}
