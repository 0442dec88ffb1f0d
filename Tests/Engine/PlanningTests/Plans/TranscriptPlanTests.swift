import Foundation
import PlanningSupport
import TesseraCaptions
import TesseraCodecs
import TesseraLayout
import TesseraMessages
import TesseraPixels
import TesseraPlan
import TesseraPlanning
import TesseraRecordings
import TesseraRequest
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

/// Words keep the times at which they are heard, whatever happens to the recordings.
@Suite(.timed) struct TranscriptPlanTests {
  private static func plan(
    _ inputs: [String], _ change: (inout RenditionRequest) -> Void
  ) throws -> Plan {
    let video = VideoEncoderSettings(size: PixelSize(width: 64, height: 36), frameRate: .thirty)
    var request = try RenditionRequest(
      inputs: inputs, output: OutputFormat(video: video))
    change(&request)
    return try request.plan()
  }

  private static func seconds(_ value: Double) -> MediaTime {
    MediaTime(nanoseconds: Int64(value * 1e9))
  }

  /// Returns a transcript with a word of 0.5 s at each of `times`.
  private static func words(_ times: [Double], by speaker: String? = nil) -> Transcript {
    Transcript(
      times.map { .init(speaker, from: seconds($0), to: seconds($0 + 0.5), "word at \($0)") })
  }

