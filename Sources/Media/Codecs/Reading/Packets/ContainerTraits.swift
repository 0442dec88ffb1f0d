/// The properties of a container format: how files are read and what they can contain. ``init(_:)``
/// looks them up by libav*'s name.
package struct ContainerTraits: Sendable {
  /// The kind of seek that brings a demuxer to a packet.
  enum SeekMethod: Sendable {
    /// Seeks to the byte offset of the packet.
    case byte
    /// Seeks to the byte offset of the packet's cluster (Matroska).
    case cluster
    /// Seeks to a decoding timestamp through the container's own index.
    case index
  }

  /// The structure that declares the file's full length.
  enum LengthDeclaration: Sendable {
    /// Nested boxes of ISO base media files.
    case boxes
    /// Ogg pages, checked by ``OggPageCheck``.
    case pages
    /// The RIFF header of WAV and AVI.
    case riff
    case unknown
  }

  var positioning = SeekMethod.byte
  /// True if the format allows chained recordings, whose timestamps start again. In other formats,
  /// timestamps that jump back are damage, unless a keyframe brings them back to the start.
  var isChain = false
  /// True if packets of equal time are close together in the file. In other formats all pictures
  /// may precede the audio.
  var isInterleaved = true
  /// True if the header contains everything that decoders need.
  var hasHeader = false
  /// True if every packet has its own decoding timestamp and these never decrease.
  var hasDecodingTimes = false
  var end = LengthDeclaration.unknown
  /// True if packets extend to the end of the file, except for an index and tags.
  var endsWithPackets = false
  /// True if the header declares the end time of the whole file, as far as the writer knew it.
  var promisesFile = false
  /// True if the header declares the end time of each stream.
  var promisesStreams = false
  /// True if the header declares the length of each stream as a number of ticks.
  var countsTicks = false
  /// True if the file has one stream with a constant number of bytes per second.
  var isEven = false

  /// Looks up the traits of the container that libav* calls `name`, such as `matroska,webm`.
  /// Unknown names get the defaults.
  package init(_ name: String) { self = Self.table[name.firstName] ?? ContainerTraits() }

  private init() {}

  private static let table: [String: ContainerTraits] = {
    var table: [String: ContainerTraits] = [:]
    for name in ["yuv4mpegpipe", "ivf", "flac", "w64"] {
      table[name, default: .init()].hasHeader = true
    }
    table["mov"] = ContainerTraits {
      ($0.positioning, $0.promisesStreams) = (.index, true)
      ($0.isInterleaved, $0.hasHeader, $0.hasDecodingTimes, $0.end) = (false, true, true, .boxes)
    }
    table["matroska"] = ContainerTraits { ($0.positioning, $0.hasHeader) = (.cluster, true) }
    table["ogg"] = ContainerTraits { ($0.isChain, $0.hasHeader, $0.end) = (true, true, .pages) }
    table["mpegts"] = ContainerTraits { $0.isChain = true }
    table["flv"] = ContainerTraits { $0.hasDecodingTimes = true }
    table["wav"] = ContainerTraits { ($0.hasHeader, $0.end, $0.isEven) = (true, .riff, true) }
    // The MP3 demuxer loses the padding at the end after a byte seek.
    table["mp3"] = ContainerTraits { $0.positioning = .index }
    // The Y4M demuxer reports the offset after a frame's header and cannot resume there.
    table["yuv4mpegpipe"]?.positioning = .index
    table["avi"] = ContainerTraits { ($0.end, $0.countsTicks) = (.riff, true) }
    for name in ["matroska", "flv"] { table[name]?.promisesFile = true }
    for name in ["matroska", "ogg", "mpegts", "flv", "ivf"] {
      table[name, default: .init()].endsWithPackets = true
    }
    return table
  }()

  private init(_ change: (inout ContainerTraits) -> Void) {
    change(&self)
  }

  /// The accepted formats, as listed in messages.
  static let accepted =
    "WebM, Matroska, MP4, MOV, Ogg, FLV, IVF, Y4M, WAV, AVI, MPEG-TS, MP3, AAC, FLAC, "
    + "raw H.264, HEVC or AV1"

  /// The accepted demuxers as a comma-separated list of libav*'s names.
  static let acceptedNames = [
    "matroska", "webm", "mov", "mp4", "ogg", "flv", "ivf", "yuv4mpegpipe", "wav", "w64", "avi",
    "mpegts", "mp3", "aac", "flac", "h264", "hevc", "obu", "m4v",
  ].joined(separator: ",")

  /// Known formats that are not accepted: display names by libav*'s names.
  static let foreign = [
    "asf": "Windows Media", "mxf": "MXF", "rm": "RealMedia", "mpeg": "MPEG program stream",
    "aiff": "AIFF", "caf": "Core Audio", "amr": "AMR", "dv": "DV", "nut": "NUT", "au": "AU",
  ]
}

extension String {
  /// The part before the first comma.
  fileprivate var firstName: String { String(prefix { $0 != "," }) }
}
