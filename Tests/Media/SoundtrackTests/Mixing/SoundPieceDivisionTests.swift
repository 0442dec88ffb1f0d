import Foundation
import TesseraCodecs
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct SoundPieceDivisionTests {
  private static let seconds = 14

  @Test("Consecutive pieces share a block, and a short mix is one piece")
  func ranges() {
    let sheet: Int64 = 48_128
    for count in [0, 1, sheet, 60 * sheet, 359 * sheet] {
      let pieces = SoundPieceDivision(sampleCount: count)
      #expect(pieces.count == 1 && pieces.samples(of: 0) == 0..<count)
    }
    for count in [359 * sheet + 1, 172_800_000, 361 * sheet, 36_001 * sheet - 5] {
      let pieces = SoundPieceDivision(sampleCount: count)
      #expect(pieces.count == Int((count + sheet - 1) / sheet) / 60)
      #expect(pieces.samples(of: 0).lowerBound == 0)
      #expect(pieces.samples(of: pieces.count - 1).upperBound == count)
      for piece in 1..<pieces.count {
        let (before, own) = (pieces.samples(of: piece - 1), pieces.samples(of: piece))
        #expect(before.upperBound - own.lowerBound == 1024 && own.count > 59 * sheet)
        #expect(pieces.decoded(of: piece).lowerBound == own.lowerBound + 1024 - sheet)
      }
    }
  }

  /// Returns the mix of `voices` assembled from pieces of two blocks, rendered in reverse order.
  private func pieced(
    _ voices: [VoiceSource], _ files: SoundFiles
  ) throws -> (samples: [Float], reports: [VoiceReport]) {
    let count = Int64(Self.seconds * 48_000 + 5)
    let pieces = SoundPieceDivision(sampleCount: count, shortest: 2)
    try #require(pieces.count == 7)
    var reports = voices.map { _ in VoiceReport() }
    for piece in (0..<pieces.count).reversed() {
      let pool = VoiceDecodePool(
        [VoiceDecodePool.MixVoices(voices, sampleCount: count)],
        firstSheet: pieces.firstSheet(of: piece),
        cancellation: Cancellation())
      var mixer = PieceMixer(0, of: pool, piece: piece, of: pieces)
      var writer = try SoundPieceFile.Writer.create(
        files.path("\(piece).tsnd"), digest: "\(piece)", samples: pieces.samples(of: piece))
      var (block, length): ([Float], Int) = ([], 0)
      while try mixer.next(into: &block) {
        length += block.count / 2
        try writer.write(&block)
      }
      #expect(length == pieces.samples(of: piece).count)
      try writer.finish(note: "note \(piece)")
      reports = zip(mixer.voiceReports, reports).map { $0.joined(with: $1) }
    }
    let readers = try (0..<pieces.count).map {
      try SoundPieceFile.Reader(files.path("\($0).tsnd"), digest: "\($0)")
    }
    #expect(readers.map(\.note) == (0..<7).map { "note \($0)" })
    var mix = Soundtrack(
      PieceMixSource(pieces, readers), sampleCount: count, splices: nil,
      cancellation: Cancellation())
    var (samples, block): ([Float], [Float]) = ([], [])
    while try mix.next(into: &block) { samples += block }
    return (samples, reports)
  }

  /// Returns the loudest difference of two mixes within 10 ms, in decibels below full scale.
  private func difference(_ one: [Float], _ other: [Float]) -> (decibels: Double, second: Double) {
    var worst = (power: 0.0, place: 0)
    for start in stride(from: 0, to: min(one.count, other.count) - 960, by: 960) {
      let power = (start..<start + 960).reduce(0.0) {
        $0 + pow(Double(one[$1] - other[$1]), 2)
      }
      if power > worst.power { worst = (power, start) }
    }
    return (10 * log10(worst.power / 960 + 1e-20), Double(worst.place) / 96_000)
  }

  struct Format: CustomTestStringConvertible, Sendable {
    var name: String
    var arguments: [String] = []
    /// The drift of the voice in parts per million.
    var drift = 0
    /// The permitted difference in decibels below full scale.
    var most = -80.0
    var start = 0.0
    var testDescription: String { "\(name) \(drift)" }
  }

  /// The output of libopus depends on its whole history, in the last bits of 16, or in more bits
  /// where a sound breaks off. No pre-roll changes that.
  private static let formats = [
    Format(name: "opus.webm", arguments: ["-c:a", "libopus", "-b:a", "32k"], most: -56),
    Format(
      name: "speech.ogg", arguments: ["-c:a", "libopus", "-b:a", "16k", "-application", "voip"],
      most: -56),
    Format(name: "celt.webm", arguments: ["-c:a", "libopus", "-b:a", "96k"]),
    // Perceptual noise substitution by the decoder is random.
    Format(name: "aac.mp4", arguments: ["-c:a", "aac", "-aac_pns", "0"]),
    Format(
      name: "aac44.mp4", arguments: ["-c:a", "aac", "-aac_pns", "0", "-ar", "44100"], start: -2.3),
    Format(name: "mp3.mp3", arguments: ["-c:a", "libmp3lame", "-ar", "44100"], start: 0.7),
    Format(name: "vorbis.mkv", arguments: ["-c:a", "libvorbis", "-ar", "22050"]),
    Format(name: "pcm8.wav", arguments: ["-c:a", "pcm_s16le", "-ar", "8000"]),
    Format(name: "pcm.wav", arguments: ["-c:a", "pcm_s16le"], drift: 35, start: 0.3),
    Format(name: "slow.wav", arguments: ["-c:a", "pcm_s16le", "-ar", "44100"], drift: -150),
    Format(name: "drift.webm", arguments: ["-c:a", "libopus"], drift: 400),
  ]

  @Test("A mix of pieces equals the mix, with equal reports", arguments: formats)
  func sameMix(format: Format) throws {
    let files = try SoundFiles()
    defer { withExtendedLifetime(files) {} }
    let path = try files.make(
      format.name,
      [
        "-f", "lavfi", "-i",
        "anoisesrc=color=pink:amplitude=0.3:seed=7:duration=13:sample_rate=48000,"
          + "lowpass=f=3400,volume='0.3+0.7*abs(sin(3*t))':eval=frame",
      ] + format.arguments)
    var voice = try VoiceSource(path, at: MediaTime(nanoseconds: Int64(format.start * 1e9)))
    voice.rate = Ratio(1_000_000 + format.drift, 1_000_000)
    voice.gain = GainCurve([
      GainCurve.Point(position: 0, decibels: 0), GainCurve.Point(position: 480_000, decibels: -6),
    ])
    let whole = try Soundtrack.render([voice], seconds: Double(Self.seconds) + 5 / 48_000)
    let pieced = try pieced([voice], files)
    #expect(pieced.samples.count == whole.samples.count)
    let worst = difference(whole.samples, pieced.samples)
    #expect(worst.decibels <= format.most, "\(worst)")
    var report = pieced.reports[0]
    #expect(abs(report.stretchedSamples - whole.reports[0].stretchedSamples) < 1)
    report.stretchedSamples = whole.reports[0].stretchedSamples
    // The decoder's read-ahead depends on its start.
    #expect(abs(report.decodedSamples - whole.reports[0].decodedSamples) <= 6 * 4608)
    report.decodedSamples = whole.reports[0].decodedSamples
    #expect(report == whole.reports[0])
  }
}
