/// What lines that libav* logs mean, where only they say.
extension FFmpegLog {
  /// What is wrong with a file that cannot be opened.
  enum Refusal {
    /// Its format is not among the accepted ones.
    case format
    /// It claims to be a movie, but has none in it.
    case noMovie
  }

  static func refusal(_ line: String?) -> Refusal? {
    guard let line else { return nil }
    if line.contains("whitelist") { return .format }
    return line == "moov atom not found" ? .noMovie : nil
  }

  /// The line of the Matroska demuxer on a file that does not begin with a header.
  static let noMatroskaHeader = "EBML header parsing failed"

  /// Whether the Matroska demuxer only complains that another recording of unknown length follows:
  /// it goes on with its packets.
  static func isFollowingSegment(_ line: String) -> Bool {
    line.contains("unknown-length element with ID 0x18538067")
  }

  /// The option of an encoder's own that `line` says is not taken, in the words of libx264's and
  /// libx265's wrappers, for which that is only worth a warning; nil where it says something else.
  static func refusedOption(_ line: String) -> String? {
    refusals.first(where: line.hasPrefix).map { line.dropFirst($0.count).filter { $0 != "'" } }
  }

  /// What lines of refusals begin with.
  static let refusals = ["Error parsing option ", "Unknown option: ", "Invalid value for "]
}
