import Foundation
import PlanningSupport
import TesseraCaptions
import TesseraCodecs
import TesseraExport
import TesseraLettering
import TesseraPixels
import TesseraPlan
import TesseraRecordings
import TesseraRequest
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraPlanning
@testable import TesseraRendering

/// Struck words are cut, or muted while another person is heard.
///
/// Each word has its own tone, which identifies it in the mix.
@Suite("Struck words", .timed) struct WordCutTests {
  private struct Spoken {
    var text: String
    var start: Double
    var tone: Double
    var length = 0.3
  }

  private static let ada = [
    Spoken(text: "So", start: 1, tone: 500), Spoken(text: "um", start: 1.4, tone: 630),
    Spoken(text: "this", start: 1.8, tone: 760), Spoken(text: "is", start: 2.2, tone: 890),
    Spoken(text: "what", start: 2.6, tone: 1020), Spoken(text: "we", start: 3, tone: 1150),
    Spoken(text: "talked", start: 3.4, tone: 1280), Spoken(text: "about", start: 3.8, tone: 1410),
  ]
  private static let ben = [
    // While Ada says `what`.
    Spoken(text: "Yes", start: 2.55, tone: 2100, length: 0.45),
    Spoken(text: "Well", start: 6, tone: 2230), Spoken(text: "er", start: 6.4, tone: 2360),
    Spoken(text: "no", start: 6.8, tone: 2490),
  ]
  private static let length = 9

