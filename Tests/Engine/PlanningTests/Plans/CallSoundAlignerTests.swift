import Foundation
import PlanningSupport
import TesseraCodecs
import TesseraDocuments
import TesseraPixels
import TesseraPlan
import TesseraPlanning
import TesseraRecordings
import TesseraRequest
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

/// Recordings of one conversation, each with its own clock, are aligned.
@Suite(.timed) struct CallSoundAlignerTests {
  private static let rate = 16_000

  /// Returns words of noise: mono at ``rate``.
  private static func speech(seconds: Int, seed: UInt64) -> [Float] {
    var random = SplitMix64(seed: seed)
    var samples: [Float] = []
    while samples.count < rate * seconds {
      let length = Int.random(in: 1200...4800, using: &random)
      let level = Bool.random(using: &random) ? Float.random(in: 0.05...0.4, using: &random) : 0
      var last: Float = 0
      for index in 0..<length {
        last = 0.7 * last + .random(in: -1...1, using: &random)
        samples.append(level * sin(.pi * Float(index) / Float(length)) * last)
      }
    }
    return Array(samples[..<(rate * seconds)])
  }

  /// Returns a recording of `sound` from second `start` on, with a clock that is slow by
  /// `partsPerMillion`, and a little noise.
  private static func recorded(
    _ sound: [Float], from start: Double, seconds: Double, partsPerMillion: Double, seed: UInt64
  ) -> [Float] {
    var random = SplitMix64(seed: seed)
    return (0..<Int(seconds * Double(rate))).map { index in
      let place = start * Double(rate) + Double(index) * (1 + partsPerMillion / 1e6)
      let whole = Int(place)
      let part = Float(place - Double(whole))
      let noise = Float.random(in: -0.01...0.01, using: &random)
      guard whole + 1 < sound.count else { return noise }
      return sound[whole] * (1 - part) + sound[whole + 1] * part + noise
    }
  }

  /// Writes a recording, with pictures at 25 frames/s if `hasPictures` is true.
  private static func write(
    _ samples: [Float], _ folder: TemporaryFolder, _ name: String, hasPictures: Bool = false
  ) throws {
    let raw = folder.path(name + ".f32")
    try unsafe samples.withUnsafeBytes { try unsafe Data($0).write(to: URL(filePath: raw)) }
    let seconds = samples.count / rate
    let pictures = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=\(seconds)", "-c:v", "libx264"]
    try Tool.ffmpeg(
      ["-f", "f32le", "-ar", "\(rate)", "-ac", "1", "-i", raw] + (hasPictures ? pictures : [])
        + ["-c:a", "pcm_s16le", folder.path(name)])
  }

  private static func request(_ folder: TemporaryFolder, _ names: [String]) throws
    -> RenditionRequest
  {
    var request = try RenditionRequest(
      inputs: names.map(folder.path),
      output: OutputFormat(
        video: VideoEncoderSettings(
          size: PixelSize(width: 64, height: 48), frameRate: .thirty)))
    request.call.alignment = .sound
    return request
  }

  @Test func soundAndPictureFollowTheirPerson() throws {
    let folder = try TemporaryFolder()
    let call = Self.speech(seconds: 60, seed: 411)
    try Self.write(call, folder, "ada.wav")
    let late = Self.recorded(call, from: 12.3, seconds: 40, partsPerMillion: 250, seed: 412)
    try Self.write(late, folder, "ben.mkv", hasPictures: true)
    let plan = try Self.request(folder, ["ada.wav", "ben.mkv"]).plan()
    let voice = try #require(plan.voices.last?.source)
    let clock = try #require(plan.tracks.first?.clock)
    #expect(plan.voices[0].source.start == .zero && plan.voices[0].source.rate == .one)
    #expect(abs(voice.start.seconds - 12.3) < 0.002)
    #expect(abs(40 * (voice.rate.value - 1.00025)) < 0.002)
    #expect(abs(clock.start.seconds - 12.3) < 0.002 && clock.rate == voice.rate)
    #expect(plan.notes.contains { $0.hasPrefix("ben's recording starts 12.") }, "\(plan.notes)")
    #expect(plan.notes.contains { $0.contains("ppm slow") && $0.contains("confidence 0.50") })
    #expect(plan.losses.isEmpty)
  }

  /// The second person shares sound with the third only.
  @Test func peopleAreAlignedThroughOthers() throws {
    let folder = try TemporaryFolder()
    let (one, other) = (Self.speech(seconds: 60, seed: 421), Self.speech(seconds: 60, seed: 422))
    try Self.write(one, folder, "ada.wav")
    try Self.write(Array(other[(5 * Self.rate)...]), folder, "ben.wav")
    let both = zip(one, other).map { 0.5 * ($0 + $1) }
    try Self.write(Array(both[(2 * Self.rate)...]), folder, "chloe.wav")
    let plan = try Self.request(folder, ["ada.wav", "ben.wav", "chloe.wav"]).plan()
    let starts = plan.voices.map(\.source.start.seconds)
    #expect(abs(starts[1] - 5) < 0.002 && abs(starts[2] - 2) < 0.002, "\(starts)")
  }

