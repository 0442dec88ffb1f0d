import CTesseraFFmpeg
import Foundation
import TesseraPixels
import TesseraTimeline

extension HLSPackager {
  /// One stream, written as segments.
  struct SegmentedStream {
    private let playlist: MediaPlaylist
    private let codec: String

    /// Writes the packets that `next` returns into the folder at `path`. Each segment starts at the
    /// first packet at or after one of the `cuts`. `end` is the end of the last segment, in the
    /// stream's time base.
    static func write(
      _ parameters: CodecParameters, until end: Int64, _ cuts: HLSSegmentBoundaries,
      to path: String,
      next: () throws(Stitcher.Failure) -> EncodedPacket?
    ) throws(Stitcher.Failure) -> SegmentedStream {
      try HLSPackager.makeFolder(path)
      let base = parameters.timeBase.rational
      var upcoming = cuts.times.dropFirst()
      var file = try SegmentFile(parameters, folder: path)
      while let packet = try next() {
        let time = packet.times.presentation
        // In presentation order, no packet of this segment follows the first of the next; decoding
        // order may differ.
        if let cut = upcoming.first, av_compare_ts(time, base, cut, cuts.timeBase) >= 0 {
          try file.land(until: microseconds(time, base))
          // Cuts without a packet between them are skipped.
          while let cut = upcoming.first, av_compare_ts(time, base, cut, cuts.timeBase) >= 0 {
            upcoming.removeFirst()
          }
        }
        try file.append(packet)
      }
      try file.land(until: microseconds(end, base))
      guard let codec = file.codec else {
        throw .output(
          FFmpegError(
            code: CFF_ERROR_INVALID_DATA, operation: "stream \(parameters.codec)", path: path))
      }
      return SegmentedStream(playlist: file.playlist, codec: codec)
    }

    private static func microseconds(_ ticks: Int64, _ base: AVRational) -> Int64 {
      av_rescale_q(ticks, base, AVRational(num: 1, den: 1_000_000))
    }

    /// Returns the master playlist's entry for the rung `name`.
    func variant(_ name: String, _ parameters: CodecParameters) -> MasterPlaylist.Variant {
      MasterPlaylist.Variant(
        address: "\(name)/index.m3u8", playlist: playlist, codec: codec, size: parameters.size,
        frameRate: parameters.frameRate ?? parameters.timeBase.inverse)
    }

    /// Returns the master playlist's entry for audio in the folder `name`.
    func sound(_ name: String, _ parameters: CodecParameters) -> MasterPlaylist.Sound {
      MasterPlaylist.Sound(
        address: "\(name)/index.m3u8", playlist: playlist, codec: codec,
        channelCount: parameters.channelCount)
    }
  }

  /// The segment that is being written.
  private struct SegmentFile: ~Copyable {
    private let muxer: FragmentMuxer
    private let folder: String
    private var start: Int64 = 0
    private(set) var playlist = MediaPlaylist()
    private(set) var codec: String?

    init(_ parameters: CodecParameters, folder: String) throws(Stitcher.Failure) {
      self.folder = folder
      muxer = try Stitcher.output { () throws(FFmpegError) in
        try FragmentMuxer.begin(parameters, path: folder)
      }
    }

    func append(_ packet: EncodedPacket) throws(Stitcher.Failure) {
      try Stitcher.output { () throws(FFmpegError) in try muxer.write(packet) }
    }

    /// Finishes the segment, which ends at `end` microseconds, and writes its file.
    mutating func land(until end: Int64) throws(Stitcher.Failure) {
      if playlist.head == nil {
        let head = try take()
        codec = CodecStringFormatter.inHead(head)
        playlist.head = "init.mp4"
        try HLSPackager.write(head, to: "\(folder)/init.mp4")
      }
      let bytes = try take()
      let name = String(format: "%05d.m4s", playlist.segments.count + 1)
      try HLSPackager.write(bytes, to: "\(folder)/\(name)")
      var segment = MediaPlaylist.Segment(
        name: name, byteCount: bytes.count, duration: max(1, end -| start))
      segment.keyframeSize = Self.firstSampleEnd(bytes)
      playlist.segments.append(segment)
      start = end
    }

    /// Returns the size of `fragment` up to the end of its first sample; returns `nil` if its
    /// `trun` box does not state sample sizes (ISO 14496-12, section 8.8.8).
    private static func firstSampleEnd(_ fragment: Data) -> Int? {
      guard let movie = fragment.range(of: Data("moof".utf8)),
        let run = fragment.range(of: Data("trun".utf8))
      else { return nil }
      func word(_ number: Int) -> Int? {
        let bytes = fragment.dropFirst(run.upperBound + 4 * number).prefix(4)
        return bytes.count == 4 ? bytes.reduce(0) { $0 << 8 | Int($1) } : nil
      }
      // Flags, sample count and data offset; then the first sample's flags and duration, if
      // present.
      guard let flags = word(0), flags & 0x201 == 0x201, let offset = word(2) else { return nil }
      let place = 3 + (flags & 4 != 0 ? 1 : 0) + (flags & 0x100 != 0 ? 1 : 0)
      return word(place).map { movie.lowerBound - 4 + offset + $0 }.flatMap {
        $0 <= fragment.count ? $0 : nil
      }
    }

    private func take() throws(Stitcher.Failure) -> Data {
      try Stitcher.output { () throws(FFmpegError) in try muxer.take() }
    }
  }
}
