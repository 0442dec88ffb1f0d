/// What is known of a container: how its files are read, and what they can be.
package struct ContainerTraits: Sendable {
  /// How a demuxer is set down at a packet.
  enum Positioning: Sendable {
    /// At the byte where the packet begins.
    case byte
    /// At the byte where its cluster begins.
    case cluster
    /// By the container's own index, at a decoding time.
    case index
  }

  /// What says where a file should end.
  enum End: Sendable {
    case boxes
    case pages
    case riff
    case unknown
  }

  var positioning = Positioning.byte
  /// Whether it is made for recordings one after the other, whose times begin again. In others,
  /// times that jump back are damage, unless a keyframe brings them back to the beginning.
  var isChain = false
  /// Whether packets of one time lie together. In other files all pictures may come before the
  /// sound.
  var isInterleaved = true
  /// Whether its header says all that a decoder needs.
  var hasHeader = false
  /// Whether every packet has a decoding time of its own that is in order.
  var hasDecodingTimes = false
  var end = End.unknown
  /// Whether packets go on to the end of the file, but for an index and tags.
  var endsWithPackets = false
  /// Whether the header says where the whole file ends, as far as its writer knew.
  var promisesFile = false
  /// Whether the header says of each stream where it ends, not of the whole file only.
  var promisesStreams = false
  /// Whether its header counts in ticks what each stream holds.
  var countsTicks = false
  /// Whether it holds one stream, of which every byte lasts equally long.
  var isEven = false

  /// Those of the container that libav* calls `name`.
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
    // After going to a byte, its demuxer no longer knows which samples at the end are padding.
    table["mp3"] = ContainerTraits { $0.positioning = .index }
    // Its demuxer gives the byte after a frame's header, and cannot read on from there.
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

  /// The formats that are accepted, for messages.
  static let accepted =
    "WebM, Matroska, MP4, MOV, Ogg, FLV, IVF, Y4M, WAV, AVI, MPEG-TS, MP3, AAC, FLAC, "
    + "raw H.264, HEVC or AV1"

  /// libav*'s names of the accepted demuxers.
  static let acceptedNames = [
    "matroska", "webm", "mov", "mp4", "ogg", "flv", "ivf", "yuv4mpegpipe", "wav", "w64", "avi",
    "mpegts", "mp3", "aac", "flac", "h264", "hevc", "obu", "m4v",
  ].joined(separator: ",")

  /// Recordings in formats that are not accepted, by libav*'s names, as people call them.
  static let foreign = [
    "asf": "Windows Media", "mxf": "MXF", "rm": "RealMedia", "mpeg": "MPEG program stream",
    "aiff": "AIFF", "caf": "Core Audio", "amr": "AMR", "dv": "DV", "nut": "NUT", "au": "AU",
  ]
}

extension String {
  /// What stands before the first comma.
  fileprivate var firstName: String { String(prefix { $0 != "," }) }
}
