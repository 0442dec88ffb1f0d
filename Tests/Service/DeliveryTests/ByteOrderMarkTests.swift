import Foundation
import TesseraCaptions
import TesseraDocuments
import TesseraLettering
import TesseraPlanning
import TesseraRecordings
import TesseraRequest
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraDelivery

/// Some editors write a byte order mark of three bytes before UTF-8 text.
@Suite("Byte order marks", .timed) struct ByteOrderMarkTests {
  struct Reader: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var text: String
    /// Parses the file and returns its content as text.
    var read: @Sendable ([UInt8]) throws -> String
  }

  static let readers = [
    Reader(testDescription: "call.md", text: "**Ada** [0:01.0]\n\nwords\n\n<!-- transcript 7 -->\n")
    {
      "\(try EditedTranscript($0, name: "call.md"))"
    },
    Reader(testDescription: "a transcript", text: "WEBVTT\n\n00:01.000 --> 00:02.000\nwords\n") {
      "\(try TranscriptFileReader($0, name: "t.vtt").transcript)"
    },
    Reader(testDescription: "a transcript in JSON", text: #"[{"start": 1, "end": 2, "text": "a"}]"#)
    {
      "\(try TranscriptFileReader($0, name: "t.json").transcript)"
    },
    Reader(testDescription: "captions", text: "1\n00:00:01,000 --> 00:00:02,000\nwords\n") {
      "\(try CaptionFileReader($0, name: "t.srt").cues)"
    },
    Reader(testDescription: "edits.yaml", text: "version: 1\ncut:\n  - { from: 1, to: 2 }\n") {
      "\(try EditList(DocumentValue($0, .yaml, file: "e.yaml"), file: "e.yaml"))"
    },
    Reader(testDescription: "edits in JSON", text: #"{"version": 1, "cut": [{"from": 1}]}"#) {
      "\(try EditList(DocumentValue($0, .yaml, file: "e.yaml"), file: "e.yaml"))"
    },
    Reader(testDescription: "a session", text: "version: 1\nparticipants: [{ id: ada }]\n") {
      "\(try SessionFile.recording(from: DocumentValue($0, .yaml, file: "s"), file: "s"))"
    },
    Reader(testDescription: "a theme", text: "base: light\ngap: 4\n") {
      "\(try Theme($0, file: "t.yaml"))"
    },
    Reader(testDescription: "chapters", text: "0:01 One\n0:02 Two\n") {
      "\(try ChapterFileReader($0, name: "c.txt").marks)"
    },
    Reader(testDescription: "a table", text: "from,to\n1,2\n") {
      "\(try CSVTable($0, file: "t.csv").rows)"
    },
    Reader(testDescription: "a playlist", text: "#EXTM3U\n#EXTINF:1,\na.ts\n") {
      "\(try #require(HLSPlaylist($0)))"
    },
    Reader(
      testDescription: "a layout",
      text: #"{"regions": [{"x": 0, "y": 0, "width": 1, "height": 1}]}"#
    ) {
      let folder = try TemporaryFolder()
      try Data($0).write(to: URL(fileURLWithPath: folder.path("l.json")))
      let read = Result { try LayoutOption.named(folder.path("l.json")).policy() }
      return "\(read)".replacing(folder.path(""), with: "")
    },
    Reader(testDescription: "secrets", text: "A=b\nC=d\n") {
      let folder = try TemporaryFolder()
      try Data($0).write(to: URL(fileURLWithPath: folder.path("secrets")))
      var execution = ExecutionOptions()
      execution.secrets = folder.path("secrets")
      return "\(try execution.readSecrets().variables.sorted { $0.key < $1.key })"
    },
  ]

  @Test("A file has the same content with and without a mark", arguments: readers)
  func mark(_ reader: Reader) throws {
    let bytes = Array(reader.text.utf8)
    let plain = try reader.read(bytes)
    #expect(try reader.read([0xef, 0xbb, 0xbf] + bytes) == plain)
    #expect(!plain.contains("\u{feff}"))
  }
}
