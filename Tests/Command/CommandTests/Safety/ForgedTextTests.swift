import Foundation
import TestSupport
import Testing

/// Text from recordings cannot forge lines or reverse neighboring text.
@Suite(.timed) struct ForgedTextTests {
  private static let name = "ada\u{202E}reversed\u{2066}\n  warning: forged\r\nstream 0"

  /// Writes a call of a participant with that name, whose recording has the name as its title.
  private static func call(_ folder: TemporaryFolder) throws -> String {
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=1", "-c:v", "libvpx", "-metadata",
      "title=\(name)", folder.path("a.webm"),
    ])
    let person: [String: Any] = [
      "id": "ada", "name": name, "tracks": [["file": "a.webm", "kind": "camera", "start": 0]],
    ]
    let session: [String: Any] = ["version": 1, "participants": [person]]
    let path = folder.path("session.json")
    try JSONSerialization.data(withJSONObject: session).write(to: URL(filePath: path))
    return path
  }

  private static func isClean(_ text: String) -> Bool {
    let lines = text.split(whereSeparator: \.isNewline)
    return !text.unicodeScalars.contains { (0x202a...0x2069).contains($0.value) }
      && !lines.contains { $0.hasPrefix("  warning: forged") || $0 == "stream 0" }
  }

  @Test func inspectEscapesControlCharacters() throws {
    let folder = try TemporaryFolder()
    let call = try Self.call(folder)
    for input in [call, folder.path("a.webm")] {
      let shown = try TesseraTool.run(["inspect", input])
      #expect(Self.isClean(shown.text + shown.messages), "\(shown.text)")
      #expect(shown.text.contains("\\u{202E}"))
      let data = try TesseraTool.run(["inspect", input, "--json"])
      #expect(Self.isClean(data.text) && data.text.contains("\\u202e"))
      #expect((try JSONSerialization.jsonObject(with: data.output) as? [Any])?.count == 1)
    }
  }

  @Test func drawingsContainNoControlCharacters() throws {
    let folder = try TemporaryFolder()
    let output = folder.path("call.svg")
    let result = try TesseraTool.run(["timeline", try Self.call(folder), "-o", output])
    #expect(result.status == 0, "\(result.messages)")
    #expect(Self.isClean(try String(contentsOfFile: output, encoding: .utf8)))
  }
}
