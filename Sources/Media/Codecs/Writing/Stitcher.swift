import CTesseraFFmpeg
package import TesseraSystem
import TesseraTimeline

/// Joins segments of pictures, a soundtrack and captions into one file, without encoding anything.
package struct Stitcher: Sendable {
  /// A file of packets, and the digest that it has to carry; nil takes any.
  package struct Piece: Hashable, Sendable {
    /// The file.
    package var path: String
    /// What it was to be made from.
    package var digest: String?

    /// The file at `path`.
    package init(path: String, digest: String? = nil) { (self.path, self.digest) = (path, digest) }
  }

  /// A place to jump to.
  package struct Chapter: Hashable, Sendable, Codable {
    /// What it is called.
    package var title: String
    /// When it begins, in milliseconds from the output's beginning.
    package var start: Int64

    /// The chapter that begins at `start` milliseconds.
    package init(_ title: String, start: Int64) { (self.title, self.start) = (title, start) }
  }

  /// Why no output was made.
  package enum Failure: Error, Sendable {
    /// A piece is missing or is not what it should be.
    case piece(PacketFile.Refusal)
    /// A piece does not go on where the one before ends.
    case gap(String)
    /// The output cannot be written.
    case output(FFmpegError)
  }

  /// The segments, in order.
  package var segments: [Piece]
  /// The sound; nil where there is none.
  package var soundtrack: Piece?
  /// Captions that can be turned on.
  package var captions: [TextTrack] = []
  /// The chapters, in order; the last one ends with the output.
  package var chapters: [Chapter] = []
  /// The file's tags in libavformat's terms.
  package var tags: [String: String] = [:]
  /// The format.
  package var container: OutputContainer

  /// What joins `segments` and `soundtrack`, of which one may be missing.
  package init(segments: [Piece], soundtrack: Piece?, container: OutputContainer) {
    (self.segments, self.soundtrack, self.container) = (segments, soundtrack, container)
  }

  /// Writes the file at `path`. Returns early once it is cancelled.
  package func write(to path: String, cancellation: Cancellation) throws(Failure) {
    // All of them are checked before anything is written; the delay has to be known before, too.
    guard let pictures = try PictureSegments(segments, cancellation: cancellation) else { return }
    var muxer = try Self.output { () throws(FFmpegError) in
      try Muxer.create(path, container: container, cancellation: cancellation)
    }
    var sound = try Sound(soundtrack)
    let last = max(pictures.milliseconds, sound.milliseconds)
    var texts: [Texts] = []
    var video: Int?
    do throws(FFmpegError) {
      if let parameters = pictures.parameters { video = try muxer.addStream(parameters) }
      try sound.addStream(&muxer)
      for track in captions { texts.append(try Texts(track, &muxer)) }
      try addChapters(&muxer, end: last)
      try muxer.begin(tags: tags)
    } catch {
      throw .output(error)
    }
    var packets = pictures.reader()
    while let packet = try packets.next() {
      if cancellation.isCancelled { return }
      let time = packet.decodingSeconds
      do throws(FFmpegError) {
        try sound.write(until: time, muxer)
        for text in texts.indices { try texts[text].write(until: time, muxer) }
        if let video { try muxer.write(packet, stream: video) }
      } catch {
        throw .output(error)
      }
    }
    do throws(FFmpegError) {
      try sound.write(until: nil, muxer)
      for text in texts.indices { try texts[text].write(until: nil, muxer) }
      if cancellation.isCancelled { return }
      try muxer.finish()
      // libavformat enables the first track of captions if none is a default.
      if container == .mp4, !captions.isEmpty, !captions.contains(where: \.isDefault) {
        try MovieBoxes.disableCaptions(path)
      }
    } catch {
      throw .output(error)
    }
  }

  /// Calls what fails as the output does.
  static func output<R: ~Copyable>(
    _ body: () throws(FFmpegError) -> R
  ) throws(Failure) -> R {
    do throws(FFmpegError) {
      return try body()
    } catch {
      throw .output(error)
    }
  }

  /// The chapters of an MP4 file are texts that follow one another from its beginning on: without one there, the first
  /// would move to it.
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

  /// The soundtrack on its way into the file.
  private struct Sound: ~Copyable {
    private let head: PacketFile.Head?
    private var reader: PacketFileReader?
    private var waiting: EncodedPacket?
    private var stream = 0

    init(_ piece: Piece?) throws(Failure) {
      guard let piece else {
        head = nil
        reader = nil
        return
      }
      let opened = try PictureSegments.open(piece)
      head = opened.head
      reader = consume opened
    }

    mutating func addStream(_ muxer: inout Muxer) throws(FFmpegError) {
      guard let parameters = head?.parameters else { return }
      stream = try muxer.addStream(parameters)
    }

    /// How long it is.
    var milliseconds: Int64 {
      guard let head else { return 0 }
      return av_rescale_q(
        Int64(head.range.count), head.parameters.timeBase.rational, AVRational(num: 1, den: 1000))
    }

    /// Writes what is heard by `seconds`; all that is left for nil.
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

  /// Captions on their way into the file.
  private struct Texts {
    private var cues: ArraySlice<TextTrack.Cue>
    private let stream: Int

    init(_ track: TextTrack, _ muxer: inout Muxer) throws(FFmpegError) {
      cues = track.cues[...]
      stream = try muxer.addStream(
        track.parameters(in: muxer.container), tags: track.tags, isDefault: track.isDefault)
    }

    mutating func write(until seconds: Double?, _ muxer: borrowing Muxer) throws(FFmpegError) {
      while let cue = cues.first {
        if let seconds, Double(cue.start) / 1000 > seconds { return }
        try muxer.write(try TextTrack.packet(cue, in: muxer.container), stream: stream)
        cues.removeFirst()
      }
    }
  }
}
