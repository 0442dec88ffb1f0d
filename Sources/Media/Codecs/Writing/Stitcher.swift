import CTesseraFFmpeg
package import TesseraMessages
package import TesseraSystem
import TesseraTimeline

/// Muxes encoded segments, a soundtrack and captions into one file, without encoding anything.
package struct Stitcher: Sendable {
  /// A packet file and its expected digest.
  package struct Input: Hashable, Sendable {
    /// The path of the packet file.
    package var path: String
    /// The digest that the file must have; `nil` accepts any.
    package var digest: String?

    /// Creates a reference to the packet file at `path`.
    package init(path: String, digest: String? = nil) { (self.path, self.digest) = (path, digest) }
  }

  /// A chapter mark of the output.
  package struct Chapter: Hashable, Sendable, Codable {
    package var title: String
    /// The start, in milliseconds from the start of the output.
    package var start: Int64

    /// Creates a chapter that starts at `start` milliseconds.
    package init(_ title: String, start: Int64) { (self.title, self.start) = (title, start) }
  }

  /// A reason why no output was written.
  package enum Failure: Error, Sendable {
    /// A packet file is missing or invalid.
    case piece(PacketFile.OpenError)
    /// A segment is incomplete or does not fit the previous one; the message.
    case gap(UserMessage)
    /// The output file cannot be written.
    case output(FFmpegError)
  }

  /// The video segments in order of time; empty for audio only.
  package var segments: [Input]
  /// The audio; `nil` for silent video.
  package var soundtrack: Input?
  package var captions: [SubtitleTrack] = []
  /// The chapters in order of time. The last one lasts until the end of the output.
  package var chapters: [Chapter] = []
  /// The file's metadata in libavformat's terms.
  package var tags: [String: String] = [:]
  package var container: OutputContainer

  /// Creates a muxing job of `segments` and `soundtrack`, of which one may be missing.
  package init(segments: [Input], soundtrack: Input?, container: OutputContainer) {
    (self.segments, self.soundtrack, self.container) = (segments, soundtrack, container)
  }

  /// Writes the file at `path`. Returns early after a cancellation.
  package func write(to path: String, cancellation: Cancellation) throws(Failure) {
    // All segments are verified first; the muxer also needs the delay before it starts.
    guard let pictures = try VideoSegmentSequence(segments, cancellation: cancellation) else {
      return
    }
    var muxer = try Self.output { () throws(FFmpegError) in
      try Muxer.create(path, container: container, cancellation: cancellation)
    }
    var sound = try SoundWriter(soundtrack)
    let last = max(pictures.milliseconds, sound.milliseconds)
    var texts: [SubtitleWriter] = []
    var video: Int?
    try Self.output { () throws(FFmpegError) in
      if let parameters = pictures.parameters { video = try muxer.addStream(parameters) }
      try sound.addStream(&muxer)
      for track in captions { texts.append(try SubtitleWriter(track, &muxer)) }
      try addChapters(&muxer, end: last)
      try muxer.begin(tags: tags)
    }
    var packets = pictures.reader()
    while let packet = try packets.next() {
      if cancellation.isCancelled { return }
      let time = packet.decodingSeconds
      try Self.output { () throws(FFmpegError) in
        try sound.write(until: time, muxer)
        for text in texts.indices { try texts[text].write(until: time, muxer) }
        if let video { try muxer.write(packet, stream: video) }
      }
    }
    try Self.output { () throws(FFmpegError) in
      try sound.write(until: nil, muxer)
      for text in texts.indices { try texts[text].write(until: nil, muxer) }
      if cancellation.isCancelled { return }
      try muxer.finish()
      // libavformat enables the first subtitle track if none is marked as default.
      if container == .mp4, !captions.isEmpty, !captions.contains(where: \.isDefault) {
        try MovieBoxParser.disableCaptions(path)
      }
    }
  }

  /// Calls `body` and converts its error to ``Failure/output(_:)``.
  static func output<R: ~Copyable>(
    _ body: () throws(FFmpegError) -> R
  ) throws(Failure) -> R {
    do throws(FFmpegError) {
      return try body()
    } catch {
      throw .output(error)
    }
  }

  /// Adds the chapters to the file. Chapters of MP4 are consecutive text samples from the start on.
  /// If the first chapter started later, players would move it to the start, so a chapter at 0 is
  /// inserted.
  private func addChapters(_ muxer: inout Muxer, end: Int64) throws(FFmpegError) {
    var chapters = chapters
    if [.mp4, .m4a].contains(container), let first = chapters.first, first.start > 0 {
      chapters.insert(Chapter(tags["title"] ?? "Beginning", start: 0), at: 0)
    }
    for (index, chapter) in chapters.enumerated() where chapter.start < end {
      let next = index + 1 < chapters.count ? chapters[index + 1].start : end
      try muxer.addChapter(
        chapter.title, number: index, start: chapter.start,
        end: min(max(next, chapter.start), end))
    }
  }

  /// The state of writing the soundtrack.
  private struct SoundWriter: ~Copyable {
    private let head: PacketFile.Header?
    private var reader: PacketFileReader?
    private var waiting: EncodedPacket?
    private var stream = 0

    init(_ piece: Input?) throws(Failure) {
      guard let piece else {
        head = nil
        reader = nil
        return
      }
      let opened = try VideoSegmentSequence.open(piece)
      head = opened.head
      reader = consume opened
    }

    mutating func addStream(_ muxer: inout Muxer) throws(FFmpegError) {
      guard let parameters = head?.parameters else { return }
      stream = try muxer.addStream(parameters)
    }

    /// The duration in milliseconds.
    var milliseconds: Int64 {
      guard let head else { return 0 }
      return av_rescale_q(
        Int64(head.range.count), head.parameters.timeBase.rational, AVRational(num: 1, den: 1000))
    }

    /// Writes all packets up to `seconds`; all remaining ones if `seconds` is `nil`.
    mutating func write(until seconds: Double?, _ muxer: borrowing Muxer) throws(FFmpegError) {
      while true {
        if waiting == nil { waiting = try reader?.next() }
        guard let packet = waiting else { return }
        if let seconds, packet.decodingSeconds > seconds { return }
        try muxer.write(packet, stream: stream)
        waiting = nil
      }
    }
  }

  /// The state of writing one subtitle track.
  private struct SubtitleWriter {
    private var cues: ArraySlice<SubtitleTrack.Cue>
    private let stream: Int

    init(_ track: SubtitleTrack, _ muxer: inout Muxer) throws(FFmpegError) {
      cues = track.cues[...]
      stream = try muxer.addStream(
        track.parameters(in: muxer.container), tags: track.tags, isDefault: track.isDefault)
    }

    mutating func write(until seconds: Double?, _ muxer: borrowing Muxer) throws(FFmpegError) {
      while let cue = cues.first {
        if let seconds, Double(cue.start) / 1000 > seconds { return }
        try muxer.write(try SubtitleTrack.packet(cue, in: muxer.container), stream: stream)
        cues.removeFirst()
      }
    }
  }
}
