/// What Tessera knows of an encoder: how to make it repeatable and which of its options carry the
/// common settings. What is not in the table is used with libav*'s common options.
struct VideoEncoderProfile: Sendable {
  /// The option that carries the constant quality.
  let qualityOption: String
  /// What that option takes, or nil.
  let qualities: ClosedRange<Int>?
  /// The profile that quality 0, which is lossless, needs; nil where it is none of its own.
  var losslessProfile: String?
  /// The option that carries the preset.
  let presetOption: String
  /// Options that make the output repeatable and its keyframes closed.
  let options: [(name: String, value: String)]
  /// The option that takes `key=value:key=value` in the encoder's own words, or nil.
  let ownOptions: String?

  static func named(_ encoder: String) -> VideoEncoderProfile {
    table[encoder]
      ?? VideoEncoderProfile(
        qualityOption: "crf", qualities: nil, presetOption: "preset", options: [], ownOptions: nil)
  }

  private static let table: [String: VideoEncoderProfile] = [
    // Without cpu-independent, AVX2 and AVX-512 machines give different bytes.
    "libx264": VideoEncoderProfile(
      qualityOption: "crf", qualities: 0...51, losslessProfile: "high444", presetOption: "preset",
      options: [("profile", "high"), ("forced-idr", "1")], ownOptions: "x264-params"),
    "libx265": VideoEncoderProfile(
      qualityOption: "crf", qualities: 0...51, presetOption: "preset",
      options: [("forced-idr", "1")],
      ownOptions: "x265-params"),
    "libvpx-vp9": VideoEncoderProfile(
      qualityOption: "crf", qualities: 0...63, presetOption: "deadline", options: [("row-mt", "0")],
      ownOptions: nil),
    "libsvtav1": VideoEncoderProfile(
      qualityOption: "crf", qualities: 1...63, presetOption: "preset", options: [],
      ownOptions: "svtav1-params"),
  ]

  /// Settings in the encoder's own words that are always given.
  static func fixedOwnOptions(_ encoder: String) -> [String] {
    switch encoder {
    // One frame less than by default between the look-ahead's thread and the encoder: 6 MB at 1080p,
    // the same bytes.
    case "libx264": ["cpu-independent=1", "open-gop=0", "sync-lookahead=3"]
    case "libx265": ["open-gop=0", "log-level=none"]
    default: []
    }
  }
}