  @Test func recordingsWithImplausibleStartsAreNoted() throws {
    let folder = try TemporaryFolder()
    let call = Self.speech(seconds: 60, seed: 451)
    try Self.write(call, folder, "ada.wav")
    try Self.write(Array(call[(12 * Self.rate)...]), folder, "ben.wav")
    try Self.write(Self.speech(seconds: 60, seed: 452), folder, "chloe.wav")
    var request = try Self.request(folder, ["ada.wav", "ben.wav", "chloe.wav"])
    request.call.alignment = nil
    request.rendition.loudness = .loudness(-16)
    let notes = try request.plan().notes.filter { $0.contains("--align sound") }
    #expect(notes.count == 1 && notes[0].contains("ben.wav"), "\(notes)")
    #expect(notes.first?.contains("sound alike 12.0 s apart: if both heard") == true, "\(notes)")
    request.call.offsets = [PersonOffset(person: "ben", time: MediaTime(seconds: 12))]
    #expect(try !request.plan().notes.contains { $0.contains("--align sound") })
  }

  @Test func filesOfOnePersonAreAlignedWithEachOther() throws {
    let folder = try TemporaryFolder()
    let said = Self.speech(seconds: 40, seed: 441)
    try Self.write(said, folder, "Anna mic.wav")
    let heard = Self.recorded(said, from: 1.8, seconds: 36, partsPerMillion: 0, seed: 442)
    try Self.write(heard, folder, "Anna camera.mkv", hasPictures: true)
    var request = try Self.request(folder, ["Anna mic.wav", "Anna camera.mkv"])
    let plan = try request.plan()
    #expect(plan.participants.count == 1 && plan.voices.count == 1 && plan.losses.isEmpty)
    let clock = try #require(plan.tracks.first?.clock)
    #expect(plan.voices[0].source.start == .zero)
    #expect(abs(clock.start.seconds - 1.8) < 0.002, "\(clock.start)")
    #expect(
      plan.notes.contains {
        $0.hasPrefix("Anna camera.mkv's recording starts 1.80") && $0.contains("Anna mic.wav's")
      }, "\(plan.notes)")
    // A session file keeps the alignment.
    let (input, losses) = try request.call.input.aligned(.sound)
    #expect(losses.isEmpty && input.recording.alignment == nil)
    let path = folder.path("session.yaml")
    try Data(input.session(at: path).yaml.utf8).write(to: URL(filePath: path))
    request = try Self.request(folder, ["session.yaml"])
    request.call.alignment = nil
    let again = try request.plan()
    #expect(again.tracks.map(\.clock) == plan.tracks.map(\.clock))
    #expect(again.voices.map(\.source.start) == plan.voices.map(\.source.start))
  }

  @Test func recordingsThatLackSamplesArePlayedInPieces() throws {
    let folder = try TemporaryFolder()
    let call = Self.speech(seconds: 60, seed: 461)
    try Self.write(call, folder, "ada.wav")
    var late = Self.recorded(call, from: 4, seconds: 50, partsPerMillion: 0, seed: 462)
    late.removeSubrange(20 * Self.rate..<20 * Self.rate + 24_000)
    try Self.write(late, folder, "ben.mkv", hasPictures: true)
    let plan = try Self.request(folder, ["ada.wav", "ben.mkv"]).plan()
    let voices = plan.voices.map(\.source)
    try #require(voices.count == 3)
    #expect(abs(voices[1].start.seconds - 4) < 0.002)
    #expect(abs(voices[2].start.seconds - 5.5) < 0.002)
    let gap = (voices[1].interval.end, voices[2].interval.start)
    #expect(abs(gap.0.seconds - 24) < 1 && abs((gap.1 - gap.0).seconds - 1.5) < 0.002, "\(gap)")
    #expect(plan.tracks.count == 2 && plan.tracks[1].clock.start > plan.tracks[0].clock.start)
    #expect(
      plan.notes.contains { $0.hasPrefix("ben lacks samples: 1500 ms at 2") }, "\(plan.notes)")
    // A session file keeps the pieces.
    let request = try Self.request(folder, ["ada.wav", "ben.mkv"])
    let path = folder.path("session.yaml")
    let aligned = try request.call.input.aligned(.sound).input
    try Data(aligned.session(at: path).yaml.utf8).write(to: URL(filePath: path))
    var again = try Self.request(folder, ["session.yaml"])
    again.call.alignment = nil
    let kept = try again.plan().voices.map(\.source)
    #expect(
      kept.map(\.interval) == voices.map(\.interval) && kept.map(\.start) == voices.map(\.start))
  }

  @Test func unplacedFilesCanBeMovedAlone() throws {
    let folder = try TemporaryFolder()
    let call = Self.speech(seconds: 40, seed: 471)
    try Self.write(call, folder, "ada.wav")
    try Self.write(Array(call[(5 * Self.rate)...]), folder, "Ben mic.wav")
    let noise = Self.speech(seconds: 30, seed: 472)
    try Self.write(noise, folder, "Ben camera.mkv", hasPictures: true)
    var request = try Self.request(folder, ["ada.wav", "Ben mic.wav", "Ben camera.mkv"])
    let option = "--offset \"Ben camera.mkv\"=SECONDS"
    let plan = try request.plan()
    #expect(plan.notes.contains { $0.contains(option) }, "\(plan.notes)")
    for name in ["Ben camera.mkv", "./Ben camera.mkv"] {
      request.call.offsets = [PersonOffset(person: name, time: MediaTime(seconds: 3))]
      let moved = try request.plan()
      #expect(moved.tracks.map(\.clock.start.rounded) == [MediaTime(seconds: 3)])
      #expect(moved.voices.map(\.source.start) == plan.voices.map(\.source.start))
      #expect(!moved.notes.contains { $0.contains("Ben camera.mkv") }, "\(moved.notes)")
    }
  }

  @Test func channelsOfOneFileKeepTheirDistance() throws {
    let folder = try TemporaryFolder()
    let said = [Self.speech(seconds: 40, seed: 481), Self.speech(seconds: 40, seed: 482)]
    for (name, samples) in zip(["1.wav", "2.wav"], said) { try Self.write(samples, folder, name) }
    try Tool.ffmpeg([
      "-i", folder.path("1.wav"), "-i", folder.path("2.wav"), "-filter_complex", "amerge=inputs=2",
      folder.path("room.wav"),
    ])
    try Self.write(Array(said[1][(7 * Self.rate)...]), folder, "ben.wav")
    var request = try Self.request(folder, ["room.wav", "ben.wav"])
    request.call.input = try ImportedCall.open(
      [folder.path("room.wav"), folder.path("ben.wav")], channels: .each)
    let plan = try request.plan()
    #expect(plan.participants.map(\.name) == ["room 1", "room 2", "ben"])
    #expect(plan.voices.map(\.source.sound.channel) == [0, 1, nil])
    let starts = plan.voices.map(\.source.start.seconds)
    #expect(starts[0] == starts[1] && abs(starts[2] - starts[0] - 7) < 0.002, "\(starts)")
    #expect(!plan.notes.contains { $0.contains("more than once") } && plan.losses.isEmpty)
    // The cached result has each channel.
    request.call.cache = ScanCache(folder.path("cache"), build: "test")
    (request.call.alignment, request.call.wantsTurns) = (nil, true)
    let turns = try request.plan().turns
    #expect(try request.plan().turns == turns)
    #expect(Set(turns.map(\.participant)).count > 1)
  }

  @Test func fileNamedLikeAParticipantIsRefused() throws {
    let folder = try TemporaryFolder()
    for name in ["a.wav", "b.wav"] {
      try Self.write([Float](repeating: 0.1, count: Self.rate), folder, name)
    }
    let session = """
      version: 1
      participants:
        - {id: a.wav, tracks: [{file: a.wav}, {file: b.wav}]}
      """
    try Data(session.utf8).write(to: URL(filePath: folder.path("session.yaml")))
    var request = try Self.request(folder, ["session.yaml"])
    request.call.alignment = nil
    request.call.offsets = [PersonOffset(person: "a.wav", time: MediaTime(seconds: 1))]
    let error = #expect(throws: RenderError.self) { try request.plan() }
    #expect("\(try #require(error))".contains("give \"./a.wav\" for the file"))
    request.call.offsets = [PersonOffset(person: "./a.wav", time: MediaTime(seconds: 1))]
    #expect(try request.plan().voices.map(\.source.start) == [.zero, MediaTime(seconds: 1)])
  }

  @Test func unsureAlignmentsAreReportedAndStartWithTheOthers() throws {
    let folder = try TemporaryFolder()
    try Self.write(Self.speech(seconds: 30, seed: 431), folder, "ada.wav")
    try Self.write(Self.speech(seconds: 30, seed: 432), folder, "ben.wav")
    try Self.write([Float](repeating: 0, count: 10 * Self.rate), folder, "chloe.wav")
    for (name, said) in [("ben", "passages compared with ada's"), ("chloe", "it has none")] {
      let plan = try Self.request(folder, ["ada.wav", "\(name).wav"]).plan()
      #expect(plan.voices.map(\.source.start) == [.zero, .zero])
      #expect(plan.losses.map(\.code) == ["unplaced"])
      let message = plan.losses.first?.sentence ?? ""
      #expect(message.contains("cannot place \(name) by sound"), "\(message)")
      #expect(message.contains(said) && message.contains("confidence 0"), "\(message)")
      #expect(message.contains("--offset \(name)=SECONDS"), "\(message)")
    }
    var request = try Self.request(folder, ["ada.wav", "ben.wav"])
    request.call.offsets = [
      PersonOffset(person: "ada", time: .zero),
      PersonOffset(person: "ben", time: MediaTime(seconds: 3)),
    ]
    let plan = try request.plan()
    #expect(plan.voices.map(\.source.start) == [.zero, MediaTime(seconds: 3)])
    #expect(plan.losses.isEmpty)
  }
}
