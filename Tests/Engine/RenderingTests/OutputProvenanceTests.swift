import Foundation
import TestSupport
import Testing

@testable import TesseraRendering

@Suite("Provenance of an output", .timed) struct OutputProvenanceTests {
  private static let digest = String(repeating: "0f", count: 32)

  @Test(arguments: [false, true])
  func provenanceIsFoundInTheBytes(hasLosses: Bool) {
    let made = OutputProvenance(Self.digest, hasLosses: hasLosses)
    let bytes = Data([0, 1, 2]) + Data(made.text.utf8) + Data([0, 0xff])
    #expect(OutputProvenance(in: bytes) == made)
  }

  @Test(arguments: ["", "tessera-batch ", "tessera-batch 0123", "tessera-batch \u{0}\u{1}"])
  func otherTextsAreNoProvenance(text: String) throws {
    #expect(OutputProvenance(in: Data(text.utf8)) == nil)
    let folder = try TemporaryFolder()
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path("a.mp4")))
    #expect(
      OutputProvenance(of: folder.path("a.mp4")) == nil
        && OutputProvenance(of: folder.path("b")) == nil)
  }
}
