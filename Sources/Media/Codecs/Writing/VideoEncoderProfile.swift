/// What Tessera knows of an encoder: how to make it repeatable, which of its options carry the
/// common settings, and where its stream can go. What is not in the table is used with libav*'s
/// common options, and nothing is promised of its bytes.
struct VideoEncoderProfile: Sendable {
  /// The option that carries the constant quality.
  var qualityOption = "crf"
  /// What follows the quality in that option.
  var qualityUnit = ""
  /// The qualities that there are, or nil.
  var qualities: ClosedRange<Int>?
  /// The profile that quality 0, which is lossless, needs; nil where it is none of its own.
  var losslessProfile: String?
  /// The option that carries the preset.
  var presetOption = "preset"
  /// Options that make the output repeatable and its keyframes closed.
  var options: [(name: String, value: String)] = []
  /// The option that takes `key=value:key=value` in the encoder's own words, or nil.
  var ownOptions: String?
  /// Settings in the encoder's own words that are always given.
  var fixedOwnOptions: [String] = []
  /// Settings in the encoder's own words with which it takes less memory and work where other
  /// encoders keep the processors busy; they change no byte.
  var frugalOwnOptions: [String] = []
  /// What keeps it from making keyframes that nobody asked for, as ``options`` and as
  /// ``fixedOwnOptions``.
  var withoutScenes: (options: [(name: String, value: String)], own: [String]) = ([], [])
  /// Whether it has to be told that groups of pictures are never shorter than they may be long.
  var hasLeastInterval = false
  /// Whether the same pictures and options make the same bytes, on any machine with the same
  /// library, and a stream can be cut before any keyframe.
  var isRepeatable = false
  /// How many frames an encoder is given before a segment's first one and after its last, so that
  /// quality is even across joints. Only for one that makes a keyframe where it is asked to, which
  /// nothing before it needs.
  var overlap = (before: 0, after: 0)
  /// What the stream's sample entry is called in an MP4 file; nil leaves it to the muxer.
  var tag: String?
  /// The formats of files that can carry the stream.
  var containers = Set(OutputContainer.videos)

  static func named(_ encoder: String) -> VideoEncoderProfile {
    table[encoder] ?? VideoEncoderProfile()
  }

  /// The encoders of the table.
  static var names: [String] { table.keys.sorted() }

  private static let withoutWeb: Set<OutputContainer> = [.mp4, .matroska]
  private static let vp8Files: Set<OutputContainer> = [.webm, .matroska]

  private static let table: [String: VideoEncoderProfile] = [
    // Without cpu-independent, AVX2 and AVX-512 machines give different bytes. One frame less than
    // by default between the look-ahead's thread and the encoder: 6 MB at 1080p, the same bytes;
    // without that thread, 22 MB and a twentieth of the work.
    "libx264": VideoEncoderProfile(
      qualities: 0...51, losslessProfile: "high444",
      options: [("profile", "high"), ("forced-idr", "1")], ownOptions: "x264-params",
      fixedOwnOptions: ["cpu-independent=1", "open-gop=0", "sync-lookahead=3"],
      frugalOwnOptions: ["sync-lookahead=0"],
      withoutScenes: ([("sc_threshold", "0")], []),
      isRepeatable: true, overlap: (3, 2), containers: withoutWeb),
    // Its pools follow the machine's processors otherwise, and with them what is decided in
    // parallel.
    "libx265": VideoEncoderProfile(
      qualities: 0...51, options: [("forced-idr", "1")], ownOptions: "x265-params",
      fixedOwnOptions: ["open-gop=0", "pools=2", "log-level=none"],
      withoutScenes: ([], ["scenecut=0"]),
      isRepeatable: true, tag: "hvc1", containers: withoutWeb),
    "libvpx": VideoEncoderProfile(
      qualities: 4...63, presetOption: "deadline", hasLeastInterval: true, isRepeatable: true,
      containers: vp8Files),
    // A bit rate of 0 leaves the quality alone to decide.
    "libvpx-vp9": VideoEncoderProfile(
      qualities: 0...63, presetOption: "deadline", options: [("row-mt", "0"), ("b", "0")],
      hasLeastInterval: true, isRepeatable: true, tag: "vp09"),
    "libsvtav1": VideoEncoderProfile(
      qualities: 1...63, ownOptions: "svtav1-params", fixedOwnOptions: ["irefresh-type=2", "lp=2"],
      isRepeatable: true, tag: "av01"),
    "libaom-av1": VideoEncoderProfile(
      qualities: 0...63, presetOption: "cpu-used", options: [("row-mt", "1"), ("b", "0")],
      hasLeastInterval: true, isRepeatable: true, tag: "av01"),
    // Without a quality it would keep to 200 kb/s. Its closed groups of pictures rule out keyframes
    // of its own.
    "mpeg4": VideoEncoderProfile(
      qualityOption: "global_quality", qualityUnit: "*QP2LAMBDA", qualities: 1...31,
      options: [
        ("flags", "+qscale"), ("global_quality", "4*QP2LAMBDA"), ("sc_threshold", "1000000000"),
      ], isRepeatable: true, containers: withoutWeb),
  ]
}
