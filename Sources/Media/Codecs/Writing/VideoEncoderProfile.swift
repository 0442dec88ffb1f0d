/// The properties of a known video encoder: how to make its output reproducible, which options
/// carry the common settings, and which files can contain its stream. Encoders that are not in the
/// table get libav*'s common options, and their bytes are not promised to be reproducible.
struct VideoEncoderProfile: Sendable {
  /// The option for constant quality.
  var qualityOption = "crf"
  /// The suffix of the value of ``qualityOption``.
  var qualityUnit = ""
  /// The valid qualities; `nil` if unknown.
  var qualities: ClosedRange<Int>?
  /// The profile required for quality 0, which is lossless; `nil` if none is.
  var losslessProfile: String?
  var presetOption = "preset"
  /// The options that make the output reproducible and its GOPs closed.
  var options: [(name: String, value: String)] = []
  /// The option that takes private settings as `key=value:key=value`; `nil` if there is none.
  var ownOptions: String?
  /// The private settings that are always passed.
  var fixedOwnOptions: [String] = []
  /// The private settings that reduce memory and processor time while other encoders keep the
  /// processors busy. They do not change the output.
  var frugalOwnOptions: [String] = []
  /// The settings that disable keyframes at scene cuts, for ``options`` and for
  /// ``fixedOwnOptions``.
  var withoutScenes: (options: [(name: String, value: String)], own: [String]) = ([], [])
  /// True if the minimum keyframe interval must be set to the maximum.
  var hasLeastInterval = false
  /// True if equal pictures and options produce equal bytes on every machine with the same library
  /// version, and the stream can be cut before any keyframe.
  var isRepeatable = false
  /// The number of extra frames that are encoded before a segment's first frame and after its last
  /// one, so that quality is even across joints. Requires an encoder that makes closed keyframes on
  /// request.
  var overlap = (before: 0, after: 0)
  /// The sample entry type in MP4 files; `nil` leaves the choice to the muxer.
  var tag: String?
  /// The formats of files that can contain the stream.
  var containers = Set(OutputContainer.videos)

  /// Returns the profile of `encoder`; the defaults if it is not in the table.
  static func named(_ encoder: String) -> VideoEncoderProfile {
    table[encoder] ?? VideoEncoderProfile()
  }

  /// The names of the encoders in the table, sorted.
  static var names: [String] { table.keys.sorted() }

  private static let withoutWeb: Set<OutputContainer> = [.mp4, .matroska]
  private static let vp8Files: Set<OutputContainer> = [.webm, .matroska]

  private static let table: [String: VideoEncoderProfile] = [
    // Without cpu-independent, AVX2 and AVX-512 machines produce different bytes. sync-lookahead is
    // one less than the default: it saves 6 MB at 1080p, with equal bytes. Without the look-ahead
    // thread (frugal), 22 MB and a twentieth of the work are saved.
    "libx264": VideoEncoderProfile(
      qualities: 0...51, losslessProfile: "high444",
      options: [("profile", "high"), ("forced-idr", "1")], ownOptions: "x264-params",
      fixedOwnOptions: ["cpu-independent=1", "open-gop=0", "sync-lookahead=3"],
      frugalOwnOptions: ["sync-lookahead=0"],
      withoutScenes: ([("sc_threshold", "0")], []),
      isRepeatable: true, overlap: (3, 2), containers: withoutWeb),
    // By default, the size of the thread pools, and with it what is decided in parallel, follows
    // the number of processors.
    "libx265": VideoEncoderProfile(
      qualities: 0...51, options: [("forced-idr", "1")], ownOptions: "x265-params",
      fixedOwnOptions: ["open-gop=0", "pools=2", "log-level=none"],
      withoutScenes: ([], ["scenecut=0"]),
      isRepeatable: true, tag: "hvc1", containers: withoutWeb),
    "libvpx": VideoEncoderProfile(
      qualities: 4...63, presetOption: "deadline", hasLeastInterval: true, isRepeatable: true,
      containers: vp8Files),
    // A bit rate of 0 selects constant quality.
    "libvpx-vp9": VideoEncoderProfile(
      qualities: 0...63, presetOption: "deadline", options: [("row-mt", "0"), ("b", "0")],
      hasLeastInterval: true, isRepeatable: true, tag: "vp09"),
    "libsvtav1": VideoEncoderProfile(
      qualities: 1...63, ownOptions: "svtav1-params", fixedOwnOptions: ["irefresh-type=2", "lp=2"],
      isRepeatable: true, tag: "av01"),
    "libaom-av1": VideoEncoderProfile(
      qualities: 0...63, presetOption: "cpu-used", options: [("row-mt", "1"), ("b", "0")],
      hasLeastInterval: true, isRepeatable: true, tag: "av01"),
    // Without a quality the encoder would target 200 kbit/s. Its closed GOPs forbid keyframes at
    // scene cuts.
    "mpeg4": VideoEncoderProfile(
      qualityOption: "global_quality", qualityUnit: "*QP2LAMBDA", qualities: 1...31,
      options: [
        ("flags", "+qscale"), ("global_quality", "4*QP2LAMBDA"), ("sc_threshold", "1000000000"),
      ], isRepeatable: true, containers: withoutWeb),
  ]
}
