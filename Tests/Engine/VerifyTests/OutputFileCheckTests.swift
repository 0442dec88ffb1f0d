import Foundation
import TesseraCodecs
import TesseraDelivery
import TesseraLayout
import TesseraMessages
import TesseraPlanning
import TesseraProof
import TesseraRequest
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraVerify

/// Four seconds of a call, rendered once. The tests change the proof, not the file, to cause
/// deviations.
@Suite("A finished file against its proof", .timed) struct OutputFileCheckTests {
  private struct Rendered: Sendable {
    let folder: TemporaryFolder
    let path: String
    let proof: OutputProof
  }

  private static let rendered = Task {
    let folder = try TemporaryFolder()
    let fixture = SourceTree.path("Fixtures/call/session.yaml")
    let path = folder.path("call.mp4")
    var request = RenderRequest(fixture, to: path)
    request.outputDefaults.size = ProposedSize(width: 480, height: 270)
    (request.outputDefaults.from, request.outputDefaults.to) = (
      MediaTime(seconds: 8), MediaTime(seconds: 12)
    )
    request.sidecars.proof = path + ".proof"
    for try await _ in render(request) {}
    let data = try Data(contentsOf: URL(filePath: path + ".proof"))
    return Rendered(
      folder: folder, path: path, proof: try JSONDecoder().decode(OutputProof.self, from: data))
  }

