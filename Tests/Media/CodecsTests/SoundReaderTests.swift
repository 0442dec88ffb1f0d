import Foundation
import TesseraCodecs
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct SoundReaderTests {
  /// Arguments for a sound that never repeats: a tone whose pitch rises from 200 Hz to 4 kHz.
  private static let sweep = [
    "-f", "lavfi", "-i", "aevalsrc=0.4*sin(2*PI*(200*t+95*t*t)):sample_rate=48000:duration=20",
  ]

  /// Returns all samples from `start` on, read from there or from the file's beginning, positioned
  /// by the blocks' own times.
  private static func samples(
    _ path: String, from start: MediaTime?, since first: MediaTime
  ) throws -> [Float] {
    var reader = try SoundReader.preferred(path, from: start)
    let begin = try #require(reader.following?.time)
    let rate = try #require(reader.following?.sampleRate)
    var samples: [Float] = []
    while reader.next() != nil { reader.readSamples(into: &samples) }
    #expect(reader.losses.isEmpty)
    if let start { #expect(begin <= start) }
    let skipped = (first - begin).sample(atRate: rate)
    return Array(samples.dropFirst(2 * Int(skipped)))
  }

  @Test(arguments: [
    ("a.mp4", ["-c:a", "aac", "-aac_coder", "fast"]), ("a.webm", ["-c:a", "libopus"]),
    ("a.ogg", ["-c:a", "libvorbis"]), ("opus.ogg", ["-c:a", "libopus"]),
    ("a.flv", ["-c:a", "aac", "-aac_coder", "fast", "-ar", "44100"]),
    ("a.wav", ["-c:a", "pcm_s16le"]), ("a.mp3", ["-c:a", "libmp3lame"]),
    ("a.flac", ["-c:a", "flac"]), ("a.aac", ["-c:a", "aac", "-aac_coder", "fast"]),
  ])
  func soundFromTheMiddleIsEqual(name: String, arguments: [String]) throws {
    let folder = try TemporaryFolder()
    let path = folder.path(name)
    try Tool.ffmpeg(Self.sweep + ["-ac", "2"] + arguments + [path])
    let start = MediaTime(seconds: 12)
    let whole = try Self.samples(path, from: nil, since: start)
    let part = try Self.samples(path, from: start, since: start)
    #expect(abs(whole.count - part.count) <= 2 * 48)
    try #require(part.count > 88_200 * 7)
    // Times in milliseconds locate the start of the part only roughly.
    let distance = (-96...96).map { shift in
      stride(from: 9600, to: 19_200, by: 2).reduce(Float(0)) {
        max($0, abs(whole[$1] - part[$1 + 2 * shift]))
      }
    }
    let best = distance.min() ?? 1
    let shift = (distance.firstIndex(of: best) ?? 0) - 96
    #expect(abs(shift) <= 48)
    #expect(best < 0.02)
  }

  @Test("A pre-skip without an edit list removes the first 80 ms, and moves nothing")
  func preSkip() throws {
    let path = try RecordingFolders.path("standing") + "/pre-skip.mp4"
    // Nothing begins earlier, so the file begins with its sound.
    #expect(abs(try MediaFileInfo.scan(path).file.containerStart.seconds - 0.08) < 1e-6)
    var reader = try SoundReader.preferred(path)
    while reader.following?.sampleCount == 0 { _ = reader.next() }
    #expect(reader.following?.time == .zero)
    #expect(reader.following?.packet == 4)
  }

  /// Returns the level of the middle of a sound for each side, as a factor.
  private static func levels(
    _ arguments: [String], format: String = "wav"
  ) throws -> (left: Double, right: Double) {
    let folder = try TemporaryFolder()
    let path = folder.path("a.\(format)")
    try Tool.ffmpeg(arguments + [path])
    return try levels(of: path)
  }

  private static func levels(
    of path: String, channel: Int? = nil
  ) throws -> (left: Double, right: Double) {
    var reader = try SoundReader.preferred(path, channel: channel)
    var samples: [Float] = []
    while reader.next() != nil { reader.readSamples(into: &samples) }
    let middle = samples.count / 4 - 2000..<samples.count / 4 + 2000
    let level = { (side: Int) in
      (middle.reduce(0.0) { $0 + pow(Double(samples[2 * $1 + side]), 2) }
        / Double(middle.count)).squareRoot() * 2.0.squareRoot()
    }
    return (level(0), level(1))
  }

  private static func tone(_ channels: String, layout: String, rate: Int = 48_000) -> [String] {
    [
      "-f", "lavfi", "-i",
      "aevalsrc=\(channels):sample_rate=\(rate):channel_layout=\(layout):duration=1",
    ]
  }

  @Test(arguments: [8000, 16_000, 44_100, 48_000, 96_000])
  func monoHasItsRecordedLevelOnBothSides(rate: Int) throws {
    let level = try Self.levels(
      Self.tone("0.5*sin(2*PI*440*t)", layout: "mono", rate: rate) + ["-c:a", "pcm_f32le"])
    #expect(abs(level.left - 0.5) < 0.005)
    #expect(level.left == level.right)
  }

  @Test func stereoSidesStaySeparate() throws {
    let level = try Self.levels(
      Self.tone("0.5*sin(2*PI*440*t)|0", layout: "stereo") + ["-c:a", "pcm_f32le"])
    #expect(abs(level.left - 0.5) < 0.001)
    #expect(level.right == 0)
  }

  @Test func theCenterChannelKeepsItsLevel() throws {
    let level = try Self.levels(
      Self.tone("0|0|0.5*sin(2*PI*440*t)|0|0|0", layout: "5.1") + ["-c:a", "pcm_f32le"])
    #expect(abs(level.left - 0.5 * 0.5.squareRoot()) < 0.005)
    #expect(abs(level.left - level.right) < 0.0001)
    let front = try Self.levels(
      Self.tone("0.5*sin(2*PI*440*t)|0|0|0|0|0", layout: "5.1") + ["-c:a", "pcm_f32le"])
    #expect(abs(front.left - 0.5) < 0.005)
  }

  /// Returns a WAV file of `count` channels without a layout, with a tone at half of full scale in
  /// `channel`.
  private static func unmixed(_ count: Int, tone channel: Int) -> Data {
    let samples = (0..<48_000).flatMap { index in
      (0..<count).map {
        $0 == channel ? Int16(16_384 * sin(Double(index) * .pi * 880 / 48_000)) : 0
      }
    }
    let sound = samples.flatMap {
      [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
    }
    let number = { (value: Int, size: Int) in
      (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var bytes = Array("RIFF".utf8) + number(36 + sound.count, 4) + Array("WAVEfmt ".utf8)
    bytes += number(16, 4) + number(1, 2) + number(count, 2) + number(48_000, 4)
    bytes += number(96_000 * count, 4) + number(2 * count, 2) + number(16, 2)
    return Data(bytes + Array("data".utf8) + number(sound.count, 4) + sound)
  }

  @Test(
    "Channels without a layout are panned to the center at their level", arguments: 3...8)
  func unmixedChannels(count: Int) throws {
    let folder = try TemporaryFolder()
    for channel in [0, count / 2, count - 1] {
      let path = folder.path("\(channel).wav")
      try Self.unmixed(count, tone: channel).write(to: URL(filePath: path))
      let level = try Self.levels(of: path)
      #expect(abs(level.left - 0.5) < 0.01 && level.left == level.right, "\(channel): \(level)")
      let alone = try Self.levels(of: path, channel: channel)
      #expect(abs(alone.left - 0.5) < 0.01 && alone.left == alone.right, "\(channel): \(alone)")
      let other = try Self.levels(of: path, channel: (channel + 1) % count)
      #expect(other == (0, 0))
    }
    let audio = try MediaFileInfo.scan(folder.path("0.wav")).file.preferred(.audio).first?.stream
      .audio
    #expect(audio?.isUnmixed == true && audio?.channels == count)
  }

  @Test(
    "Declared layouts are downmixed",
    arguments: ["3.0", "4.0", "5.0", "5.1", "6.1", "7.1"])
  func declaredLayouts(layout: String) throws {
    let channels = layout.split(separator: ".").reduce(0) { $0 + (Int($1) ?? 0) }
    let silence = [String](repeating: "0", count: channels - 1)
    let level = try Self.levels(
      Self.tone((["0.5*sin(2*PI*440*t)"] + silence).joined(separator: "|"), layout: layout)
        + ["-c:a", "pcm_s16le"])
    #expect(abs(level.left - 0.5) < 0.01 && level.right < 0.001)
  }

  @Test func opusChannelsHaveTheirPositions() throws {
    let opus = ["-c:a", "libopus", "-b:a", "256k"]
    let tone = "0.5*sin(2*PI*440*t)"
    let front = try Self.levels(
      Self.tone("\(tone)|0|0|0|0|0", layout: "5.1") + opus, format: "ogg")
    #expect(abs(front.left - 0.5) < 0.01 && front.right < 0.01)
    let middle = try Self.levels(
      Self.tone("0|0|\(tone)|0|0|0", layout: "5.1") + opus, format: "webm")
    #expect(abs(middle.left - 0.354) < 0.01 && abs(middle.left - middle.right) < 0.01)
    let deep = try Self.levels(Self.tone("0|0|0|\(tone)|0|0", layout: "5.1") + opus, format: "ogg")
    #expect(deep.left < 0.01 && deep.right < 0.01)
    let independent = try Self.levels(
      Self.tone("0|\(tone)", layout: "stereo") + opus + ["-mapping_family", "255"], format: "ogg")
    #expect(independent.left < 0.01 && abs(independent.right - 0.5) < 0.01)
  }

  @Test(arguments: ["ogg", "webm", "mp4", "ts"])
  func opusMatchesFFmpegsDecoder(format: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.\(format)")
    try Tool.ffmpeg(
      Self.sweep + [
        "-t", "3", "-ac", "2", "-c:a", "libopus", "-b:a", "128k", "-strict", "-2", path,
      ])
    var reader = try SoundReader.preferred(path)
    var samples: [Float] = []
    while reader.next() != nil { reader.readSamples(into: &samples) }
    let data = try Tool.ffmpeg(["-i", path, "-f", "f32le", "-c:a", "pcm_f32le", "-"])
    #expect(samples.count == data.count / 4)
    let error = unsafe data.withUnsafeBytes { bytes in
      let other = unsafe bytes.bindMemory(to: Float.self)
      return unsafe zip(samples, other).reduce(0.0) { $0 + pow(Double($1.0 - $1.1), 2) }
    }
    // -90 dB relative to full scale.
    #expect((error / Double(max(1, samples.count))).squareRoot() < 3.2e-5)
  }

  @Test(
    .enabled(if: SharedMedia.isPresent, Comment(rawValue: SharedMedia.absence)),
    arguments: ["clean", "edge", "hostile"])
  func realFilesNeverStopReading(part: String) throws {
    for path in SharedMedia.all(part) {
      guard let scan = try? MediaFileInfo.scan(path) else { continue }
      for track in scan.file.tracks(.audio) {
        guard
          var reader = try? SoundReader.open(scan.sound(track), cancellation: Cancellation())
        else { continue }
        var (samples, seconds): ([Float], Double) = ([], 0)
        while let block = reader.next() {
          #expect(block.sampleCount > 0 && block.sampleRate > 0)
          samples.removeAll(keepingCapacity: true)
          reader.readSamples(into: &samples)
          seconds += Double(samples.count / 2) / Double(block.sampleRate)
        }
        let claimed = track.interval.duration.seconds
        #expect(seconds <= claimed + 2)
      }
    }
  }
}

extension SoundReader {
  /// Opens a reader of the preferred sound of the file at `path`.
  static func preferred(
    _ path: String, from start: MediaTime? = nil, channel: Int? = nil
  ) throws -> SoundReader {
    let scan = try MediaFileInfo.scan(path)
    let track = try #require(scan.file.preferred(.audio).first)
    var sound = scan.sound(track)
    sound.channel = channel
    return try SoundReader.open(
      sound, from: start.map { sound.packet(wellBefore: $0) } ?? 0, cancellation: Cancellation())
  }
}

extension SoundSource {
  /// Returns the number of the track's packet that begins at least 0.5 s before `time`.
  func packet(wellBefore time: MediaTime) -> Int {
    let limit = ExactTime(time) - ExactTime(1, over: 2)
    return track.packets.count { self.time(of: $0) <= limit } - 1
  }
}
