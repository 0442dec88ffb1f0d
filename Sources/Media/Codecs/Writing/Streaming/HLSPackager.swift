import CTesseraFFmpeg
import Foundation
import SystemPackage
package import TesseraSystem
import TesseraTimeline

/// Writes a folder for HTTP Live Streaming (RFC 8216) from encoded segments, without encoding
/// anything.
///
///     master.m3u8             the renditions; written last
///     NAME/index.m3u8         the segments of a rung
///     NAME/keyframes.m3u8     the first picture of each segment, for trick play
///     NAME/init.mp4           the initialization segment
///     NAME/00001.m4s …        the segments, which start at equal times in all rungs
///     audio/…                 the audio, with equal file names
///     captions/…, captions-2/…
///     chapters.json           the chapters, as AVKit reads them
package struct HLSPackager: Sendable {
  /// One size and quality of the video. All rungs show the same frames.
  package struct VideoRendition: Hashable, Sendable {
    /// The name of the rung's folder.
    package var name: String
    /// The packet files of the segments, in order of time.
    package var segments: [Stitcher.Input]

    package init(_ name: String, segments: [Stitcher.Input]) {
      (self.name, self.segments) = (name, segments)
    }
  }

  /// The video renditions. Players start with the first.
  package var rungs: [VideoRendition]
  /// The packet file of the audio; `nil` for silent video.
  package var soundtrack: Stitcher.Input?
  package var captions: [SubtitleTrack] = []
  /// The chapters in order of time. The last one lasts until the end of the output.
  package var chapters: [Stitcher.Chapter] = []
  /// The title; `nil` if there is none.
  package var title: String?

  /// The program's name and version for a comment in the master playlist; `nil` for no such
  /// comment.
  package var tool: String?
  /// An additional comment in the master playlist, without line breaks; `nil` if there is none.
  package var comment: String?

  /// The audio encoders whose output players accept in fragments. The first one is the default.
  package static let codecs: [SoundEncoderSettings.Codec] = [.aac, .opus, .flac]

  /// The name of the master playlist, which players open.
  package static let entry = "master.m3u8"

  /// Creates a stream of `rungs` with the audio `soundtrack`.
  package init(rungs: [VideoRendition], soundtrack: Stitcher.Input?) {
    (self.rungs, self.soundtrack) = (rungs, soundtrack)
  }

  /// Writes all files into the folder at `path`, which must exist and be empty. Returns early after
  /// a cancellation.
  package func write(to path: String, cancellation: Cancellation) throws(Stitcher.Failure) {
    var pictures: [VideoSegmentSequence] = []
    for rung in rungs {
      guard let segments = try VideoSegmentSequence(rung.segments, cancellation: cancellation)
      else {
        return
      }
      pictures.append(segments)
    }
    let cuts = HLSSegmentBoundaries(pictures)
    var variants: [MasterPlaylist.Variant] = []
    for (rung, segments) in zip(rungs, pictures) {
      guard let parameters = segments.parameters else { continue }
      var packets = segments.reader()
      let written = try SegmentedStream.write(
        parameters, until: segments.frameCount, cuts, to: "\(path)/\(rung.name)"
      ) { () throws(Stitcher.Failure) in cancellation.isCancelled ? nil : try packets.next() }
      variants.append(written.variant(rung.name, parameters))
    }
    var master = MasterPlaylist(variants: variants, sound: try sound(cuts, path, cancellation))
    if cancellation.isCancelled { return }
    let end = pictures.map(\.milliseconds).max() ?? 0
    master.captions = try writeCaptions(until: end, to: path)
    (master.title, master.tool, master.comment) = (title, tool, comment)
    if !chapters.isEmpty {
      master.chapters = "chapters.json"
      try Self.write(chapterList(until: end), to: "\(path)/chapters.json")
    }
    try write(master, to: path)
  }

  /// Writes all playlists, the master playlist last.
  private func write(_ master: MasterPlaylist, to path: String) throws(Stitcher.Failure) {
    var playlists = master.variants.map { ($0.address, $0.playlist, master.targetDuration) }
    playlists += master.variants.compactMap { variant in
      variant.playlist.keyframes.map { (variant.keyframesAddress, $0, master.targetDuration) }
    }
    if let sound = master.sound {
      playlists.append((sound.address, sound.playlist, master.targetDuration))
    }
    playlists += master.captions.map { ($0.address, $0.playlist, $0.playlist.targetDuration) }
    for (address, playlist, target) in playlists {
      try Self.write(
        Data(playlist.text(targetDuration: target).utf8), to: "\(path)/\(address)")
    }
    try Self.write(Data(master.text.utf8), to: "\(path)/\(Self.entry)")
  }

  private func sound(
    _ cuts: HLSSegmentBoundaries, _ path: String, _ cancellation: Cancellation
  ) throws(Stitcher.Failure) -> MasterPlaylist.Sound? {
    guard let soundtrack else { return nil }
    var reader = try VideoSegmentSequence.open(soundtrack)
    let (parameters, end) = (reader.head.parameters, Int64(reader.head.range.count))
    let written = try SegmentedStream.write(parameters, until: end, cuts, to: "\(path)/audio") {
      () throws(Stitcher.Failure) in
      try Stitcher.output { () throws(FFmpegError) in
        cancellation.isCancelled ? nil : try reader.next()
      }
    }
    var sound = written.sound("audio", parameters)
    if let language = captions.first(where: \.isSpoken)?.language {
      sound.language = Self.tag(language)
    }
    return sound
  }

  /// Writes each subtitle track as one segment, so that no cue must be repeated in another segment.
  private func writeCaptions(
    until end: Int64, to path: String
  ) throws(Stitcher.Failure) -> [MasterPlaylist.Captions] {
    var written: [MasterPlaylist.Captions] = []
    for (number, track) in captions.enumerated() {
      let folder = number == 0 ? "captions" : "captions-\(number + 1)"
      let text = Data(track.webVTT.utf8)
      try Self.makeFolder("\(path)/\(folder)")
      try Self.write(text, to: "\(path)/\(folder)/00001.vtt")
      let language = track.language.map(Self.tag)
      let wanted = track.title ?? "Captions"
      let isTaken = written.contains { $0.name == wanted }
      var captions = MasterPlaylist.Captions(
        address: "\(folder)/index.m3u8",
        playlist: MediaPlaylist(segments: [
          MediaPlaylist.Segment(
            name: "00001.vtt", byteCount: text.count, duration: max(1, end) *| 1000)
        ]),
        name: isTaken ? "\(wanted) \(number + 1)" : wanted, language: language)
      captions.isDefault = track.isDefault
      written.append(captions)
    }
    return written
  }

  /// Returns the shortest language tag for a three-letter code (RFC 5646, section 2.2.1).
  private static func tag(_ language: String) -> String {
    Locale.LanguageCode(language).identifier(.alpha2) ?? language
  }

  /// Returns the chapters in the format of Apple's players ("Providing JSON Chapters").
  private func chapterList(until end: Int64) -> Data {
    struct Title: Encodable {
      var language = "und"
      var title: String
    }
    struct Entry: Encodable {
      enum CodingKeys: String, CodingKey {
        case chapter
        case start = "start-time"
        case duration
        case titles
      }
      var chapter: Int
      var start: Double
      var duration: Double
      var titles: [Title]
    }
    let shown = chapters.filter { $0.start < end }
    return CanonicalJSON.bytes(
      shown.indices.map { index in
        let (start, next) = (
          shown[index].start, index + 1 < shown.count ? shown[index + 1].start : end
        )
        return Entry(
          chapter: index + 1, start: Double(start) / 1000, duration: Double(next -| start) / 1000,
          titles: [Title(title: shown[index].title)])
      })
  }

  // MARK: Files

  static func makeFolder(_ path: String) throws(Stitcher.Failure) {
    do throws(SystemError) {
      try FileOperations.makeFolder(path)
    } catch {
      throw failure(error.number, path)
    }
  }

  static func write(_ data: Data, to path: String) throws(Stitcher.Failure) {
    if let number = FileDescriptor.write(data, to: path) { throw failure(number, path) }
  }

  private static func failure(_ number: CInt, _ path: String) -> Stitcher.Failure {
    .output(FFmpegError(code: cff_averror(number), operation: "write the file", path: path))
  }
}
