/// Interprets log lines of libav* that carry information that no return value has.
extension FFmpegLog {
  /// A reason why a file cannot be opened.
  enum OpenError {
    /// The format is not accepted.
    case format
    /// The file claims to be MP4 but has no `moov` box.
    case noMovie
  }

  /// Returns the reason that `line` states; `nil` for any other line.
  static func refusal(_ line: String?) -> OpenError? {
    guard let line else { return nil }
    if line.contains("whitelist") { return .format }
    return line == "moov atom not found" ? .noMovie : nil
  }

  /// The Matroska demuxer's message for a file that does not start with an EBML header.
  static let noMatroskaHeader = "EBML header parsing failed"

  /// True if the Matroska demuxer only reports that another segment of unknown length follows. It
  /// continues with that segment's packets.
  static func isFollowingSegment(_ line: String) -> Bool {
    line.contains("unknown-length element with ID 0x18538067")
  }

  /// Returns the private encoder option that `line` rejects; `nil` if the line means something
  /// else. The wrappers of libx264 and libx265 merely log a warning for such options.
  static func refusedOption(_ line: String) -> String? {
    refusals.first(where: line.hasPrefix).map { line.dropFirst($0.count).filter { $0 != "'" } }
  }

  /// Prefixes of the log lines that reject an encoder option.
  static let refusals = ["Error parsing option ", "Unknown option: ", "Invalid value for "]
}