  /// Writes a recording of `words`, changed by `shape`, and returns a recognizer's transcript of it.
  private static func make(
    _ words: [Spoken], _ folder: TemporaryFolder, _ name: String,
    shape: (String) -> String = { $0 }
  ) throws -> TranscriptInput {
    let tones = words.map {
      "between(t,\($0.start),\($0.start + $0.length))*0.2*sin(2*PI*\($0.tone)*(t-\($0.start)))"
    }.joined(separator: "+")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i",
      "aevalsrc='\(shape(tones))':s=48000:d=\(length)",
      "-c:a", "pcm_s16le", folder.path("\(name).wav"),
    ])
    var line = Transcript.Line(
      nil, from: time(words[0].start), to: time((words.last?.start ?? 0) + 0.5),
      words.map(\.text).joined(separator: " "))
    line.words = words.map {
      Transcript.Word($0.text, from: time($0.start), to: time($0.start + $0.length))
    }
    return TranscriptInput(Transcript([line]), name: name, person: name)
  }

  private static func time(_ seconds: Double) -> MediaTime {
    MediaTime(nanoseconds: Int64((seconds * 1e9).rounded()))
  }

  private struct Call {
    let folder: TemporaryFolder
    var request: RenditionRequest
  }

  private static let call = Result { () throws -> Call in try makeCall(ada) }

  private static func makeCall(
    _ ada: [Spoken], shape: (String) -> String = { $0 }
  ) throws -> Call {
    let folder = try TemporaryFolder()
    let transcripts = [
      try make(ada, folder, "ada", shape: shape), try make(ben, folder, "ben"),
    ]
    let video = VideoEncoderSettings(size: PixelSize(width: 64, height: 36), frameRate: .thirty)
    var request = try RenditionRequest(
      inputs: ["ada", "ben"].map { folder.path("\($0).wav") }, output: OutputFormat(video: video))
    request.call.transcripts = transcripts
    return Call(folder: folder, request: request)
  }

  /// Returns the plan in which `words` are struck from the transcript.
  private static func plan(striking words: [String]) throws -> Plan {
    var request = try call.get().request
    var text = try request.plan().editableTranscript.markdown(title: nil, isEditable: true)
    for word in words { text = text.replacing(word, with: "~~\(word)~~") }
    request.rendition.transcriptEdits = [try EditedTranscript(Array(text.utf8), name: "call.md")]
    return try request.plan()
  }

  /// Returns the mono mix of the output.
  private static func mix(_ plan: Plan) throws -> [Float] {
    let rate = plan.output.video.frameRate
    var soundtrack = Soundtrack(
      plan.voices.map(\.source),
      sampleCount: rate.sample(ofFrame: plan.frameCount, sampleRate: Soundtrack.sampleRate),
      splices: SampleSelection(plan.cut, at: rate), cancellation: Cancellation())
    var (samples, block) = ([Float](), [Float]())
    while try soundtrack.next(into: &block) {
      for index in stride(from: 0, to: block.count, by: 2) { samples.append(block[index]) }
    }
    return samples
  }

  /// Returns the energy of each word's tone, in windows of 50 ms.
  private static func energies(_ samples: [Float]) -> [String: Double] {
    var energies: [String: Double] = [:]
    for word in ada + ben {
      var sum = 0.0
      // Goertzel's algorithm.
      let factor = 2 * cos(2 * Double.pi * word.tone / 48_000)
      for first in stride(from: 0, to: samples.count - 2400, by: 2400) {
        var (last, before) = (0.0, 0.0)
        for sample in samples[first..<first + 2400] {
          (last, before) = (Double(sample) + factor * last - before, last)
        }
        sum += last * last + before * before - factor * last * before
      }
      energies[word.text] = sum
    }
    return energies
  }

  @Test("Struck words are absent, and all others are as loud as before")
  func energy() throws {
    let plan = try Self.plan(striking: ["um", "talked", "er"])
    let (whole, cut) = (
      Self.energies(try Self.mix(try Self.call.get().request.plan())),
      Self.energies(try Self.mix(plan))
    )
    for word in Self.ada + Self.ben {
      let part = try #require(cut[word.text]) / #require(whole[word.text])
      let isStruck = ["um", "talked", "er"].contains(word.text)
      #expect(isStruck ? part < 0.03 : part > 0.97, "\(word.text) \(part)")
    }
    #expect(plan.mutes.isEmpty)
    #expect(plan.removals.map(\.reason) == ["“um”", "“talked”", "“er”"])
    for (removal, start) in zip(plan.removals, [1.4, 3.4, 6.4]) {
      #expect(abs(removal.interval.start.seconds - start) < 0.1, "\(removal)")
      #expect(abs(removal.interval.duration.seconds - 0.35) < 0.12, "\(removal)")
    }
    #expect(plan.transcript.lines.map(\.text) == ["So this is what we about", "Yes Well no"])
  }

  @Test("A short word that is silent in the middle is cut whole")
  func silentMiddle() throws {
    let words = [
      Spoken(text: "So", start: 1, tone: 500, length: 0.35),
      Spoken(text: "um", start: 1.4, tone: 630, length: 0.2),
      Spoken(text: "this", start: 1.65, tone: 760),
    ]
    // Only the middle of `um` is quieter than the hum between the words.
    let call = try Self.makeCall(words) {
      "not(between(t,1.46,1.54))*(\($0)+0.001*sin(2*PI*3000*t))"
    }
    var request = call.request
    let whole = Self.energies(try Self.mix(try request.plan()))
    request.rendition.fillers = ["um"]
    let plan = try request.plan()
    let cut = Self.energies(try Self.mix(plan))
    #expect(try #require(cut["um"]) / #require(whole["um"]) < 0.1)
    #expect(plan.mutes.isEmpty && plan.removals.map(\.reason) == ["“um”"])
    let removal = try #require(plan.removals.first)
    #expect(removal.interval.duration.seconds > 0.15, "\(removal)")
  }

  @Test("A word struck while another person speaks is muted in its own voice")
  func muted() throws {
    let plan = try Self.plan(striking: ["what"])
    #expect(plan.cut.count == plan.frameCount && plan.removals.isEmpty, "\(plan.removals)")
    let mute = try #require(plan.mutes.first)
    #expect(plan.mutes.count == 1 && plan.participants.first?.id == mute.participant)
    let (whole, cut) = (
      Self.energies(try Self.mix(try Self.call.get().request.plan())),
      Self.energies(try Self.mix(plan))
    )
    for word in Self.ada + Self.ben {
      let part = try #require(cut[word.text]) / #require(whole[word.text])
      #expect(word.text == "what" ? part < 0.03 : part > 0.97, "\(word.text) \(part)")
    }
    #expect(plan.transcript.lines[0].text == "So um this is we talked about")
  }

  @Test("Overlapping struck words of two people are all cut")
  func both() throws {
    let plan = try Self.plan(striking: ["is what we", "Yes"])
    let cut = Self.energies(try Self.mix(plan))
    let whole = Self.energies(try Self.mix(try Self.call.get().request.plan()))
    for word in ["is", "what", "we", "Yes"] {
      #expect(try #require(cut[word]) / #require(whole[word]) < 0.03, "\(word)")
    }
    #expect(plan.mutes.isEmpty && plan.cut.count < plan.frameCount - 30)
  }

  @Test("Fillers are cut everywhere, and the file that edit writes has the same effect")
  func fillers() throws {
    var request = try Self.call.get().request
    request.rendition.fillers = ["um", "er"]
    let plan = try request.plan()
    #expect(plan.removals.map(\.reason) == ["“um”", "“er”"])
    let written = plan.editableTranscript.markdown(title: nil, isEditable: true)
    #expect(written.contains("So ~~um~~ this") && written.contains("~~er~~ no"), "\(written)")
    request.rendition.fillers = []
    request.rendition.transcriptEdits = [try EditedTranscript(Array(written.utf8), name: "call.md")]
    #expect(try request.plan().cut == plan.cut)
    var edits = EditList()
    edits.cut = plan.removals.map {
      EditList.EditedRange(from: $0.interval.start, to: $0.interval.end)
    }
    request.rendition.transcriptEdits = []
    request.rendition.cut = edits.list
    #expect(try request.plan().cut == plan.cut)
  }

  @Test("Mutes of one person in an edit file")
  func mutes() throws {
    var request = try Self.call.get().request
    request.rendition.mutes = [
      EditList.MutedRange("ada", EditList.EditedRange(from: Self.time(2.5), to: Self.time(2.95)))
    ]
    let plan = try request.plan()
    request.rendition.mutes[0].person = "adda"
    request.rendition.mutes[0].file = "edits.yaml"
    let wrong = request
    let error = #expect(throws: RenderError.self) { try wrong.plan() }
    #expect(
      error?.message == "edits.yaml: mute: \"adda\" matches no participant: did you mean ada?")
    let cut = Self.energies(try Self.mix(plan))
    let whole = Self.energies(try Self.mix(try Self.call.get().request.plan()))
    #expect(try #require(cut["what"]) / #require(whole["what"]) < 0.03)
    #expect(try #require(cut["Yes"]) / #require(whole["Yes"]) > 0.99)
  }

  @Test("Muted words are absent from captions, transcript, page and project")
  func mutedWords() throws {
    var request = try Self.call.get().request
    request.rendition.mutes = [
      EditList.MutedRange("ada", EditList.EditedRange(from: Self.time(2.5), to: Self.time(2.95)))
    ]
    request.rendition.captionTracks = [.transcript()]
    request.call.wantsTurns = true
    let plan = try request.plan()
    let (heard, said) = ("So um this is we talked about", "So um this is what we talked about")
    #expect(plan.transcript.lines.first?.text == heard)
    #expect(plan.transcriptMarkdown.contains(heard))
    #expect(plan.output.captions[0].cues.contains { $0.text.contains(heard) })
    let words = plan.shownWords(coloring: false, pieces: { [$0] }).flatMap(\.group.parts)
    #expect(!words.contains { $0.text == "what" } && words.contains { $0.text == "Yes" })
    // The editable transcript strikes only words that are cut.
    #expect(plan.editableTranscript.markdown(title: nil).contains(said))
    let record = CallActivity(plan, hasPictures: false)
    #expect(record.lines.map(\.text).contains(heard))
    let ada = try #require(record.people.first { $0.name == "ada" })
    for spans in [ada.speaking, ada.microphone] {
      #expect(!spans.contains { $0.start < 2.7 && 2.7 < $0.end }, "\(spans)")
    }
    let sounds = EditorProject(plan, name: "x").tracks.filter { $0.kind == .sound }
    #expect(
      sounds.map { track in !track.clips.contains { $0.frames.contains(81) } } == [true, false])
    // A line without word times disappears if it is muted completely.
    request.call.transcripts[0].transcript.lines[0].words = []
    #expect(try request.plan().transcript.lines.count == 2)
    request.rendition.mutes[0] = EditList.MutedRange(
      "ada", EditList.EditedRange(from: nil, to: Self.time(5)))
    #expect(try request.plan().transcript.lines.map(\.text) == ["Yes Well er no"])
  }

  @Test("Words of unknown speakers are cut while nobody else speaks")
  func unknownSpeakers() throws {
    var request = try Self.call.get().request
    var line = try #require(request.call.transcripts.first?.transcript.lines.first)
    line.speaker = "SPEAKER_00"
    request.call.transcripts = [TranscriptInput(Transcript([line]), name: "t.json")]
    request.rendition.fillers = ["um", "what"]
    let plan = try request.plan()
    #expect(plan.removals.first?.reason == "“um”" && plan.mutes.isEmpty)
    let (whole, cut) = (
      Self.energies(try Self.mix(try Self.call.get().request.plan())),
      Self.energies(try Self.mix(plan))
    )
    for (word, isGone) in [("um", true), ("this", false), ("Yes", false)] {
      let part = try #require(cut[word]) / #require(whole[word])
      #expect(isGone ? part < 0.03 : part > 0.97, "\(word) \(part)")
    }
    // Ben says `Yes` during `what`.
    #expect(
      plan.notes.contains {
        $0.hasPrefix("1 struck word is still heard") && $0.contains("“what” at 0:02.")
      })
    #expect(plan.transcript.lines[0].text == "So this is what we talked about")
  }

  @Test("Two edited transcripts both take effect")
  func twoEdits() throws {
    var request = try Self.call.get().request
    let text = try request.plan().editableTranscript.markdown(title: nil, isEditable: true)
    request.rendition.transcriptEdits = try [
      text.replacing("talked", with: "TALKED!").replacing("um", with: ""),
      text.replacing("about", with: "abuot").replacing("er", with: "~~er~~"),
    ].map { try EditedTranscript(Array($0.utf8), name: "call.md") }
    let plan = try request.plan()
    #expect(
      plan.transcript.lines.map(\.text) == ["So this is what we TALKED! abuot", "Yes Well no"])
  }

  @Test("Fillers in lines without word times are noted, not struck")
  func untimedFillers() throws {
    var request = try Self.call.get().request
    request.rendition.fillers = ["um", "er"]
    request.call.transcripts[0].transcript.lines[0].words = []
    let some = try request.plan()
    #expect(some.notes.contains { $0.hasPrefix("--without-fillers cuts nothing in 1 lines") })
    #expect(some.removals.map(\.reason) == ["“er”"])
    request.call.transcripts[1].transcript.lines[0].words = []
    let none = try request.plan()
    #expect(none.removals.isEmpty)
    #expect(
      none.notes.contains {
        $0.hasPrefix("--without-fillers cuts nothing: no transcript has times")
          && $0.contains("JSON")
          && $0.contains("--transcriber")
      })
  }

  /// Writes a program that replaces a recognizer: it reports one word at the beginning of each
  /// voice.
  private static func recognizer(_ folder: TemporaryFolder) throws -> Transcriber {
    let path = folder.path("recognize")
    let script = """
      #!/bin/sh
      echo "$1" >> '\(folder.path("calls"))'
      cp "$1" '\(folder.path("voice"))'$(wc -l < '\(folder.path("calls"))' | tr -d ' ').wav
      printf '{"segments": [{"start": 0.25, "end": 0.55, "text": "hello", "words": [
        {"word": "hello", "start": 0.25, "end": 0.55}]}]}' > "$2.json"
      """
    try Data(script.utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return try #require(Transcriber("'\(path)' {wav} {out}"))
  }

  @Test("A recognizer receives each voice alone, and once")
  func recognized() throws {
    let folder = try TemporaryFolder()
    var request = try Self.call.get().request
    request.call.transcripts = []
    request.call.transcriber = try Self.recognizer(folder)
    request.call.cache = ScanCache(folder.path("cache"), build: "test")
    let plan = try request.plan()
    #expect(plan.lines.map(\.text) == ["hello", "hello"])
    for (line, start) in zip(plan.lines, [1, 2.55]) {
      #expect(abs(line.interval.start.seconds - start) < 0.06, "\(line)")
      #expect(line.words.count == 1 && line.words[0].to == line.interval.end)
    }
    #expect(try request.plan().lines == plan.lines)
    let calls = try String(contentsOfFile: folder.path("calls"), encoding: .utf8)
    #expect(calls.split(separator: "\n").count == 2)
    // The voice's file has its words without the pauses between sentences: Ben says 2.8 s of 9.
    let facts = try Tool.run(
      "ffprobe",
      [
        "-v", "error", "-show_entries", "stream=sample_rate,channels,duration", "-of", "csv=p=0",
        folder.path("voice2.wav"),
      ])
    let fields = facts.text.split { ",\n".contains($0) }
    #expect(fields.prefix(2) == ["16000", "1"])
    let length = try #require(fields.last.flatMap { Double($0) })
    #expect(length < 4.2, "\(facts.text)")
    // Voices with words from files are not recognized.
    request.call.transcripts = [try Self.call.get().request.call.transcripts[0]]
    request.call.cache = nil
    let both = [Self.ada.map(\.text).joined(separator: " "), "hello"]
    #expect(try request.plan().lines.map(\.text) == both)
    // Nor are speakers whom a transcript of the whole call names.
    request.call.transcripts[0].person = nil
    request.call.transcripts[0].transcript.lines[0].speaker = "ADA"
    #expect(try request.plan().lines.map(\.text) == both)
  }

  @Test(
    "A recognizer's failures are reported as errors",
    arguments: [
      ("false {wav}", "ended with exit code 1"), ("/nowhere {wav}", "cannot start /nowhere"),
      ("true {wav}", "wrote nothing for ada"), ("echo {wav}", "not a transcript"),
      ("sh -c 'echo why >&2; kill -9 $$' {wav}", "ended by signal 9 for ada: why"),
    ])
  func recognizersErrors(_ command: String, _ sentence: String) throws {
    var request = try Self.call.get().request
    request.call.transcripts = []
    let transcriber: Transcriber = try #require(Transcriber(command))
    request.call.transcriber = transcriber
    let error = #expect(throws: RenderError.self) { try request.plan() }
    #expect(error?.description.contains(sentence) == true, "\(String(describing: error))")
  }

  @Test(
    "A program that names {out} may write to standard output, and one that names {dir} beside the voice",
    arguments: [("{out}", ""), ("{dir}", #" > "$2/$(basename "$1" .wav).vtt""#)])
  func results(_ placeholder: String, _ redirection: String) throws {
    let folder = try TemporaryFolder()
    var request = try Self.call.get().request
    request.call.transcripts = []
    let path = folder.path("recognize")
    let script =
      "#!/bin/sh\nprintf 'WEBVTT\\n\\n00:00.300 --> 00:00.500\\nhello\\n'\(redirection)\n"
    try Data(script.utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    let transcriber: Transcriber = try #require(Transcriber("'\(path)' {wav} \(placeholder)"))
    request.call.transcriber = transcriber
    #expect(try request.plan().lines.map(\.text) == ["hello", "hello"])
  }

  @Test func commands() throws {
    let text = #"a 'b c' "d\"e" f\ g x'{wav}'y """#
    #expect(Transcriber(text)?.words == ["a", "b c", "d\"e", "f g", "x{wav}y", ""])
    for text in ["", "a", "a b", "{wav}", "a '{wav}", "a {wav}\\"] {
      #expect(Transcriber(text) == nil)
    }
  }

  @Test("Times in a voice's file map to times of the call")
  func waves() {
    let wave = SpeechWaveFile(
      said: [(1, 2), (2.3, 3), (8, 9)].map {
        TimeRange(start: Self.time($0.0), end: Self.time($0.1))
      },
      heard: [TimeRange(start: .zero, end: Self.time(9.1))])
    #expect(wave.runs == [36_000..<156_000, 372_000..<436_800])
    for (file, call) in [
      (0, 0.75), (1, 1.75), (2.5, 3.25), (2.8, 3.25), (2.9, 7.75), (3.9, 8.75), (9, 9.1),
    ] {
      #expect(wave.call(Self.time(file)) == Self.time(call), "\(file)")
    }
  }

  @Test("Sounds without a word are found, and cut nothing")
  func candidates() throws {
    var request = try Self.call.get().request
    request.call.transcripts[1].transcript.lines[0].words.removeAll { $0.text != "Yes" }
    request.rendition.findsCandidates = true
    let plan = try request.plan()
    #expect(plan.cut.count == plan.frameCount)
    #expect(plan.maybe.allSatisfy { $0.reason == "a sound of ben without a word" })
  }

  @Test("Of two people speaking at once both count as speaking, whoever has the floor")
  func speech() throws {
    var request = try Self.call.get().request
    request.call.wantsTurns = true
    let plan = try request.plan()
    let (ada, ben) = (plan.participants[0], plan.participants[1])
    let yes = try #require(ben.speech.first)
    #expect(abs(yes.start.seconds - 2.55) < 0.2 && abs(yes.end.seconds - 3) < 0.3, "\(yes)")
    #expect(ada.speech.contains { $0.start < yes.start && yes.end < $0.end }, "\(ada.speech)")
    #expect(!plan.turns.contains { $0.participant == ben.id && $0.interval.start < yes.end })
    #expect(plan.turns.contains { $0.participant == ben.id })
  }
}