  /// Writes a recording of `length` seconds with a slow clock: its times grow by `factor`.
  private static func makeSound(
    _ folder: TemporaryFolder, _ name: String, _ length: Int, factor: String = "1"
  ) throws -> String {
    let path = folder.path(name)
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "sine=frequency=300:sample_rate=48000:d=\(length)", "-c:a", "libopus",
      "-b:a", "16k", "-bsf:a", "setts=pts=PTS*\(factor):dts=PTS*\(factor)", path,
    ])
    return path
  }

  @Test func wordsFollowOffsetAndFrom() throws {
    let folder = try TemporaryFolder()
    let (ada, ben) = (
      try Self.makeSound(folder, "ada.webm", 20), try Self.makeSound(folder, "ben.webm", 20)
    )
    let plan = try Self.plan([ada, ben]) { request in
      request.call.offsets = [PersonOffset(person: "ben", time: Self.seconds(2.5))]
      request.rendition.from = Self.seconds(4)
      request.rendition.to = Self.seconds(15)
      request.call.transcripts = [
        TranscriptInput(Self.words([1, 5, 14.8, 18]), name: "a", person: "ada"),
        TranscriptInput(Self.words([1, 5, 14]), name: "b", person: "ben"),
        TranscriptInput(Self.words([5], by: "ADA"), name: "c"),
        TranscriptInput(Self.words([0], by: "Cyd"), name: "d", start: Self.seconds(6)),
      ]
    }
    let lines = plan.transcript.lines.map { line in
      "\(line.speaker ?? "-") \(line.from)-\(line.to) \(line.text)"
    }
    // Opus has 6.5 ms before its first sample.
    let near = plan.transcript.lines.map {
      ($0.speaker ?? "-", ($0.from.seconds * 20).rounded() / 20)
    }
    #expect(
      near.map { "\($0.0) \($0.1)" } == [
        "ada 1.0", "ada 1.0", "Cyd 2.0", "ben 3.5", "ada 10.8",
      ], "\(lines)")
    // The last line ends with the output.
    #expect(plan.transcript.lines.last?.to == Self.seconds(11))
  }

  /// Some recognizers write words whose start equals their end.
  @Test(arguments: [nil, MediaTime(seconds: 0)])
  func wordsWithoutLengthKeepTheirTimes(_ start: MediaTime?) throws {
    let folder = try TemporaryFolder()
    let inputs = try ["ada.wav", "ben.wav"].map { name in
      let path = folder.path(name)
      try Tool.ffmpeg(["-f", "lavfi", "-i", "sine=frequency=300:sample_rate=48000:d=6", path])
      return path
    }
    var transcript = Self.words([1])
    transcript.lines[0].to = Self.seconds(4)
    transcript.lines[0].words = [(1.0, 1.5), (2.0, 2.0), (2.5, 3.0), (2.25, 2.25), (5, 5)].map {
      Transcript.Word("x", from: Self.seconds($0.0), to: Self.seconds($0.1))
    }
    let plan = try Self.plan(inputs) { request in
      request.call.transcripts = [
        TranscriptInput(transcript, name: "a", person: "ada", start: start)
      ]
      request.call.offsets = [PersonOffset(person: "ben", time: Self.seconds(1))]
    }
    let words = try #require(plan.lines.first).words
    let times = words.map { [$0.from, $0.to].map { (100 * $0.seconds).rounded() / 100 } }
    #expect(times == [[1, 1.5], [2, 2], [2.5, 3], [2.5, 2.5], [4, 4]])
  }

  /// A recorder with a slow clock delivers too few samples, so a recognizer's times are too early.
  @Test func wordsFollowDrift() throws {
    let folder = try TemporaryFolder()
    let ada = try Self.makeSound(folder, "ada.webm", 100, factor: "1.0019")
    let plan = try Self.plan([ada]) { request in
      request.call.transcripts = [
        TranscriptInput(Self.words([1, 50, 95]), name: "a", person: "1")
      ]
    }
    for (line, time) in zip(plan.transcript.lines, [1.0, 50.0, 95.0]) {
      #expect(abs(line.from.seconds - time * 1.0019) < 0.05, "\(line)")
    }
    #expect(plan.transcript.lines.count == 3)
  }

  /// Each recording of a person has its own clock: a file's name refers to that file.
  @Test func eachFileHasItsOwnClock() throws {
    let folder = try TemporaryFolder()
    _ = try Self.makeSound(folder, "one.webm", 4)
    _ = try Self.makeSound(folder, "two.webm", 4)
    let session = """
      version: 1
      trim-idle: true
      participants:
        - id: ada
          tracks: [{ file: one.webm }, { file: two.webm, start: 30, in: 1 }]
      transcripts:
        - { file: a.vtt, participant: ada }
        - { file: b.vtt, start: 30 }
      """
    let path = folder.path("session.yaml")
    try Data(session.utf8).write(to: URL(fileURLWithPath: path))
    let text = "WEBVTT\n\n00:02.000 --> 00:03.000\n"
    try Data("\(text)<v Ada>own\n".utf8).write(to: URL(fileURLWithPath: folder.path("a.vtt")))
    try Data("\(text)<v Ada>call\n".utf8).write(to: URL(fileURLWithPath: folder.path("b.vtt")))
    // Between the parts 26 s are missing; the single stretch goes from 4 s to 30 s.
    let own = try Self.plan([path]) { _ in }.transcript.lines
    #expect(own.map(\.text) == ["own", "call"])
    #expect(abs(own[0].from.seconds - 2) < 0.05 && abs(own[1].from.seconds - 6) < 0.05, "\(own)")
    let second = try Self.plan([path]) { request in
      request.call.transcripts = [
        TranscriptInput(Self.words([2]), name: "t", person: "two"),
        TranscriptInput(Self.words([2]), name: "u", person: "one.webm"),
      ]
    }.transcript.lines
    #expect(second.map { ($0.from.seconds * 20).rounded() / 20 } == [2, 5], "\(second)")
  }

  /// The times of a transcript of all files of a person count across these files.
  @Test func wordsContinueAcrossAPersonsFiles() throws {
    let folder = try TemporaryFolder()
    let inputs = try ["ben-1.wav", "ben-2.wav"].map { name in
      let path = folder.path(name)
      try Tool.ffmpeg(["-f", "lavfi", "-i", "sine=frequency=300:sample_rate=48000:d=6", path])
      return path
    }
    func lines(_ times: [Double], of person: String) throws -> (starts: [Double], Plan) {
      let plan = try Self.plan(inputs) { request in
        request.call.transcripts = [TranscriptInput(Self.words(times), name: "t", person: person)]
      }
      return (plan.transcript.lines.map { ($0.from.seconds * 100).rounded() / 100 }, plan)
    }
    #expect(try lines([1, 5, 7, 11], of: "ben").starts == [1, 5, 7, 11])
    #expect(try lines([1, 5], of: "ben/2").starts == [7, 11])
    #expect(try lines([1], of: "ben-1").starts == [1])
    let (starts, plan) = try lines([1, 13, 14], of: "ben")
    #expect(starts == [1])
    #expect(plan.notes.contains { $0.hasPrefix("2 of 3 lines of t are outside") }, "\(plan.notes)")
    #expect {
      _ = try lines([1], of: "ben/3")
    } throws: { error in
      "\(error)".contains("ben has 2 files with sound; give a number from 1 to 2")
    }
  }

  /// The words of excluded people are removed, whatever transcript has them.
  @Test func wordsOfExcludedPeopleAreRemoved() throws {
    let folder = try TemporaryFolder()
    let inputs = try ["ada.webm", "ben.webm", "cyd.webm"].map { name in
      try Self.makeSound(folder, name, 4)
    }
    let transcript = Transcript(
      ["ada", "Ben", "cyd", "Dora", nil].enumerated().map { index, speaker in
        .init(speaker, from: Self.seconds(0.1 * Double(index)), to: Self.seconds(3), "x")
      })
    func speakers(_ change: (inout RenditionRequest) -> Void) throws -> [String] {
      let plan = try Self.plan(inputs) { request in
        request.call.transcripts = [TranscriptInput(transcript, name: "t")]
        change(&request)
      }
      let lines = plan.transcript.lines
      #expect(lines.count == 5 || plan.notes.contains { $0.contains("of t are left out") })
      return lines.map { $0.speaker ?? "-" }
    }
    #expect(try speakers { _ in } == ["ada", "ben", "cyd", "Dora", "-"])
    #expect(try speakers { $0.rendition.excluded = ["ben"] } == ["ada", "cyd", "Dora"])
    #expect(try speakers { $0.rendition.only = ["ada"] } == ["ada"])
    #expect(try speakers { $0.rendition.excludedSound = ["ben"] } == ["ada", "cyd", "Dora", "-"])
  }

  @Test func unknownNamesAreErrors() throws {
    let folder = try TemporaryFolder()
    let ada = try Self.makeSound(folder, "ada.webm", 2)
    #expect {
      _ = try Self.plan([ada]) { request in
        request.call.transcripts = [TranscriptInput(Transcript(), name: "t", person: "Zoe")]
      }
    } throws: { error in
      (error as? RenderError)?.commandLine.contains("--transcript \"Zoe\" matches no participant")
        == true
    }
  }

  /// A request for captions without words is an error, and captions name the speaker.
  @Test func captionsAreMadeOfTheTranscript() throws {
    let folder = try TemporaryFolder()
    let ada = try Self.makeSound(folder, "ada.webm", 4)
    let plan = try Self.plan([ada]) { request in
      request.call.transcripts = [TranscriptInput(Self.words([1]), name: "a", person: "ada")]
      request.rendition.captionTracks = [.transcript(language: "eng")]
      request.rendition.overlays.drawsTranscript = true
    }
    #expect(plan.output.captions.first?.cues.map(\.text) == ["ada: word at 1.0"])
    #expect(plan.look.overlays.count == 1)
    let silent = try Self.plan([ada]) { $0.call.wantsTranscript = true }
    #expect(silent.notes.contains { $0.hasPrefix("the call has no transcript") })
    let error = #expect(throws: RenderError.self) {
      try Self.plan([ada]) { $0.rendition.captionTracks = [.transcript()] }
    }
    #expect(error?.message.hasPrefix("the call has no transcript to show") == true)
  }
}
