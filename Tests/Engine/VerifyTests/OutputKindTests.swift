import Foundation
import TesseraCodecs
import TesseraDelivery
import TesseraMessages
import TesseraPlanning
import TesseraProof
import TesseraRequest
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraVerify

/// Streams, thumbnails and posters, rendered once.
@Suite("Outputs other than a single video", .timed) struct OutputKindTests {
  private static let folder = Task {
    let folder = try TemporaryFolder()
    let fixture = SourceTree.path("Fixtures/call/session.yaml")
    var request = RenderRequest(fixture, to: folder.path("web/"))
    request.outputs[0].kind = .stream([180, 90])
    (request.outputDefaults.from, request.outputDefaults.to) = (
      MediaTime(seconds: 8), MediaTime(seconds: 15)
    )
    request.outputs.append(
      OutputRequest(folder.path("thumbs/"), .thumbnails(every: MediaTime(seconds: 1))))
    request.outputs.append(OutputRequest(folder.path("poster.jpg"), .poster(at: nil)))
    request.sidecars.proof = folder.path("web.proof")
    for try await _ in render(request) {}
    return folder
  }

  private func verdicts(_ path: String, proof: String? = nil) throws -> [VerificationReport] {
    try VerifyTask.tasks(for: path, proof: proof).map { task in
      let result = task.result(0, note: nil, without: [], cancellation: Cancellation())
      guard case .verdict(let verdict) = result else {
        throw Failure(words: "\(String(describing: result))")
      }
      return verdict
    }
  }

  private struct Failure: Error { var words: String }

  /// Returns a copy of the output `name` that a test may change.
  private func copy(_ name: String) async throws -> (TemporaryFolder, String) {
    let (from, to) = (try await Self.folder.value, try TemporaryFolder())
    try FileManager.default.copyItem(atPath: from.path(name), toPath: to.path(name))
    return (to, to.path(name))
  }

  @Test("Each size and the sound of a stream are compared with the composed call")
  func stream() async throws {
    let folder = try await Self.folder.value
    let found = try verdicts(folder.path("web/"), proof: folder.path("web.proof"))
    #expect(found.map(\.part) == ["180p", "90p", "audio"])
    #expect(found.allSatisfy { $0.hasPassed && $0.isProven }, "\(found.map(\.text))")
    #expect(found[1].checks.contains { $0.measured == "210 of 210 frames" })
    #expect(found[2].checks.contains { $0.subject == .place })
    #expect(
      try verdicts(folder.path("web/master.m3u8")).allSatisfy { $0.hasPassed && !$0.isProven })
  }

  @Test("A missing segment is reported, with the missing frames")
  func segment() async throws {
    let proof = try await Self.folder.value.path("web.proof")
    let (folder, web) = try await copy("web")
    try FileManager.default.removeItem(atPath: "\(web)/90p/00002.m4s")
    let found = try verdicts(web, proof: proof)
    #expect(found.map(\.hasPassed) == [true, false, true])
    #expect(
      found[1].sentences.map(\.commandLine).contains {
        $0.hasSuffix("the segment 00002.m4s is missing")
      })
    #expect(found[1].sentences.map(\.commandLine).contains { $0.hasSuffix(" frames are missing") })
    _ = folder
  }

  @Test("A segment of another size is reported")
  func otherSize() async throws {
    let proof = try await Self.folder.value.path("web.proof")
    let (folder, web) = try await copy("web")
    for name in ["init.mp4", "00001.m4s"] {
      try FileManager.default.removeItem(atPath: "\(web)/90p/\(name)")
      try FileManager.default.copyItem(atPath: "\(web)/180p/\(name)", toPath: "\(web)/90p/\(name)")
    }
    let found = try verdicts(web, proof: proof)
    #expect(!found[1].hasPassed)
    _ = folder
  }

  @Test("Thumbnails and posters are opened")
  func stills() async throws {
    let (folder, thumbs) = try await copy("thumbs")
    let whole = try verdicts(thumbs)
    #expect(whole.count == 1 && whole[0].hasPassed, "\(whole.map(\.text))")
    #expect(whole[0].checks.contains { $0.measured == "7 thumbnails in 1 pictures" })
    let poster = try await Self.folder.value.path("poster.jpg")
    #expect(try verdicts(poster).allSatisfy(\.hasPassed))

    let sheet = "\(thumbs)/sheet-001.jpg"
    let bytes = try Data(contentsOf: URL(filePath: sheet))
    try bytes.prefix(bytes.count / 2).write(to: URL(filePath: sheet))
    #expect(try !verdicts(thumbs)[0].hasPassed)

    try bytes.write(to: URL(filePath: sheet))
    let list = URL(filePath: "\(thumbs)/thumbnails.vtt")
    let text = String(decoding: try Data(contentsOf: list), as: UTF8.self)
    try Data(text.replacing("#xywh=0,0,", with: "#xywh=9000,0,").utf8).write(to: list)
    #expect(
      try verdicts(thumbs)[0].sentences.map(\.commandLine).contains { $0.hasSuffix("is outside") })
    try Data(
      text.replacing("00:00:03.000 --> 00:00:04.000", with: "00:00:03.500 --> 00:00:04.000").utf8
    )
    .write(to: list)
    #expect(
      try verdicts(thumbs)[0].sentences.map(\.commandLine).contains {
        $0.hasSuffix("no picture is named for this time")
      })
    _ = folder
  }
}
