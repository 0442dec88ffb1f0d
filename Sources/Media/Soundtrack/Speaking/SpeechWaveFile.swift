import Foundation
import Glibc
package import TesseraSystem
package import TesseraTimeline

/// One person's speech without pauses, as input for speech recognizers: a WAV file (16 kHz, mono,
/// 16 bits) of stretches of speech with short silences between them.
///
/// Only the person's own speech is included, so that bleed from others is not recognized twice.
package struct SpeechWaveFile: Hashable, Sendable, Codable {
  /// The stretches of speech in samples of the timeline at ``Soundtrack/sampleRate``, in order.
  package let runs: [Range<Int64>]

  /// The sample rate of the file, in hertz.
  package static let sampleRate = 16_000
  /// The margin before and after speech (0.25 s), and the longest gap between stretches that is
  /// closed (0.6 s).
  private static let (margin, closed) = (
    MediaTime(nanoseconds: 250_000_000), MediaTime(nanoseconds: 600_000_000)
  )
  /// The silence after each stretch, in samples of the timeline (0.4 s).
  private static let silence: Int64 = 19_200

  /// Selects the stretches for speech at the times `said`, within the times `heard` at which the
  /// person's microphones are recorded.
  package init(said: [TimeRange], heard: [TimeRange]) {
    let wide = said.map { TimeRange(start: $0.start - Self.margin, end: $0.end + Self.margin) }
    var runs: [TimeRange] = []
    for run in KeptRanges(keeping: wide).intersection(KeptRanges(keeping: heard)).kept {
      if let last = runs.last, run.start - last.end < Self.closed {
        runs[runs.count - 1].end = run.end
      } else {
        runs.append(run)
      }
    }
    self.runs = runs.map {
      $0.start.sample(atRate: Soundtrack.sampleRate)..<$0.end.sample(atRate: Soundtrack.sampleRate)
    }.filter { !$0.isEmpty }
  }

  /// Maps `time` of the file to the time of the call. A time in a silence maps to the end of the
  /// stretch before it.
  package func call(_ time: MediaTime) -> MediaTime {
    var rest = max(0, time.sample(atRate: Soundtrack.sampleRate))
    for run in runs {
      if rest < Int64(run.count) + Self.silence || run == runs.last {
        let place = run.lowerBound + min(rest, Int64(run.count))
        return MediaTime(sample: place, rate: Soundtrack.sampleRate)
      }
      rest -= Int64(run.count) + Self.silence
    }
    return .zero
  }

  /// Writes the file at `path` from all `voices` of the person. The entries of `notes` with the
  /// same indices record decoding for crash attribution.
  ///
  /// - Throws: ``SystemError`` if the file cannot be written.
  /// - Returns: false if the cancellation was requested.
  package func write(
    _ voices: [VoiceSource], to path: String, notes: [VoiceCrashNote], cancellation: Cancellation
  ) throws(SystemError) -> Bool {
    let length = runs.reduce(0) { $0 + Int64($1.count) + Self.silence } / 3
    var sink = try Sink(path)
    sink.append(Self.header(length))
    var resampler = SampleRateConverter(ratio: 1.0 / 3, isSteady: true, lowest: 1.0 / 3)
    var (block, resampled) = ([Float](), [Float]())
    for run in runs {
      let start = MediaTime(sample: run.lowerBound, rate: Soundtrack.sampleRate)
      let end = MediaTime(sample: run.upperBound, rate: Soundtrack.sampleRate)
      let parts = voices.indices.compactMap { index -> (VoiceSource, VoiceCrashNote?)? in
        guard var part = voices[index].part(from: start, to: end) else { return nil }
        part.gain = nil
        return (part, notes.indices.contains(index) ? notes[index] : nil)
      }
      let count = Int64(run.count) + Self.silence
      var mixer = Mixer(parts, sampleCount: count, cancellation: cancellation)
      var position: Int64 = 0
      while position < count {
        if cancellation.isCancelled { return false }
        let length = min(Int64(Soundtrack.blockLength), count - position)
        block = [Float](repeating: 0, count: 2 * Soundtrack.blockLength)
        mixer.next(into: &block)
        block.removeLast(block.count - 2 * Int(length))
        resampler?.convert(block, into: &resampled)
        try sink.append(&resampled)
        position += length
      }
    }
    resampler?.finish(into: &resampled)
    try sink.append(&resampled)
    try sink.finish(length)
    return true
  }

  /// Returns the WAV header of a file with `count` samples.
  private static func header(_ count: Int64) -> Data {
    func bytes(_ value: Int64, _ width: Int) -> [UInt8] {
      (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * Int64($0))) }
    }
    let size = min(2 * count, Int64(UInt32.max) - 36)
    var header = Array("RIFF".utf8) + bytes(size + 36, 4) + Array("WAVEfmt ".utf8)
    header += bytes(16, 4) + bytes(1, 2) + bytes(1, 2) + bytes(Int64(sampleRate), 4)
    header += bytes(2 * Int64(sampleRate), 4) + bytes(2, 2) + bytes(16, 2)
    return Data(header + Array("data".utf8) + bytes(size, 4))
  }

  /// A buffered writer of 16-bit samples.
  private struct Sink: ~Copyable {
    private let file: OwnedFileDescriptor
    private let path: String
    private var data = Data()
    /// The number of samples written.
    private var count: Int64 = 0

    init(_ path: String) throws(SystemError) {
      file = try OwnedFileDescriptor(opening: path, O_CREAT | O_WRONLY | O_TRUNC)
      self.path = path
    }

    mutating func append(_ bytes: Data) { data += bytes }

    /// Appends interleaved stereo, mixed to mono, and clears `samples`.
    mutating func append(_ samples: inout [Float]) throws(SystemError) {
      for index in stride(from: 0, to: samples.count - 1, by: 2) {
        add((samples[index] + samples[index + 1]) / 2)
      }
      samples.removeAll(keepingCapacity: true)
      if data.count > 1 << 20 { try flush() }
    }

    private mutating func add(_ sample: Float) {
      let value = Int16(clamping: Int(saturating: (Double(sample) * 32_767).rounded()))
      data.append(UInt8(truncatingIfNeeded: value))
      data.append(UInt8(truncatingIfNeeded: value >> 8))
      count += 1
    }

    private mutating func flush() throws(SystemError) {
      try file.write(data, path)
      data.removeAll(keepingCapacity: true)
    }

    /// Pads the file with silence to `length` samples, the length in its header, and writes the
    /// rest.
    mutating func finish(_ length: Int64) throws(SystemError) {
      while count < length { add(0) }
      try flush()
    }
  }
}