  private func verdict(_ change: (inout OutputProof) -> Void = { _ in }) async throws
    -> VerificationReport
  {
    let rendered = try await Self.rendered.value
    var proof = rendered.proof
    change(&proof)
    return try #require(
      try OutputFileCheck.verdict(on: rendered.path, proof, cancellation: Cancellation()))
  }

  private func findings(
    _ subject: VerificationReport.Subject, _ change: (inout OutputProof) -> Void
  ) async throws -> [VerificationReport.Finding] {
    try await verdict(change).checks.first { $0.subject == subject }?.findings ?? []
  }

  @Test("A rendered file passes")
  func right() async throws {
    let verdict = try await verdict()
    #expect(verdict.hasPassed, "\(verdict.text)")
    #expect(verdict.checks.map(\.subject).contains(.people))
    let rendered = try await Self.rendered.value
    #expect(rendered.proof.pictures?.frameCount == 120)
    #expect(rendered.proof.pictures?.segments.map(\.count).reduce(0, +) == 120)
  }

  @Test("A copy passes too, and without a proof nothing deviates")
  func copy() async throws {
    let rendered = try await Self.rendered.value
    let plain = try #require(
      try OutputFileCheck.verdict(on: rendered.path, nil, cancellation: Cancellation()))
    #expect(plain.hasPassed && !plain.isProven, "\(plain.text)")
  }

  @Test(
    "Without a proof, the last picture lasts as long as the file says", arguments: ["mov", "mkv"])
  func lastPicture(format: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("slow.\(format)")
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=5:duration=2", "-f", "lavfi", "-i",
      "sine=sample_rate=48000:duration=2", "-c:v", "libx264", "-c:a", "pcm_s16le", path,
    ])
    let verdict = try #require(
      try OutputFileCheck.verdict(on: path, nil, cancellation: Cancellation()))
    let length = try #require(verdict.checks.first { $0.subject == .length })
    #expect(length.measured == "pictures 2.000 s, sound 2.000 s" && length.findings.isEmpty)
  }

  /// Rewrites all marks of a proof.
  private func rewrite(
    _ proof: inout OutputProof, _ change: (Int, inout CanvasMeasurements) -> Void
  ) {
    guard var pictures = proof.pictures else { return }
    for index in pictures.segments.indices {
      var (reader, writer) = (
        MeasurementReader(pictures.segments[index].marks), MeasurementWriter()
      )
      var number = pictures.segments[index].first
      while var marks = reader.next() {
        change(number, &marks)
        writer.append(marks)
        number += 1
      }
      pictures.segments[index].marks = writer.bytes
    }
    proof.pictures = pictures
  }

  @Test("Swapped tiles of two people are reported, with their names and times")
  func swapped() async throws {
    let found = try await findings(.people) { proof in
      rewrite(&proof) { number, marks in
        guard (30..<60).contains(number), marks.tiles.count > 1 else { return }
        let (first, second) = (0..<8, 8..<16)
        let cells = Array(marks.cells[first])
        marks.cells.replaceSubrange(first, with: marks.cells[second])
        marks.cells.replaceSubrange(second, with: cells)
      }
    }
    #expect(Set(found.compactMap(\.person)).count >= 2, "\(found)")
    #expect(found.allSatisfy { $0.text.commandLine.hasPrefix("the tile ") && $0.person != nil })
    #expect(found.contains { $0.text.commandLine.hasPrefix("the tile shows ") })
    #expect(found.allSatisfy { ($0.start ?? 0) > 0.9 && ($0.end ?? 0) < 2.1 })
  }

  @Test("A check of stretches reports only deviations inside them")
  func stretches() async throws {
    let rendered = try await Self.rendered.value
    func sentences(_ stretch: Range<Int>, _ change: (inout OutputProof) -> Void) throws -> [String]
    {
      var (proof, verdict) = (
        rendered.proof, VerificationReport(output: rendered.path, isProven: true)
      )
      change(&proof)
      let isWhole = try ExcerptCheck.look(
        at: [stretch], of: rendered.path, proof, origin: ExactTime(0, over: 1), &verdict,
        cancellation: Cancellation())
      #expect(isWhole)
      return verdict.sentences.map(\.commandLine)
    }
    for stretch in [0..<2, 1..<3, 2..<4] { #expect(try sentences(stretch) { _ in } == []) }
    func swap(_ proof: inout OutputProof) {
      rewrite(&proof) { number, marks in
        guard (30..<60).contains(number) else { return }
        marks.cells = marks.cells.map { 255 - $0 }
      }
    }
    let found = try sentences(0..<2, swap)
    #expect(
      !found.isEmpty && found.allSatisfy { ("0:00.5"..<"0:02.0").contains(String($0.prefix(6))) },
      "\(found)")
    #expect(try sentences(2..<4, swap) == [])
    let late = try sentences(2..<4) { proof in
      let levels = proof.sound?.levels ?? Data()
      proof.sound?.levels = Data(repeating: 0, count: 15) + levels
    }
    #expect(late.contains { $0.contains("ms too early") }, "\(late)")
    #expect(ExcerptCheck.stretches(2, of: MediaTime(seconds: 4)) == nil)
    let chosen = try #require(ExcerptCheck.stretches(3, of: MediaTime(seconds: 60)))
    #expect(
      chosen.count == 3 && Set(chosen).count == 3
        && chosen == chosen.sorted { $0.lowerBound < $1.lowerBound })
    #expect(chosen.allSatisfy { $0.count == 2 && $0.upperBound <= 60 })
  }

  @Test("Wrong luma, colors and unreadable names are reported")
  func canvas() async throws {
    let light = try await findings(.canvas) { proof in
      rewrite(&proof) { _, marks in
        guard var overview = marks.overview else { return }
        overview.luma = overview.luma.map { UInt8(min(255, max(0, (Int($0) - 16) * 255 / 219))) }
        overview.blue = overview.blue.map { $0 &+ 12 }
        marks.overview = overview
      }
    }
    #expect(
      Set(light.map(\.text)) == ["luma has another range", "colors differ"])
    let names = try await findings(.names) { proof in
      rewrite(&proof) { _, marks in
        guard var overview = marks.overview, overview.details.first ?? 0 > 0 else { return }
        overview.details[0] = 255
        marks.overview = overview
      }
    }
    #expect(names.contains { $0.text == "the name cannot be read" && $0.person != nil })
  }

  @Test("Missing frames and wrong chapters, titles and lengths are reported")
  func texts() async throws {
    let verdict = try await verdict { proof in
      proof.pictures?.frameCount = 130
      proof.duration = MediaTime(seconds: 5)
      proof.chapters.append(OutputProof.TimedText(start: 3000, text: "The end"))
      proof.title = "Another call"
    }
    let texts = Dictionary(
      uniqueKeysWithValues: verdict.checks.map { ($0.subject, $0.findings.map(\.text)) })
    #expect(texts[.frames] == ["10 frames are missing"])
    #expect(texts[.length]?.count == 2)
    #expect(texts[.chapters]?.contains("the chapter \"The end\" is missing") == true)
    #expect(texts[.chapters]?.count == 2)
  }

  @Test("In WebM with Opus, pictures and sound start together")
  func webm() async throws {
    let rendered = try await Self.rendered.value
    let fixture = SourceTree.path("Fixtures/call/session.yaml")
    let path = rendered.folder.path("call.webm")
    var request = RenderRequest(fixture, to: path)
    request.outputDefaults.size = ProposedSize(width: 160, height: 90)
    (request.outputDefaults.from, request.outputDefaults.to) = (
      MediaTime(seconds: 8), MediaTime(seconds: 9)
    )
    for try await _ in render(request) {}
    var playback = try FilePlayer.open(path, cancellation: Cancellation())
    var (picture, sound): (ExactTime?, Int64?)
    while let event = playback.next() {
      if case .picture(let time) = event { picture = picture ?? time }
      if case .sound(let place) = event { sound = sound ?? place }
    }
    #expect(picture == ExactTime(0, over: 1))
    #expect(abs(try #require(sound)) < 48)
  }

  @Test("A file with its index at the end, or a truncated file, is reported")
  func damaged() async throws {
    let rendered = try await Self.rendered.value
    let data = try Data(contentsOf: URL(filePath: rendered.path))
    let cut = rendered.folder.path("cut.mp4")
    try data.prefix(data.count * 2 / 3).write(to: URL(filePath: cut))
    let verdict = try #require(
      try OutputFileCheck.verdict(on: cut, rendered.proof, cancellation: Cancellation()))
    let frames = verdict.checks.first { $0.subject == .frames }
    #expect(frames?.findings.last?.text.commandLine.hasSuffix("frames are missing") == true)
    #expect(throws: MediaError.self) {
      _ = try OutputFileCheck.verdict(
        on: rendered.folder.path("none.mp4"), nil, cancellation: Cancellation())
    }
  }
}
