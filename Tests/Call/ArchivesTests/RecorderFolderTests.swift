import TesseraArchives
import TesseraRecordings
import TestSupport
import Testing

/// The format of every recorder's folder is detected.
@Suite(.timed) struct RecorderFolderTests {
  private static let expected: [String: [String]] = [
    "agora": ["41 microphone 0.000", "41 camera 0.000", "42 camera 1.100"],
    "agora-segments": [
      "ada microphone 0.000", "ada camera 0.000", "ben microphone 1.000", "ben camera 1.000",
      "cyd microphone 0.500", "cyd camera 0.500", "screen camera 2.000",
    ],
    "barc": ["Ada camera 0.000", "Ben camera 0.500", "Screen still 3.000"],
    "chime": ["Ada camera 0.400", "Ben camera 1.500", "Everyone microphone 0.000"],
    "craig": [
      "Ada Lovelace microphone 0.000", "ben microphone 0.000", "cyd microphone 0.000",
    ],
    "daily": [
      "Ada microphone 0.400", "Ada camera 0.400", "Ben microphone 1.500", "Ben camera 1.500",
    ],
    "files": [
      "ada camera 0.000", "ada microphone 0.000", "ada screen 0.000", "ben camera 0.000",
      "ben camera after", "cyd media 0.000",
    ],
    "ivs": [
      "ada camera 0.000", "ben camera 1.000", "ben camera 4.000", "cyd camera 0.500",
      "screen camera 2.000",
    ],
    "janus": [
      "41 microphone 0.000", "41 camera 0.000", "42 microphone 1.100", "42 camera 1.100",
    ],
    "jitsi": [
      "0a1b2c3d microphone 0.000", "0a1b2c3d microphone 0.000", "4e5f6a7b microphone 0.000",
    ],
    "livekit": [
      "ada microphone 0.000", "ada camera 0.050", "ben camera 1.650", "ben screen 2.650",
    ],
    "livekit-files": [
      "ada media 0.000", "ben media 1.000", "ben media 4.000", "cyd media 0.500",
      "screen screen 2.000",
    ],
    "livekit-segments": [
      "ada camera 0.000", "ben camera 1.000", "ben camera 4.000", "cyd camera 0.500",
      "screen screen 2.000",
    ],
    "openvidu": ["Ada camera 0.000", "Ada screen 2.000", "Ben camera 1.000"],
    "recall": [
      "Ada microphone 0.000", "Ada camera 0.000", "Ben microphone 1.000", "Ben camera 1.000",
      "Ben microphone 4.000", "Ben camera 4.000", "Cyd microphone 0.500", "Cyd camera 0.500",
      "Screen screen 2.000",
    ],
    "riverside": [
      "Ada camera 0.000", "Ada microphone 0.000", "Ben camera 0.000", "Ben microphone 0.000",
    ],
    "session": [
      "Ada Lovelace camera 0.000", "Ben camera 0.500", "Ben camera 4.000", "Slides screen 3.000",
    ],
    "sora": ["ADA camera 0.000", "BEN camera 1.000", "BEN camera 3.500"],
    "standing": [
      "ada camera 0.000", "ben camera 0.000", "ben microphone 0.000", "cyd camera 0.000",
      "cyd camera 5.000", "slides screen 0.000",
    ],
    "trtc": [
      "ada microphone 0.000", "ada camera 0.000", "ada screen 2.000", "cyd microphone 0.500",
      "cyd camera 0.500", "ben microphone 1.000", "ben camera 1.000",
    ],
    "twilio": ["ada microphone 0.000", "ada camera 0.000", "ben camera 1.500"],
    "videosdk": ["Ada camera 0.000", "Ada camera after", "Ben camera 1.100", "Ben camera after"],
    "vonage": ["Ada camera 0.000", "Ben camera 1.000", "Ben camera 4.000", "Screen screen 2.000"],
    "vonage.zip": [
      "Ada camera 0.000", "Ben camera 1.000", "Ben camera 4.000", "Screen screen 2.000",
    ],
    "zoom": ["Screen screen 2.000", "Ada microphone 0.000", "Ben microphone 1.000"],
    "zoom-local": ["Everyone media 0.000"],
  ]

  /// Returns the stream facts of a container, which only Jitsi's importer requests here.
  private static func streams(_ path: String) -> [RecordingSource.StreamHeader]? {
    guard path.hasSuffix("recording.mka") else { return nil }
    return ["0a1b2c3d-101", "4e5f6a7b-202", "0a1b2c3d-101"].enumerated().map {
      RecordingSource.StreamHeader($0, .audio, tags: ["title": $1])
    }
  }

  @Test(arguments: RecordingFolders.formats) func formatIsDetected(format: String) throws {
    let (path, folder) = (try RecordingFolders.path(format), try TemporaryFolder())
    let unpacked =
      CallInputFiles.isArchive(path)
      ? (folder: folder.path, notes: try ZipArchive(path).unpack(into: folder.path).notes) : nil
    var source = try CallInputFiles([path], unpacked: unpacked)
    for (index, path) in source.matroskaFiles {
      source.recording.files[index].streams = Self.streams(path)
    }
    let recording = try ImporterRegistry.recording(from: source.recording)
    let lines = recording.participants.flatMap { person in
      person.tracks.map {
        "\(person.name) \($0.kind.rawValue) \($0.follows == nil ? "\($0.start)" : "after")"
      }
    }
    #expect(lines == Self.expected[format])
    let files = Set(source.recording.files.map(\.path))
    #expect(recording.participants.flatMap(\.tracks).allSatisfy { files.contains($0.file) })
    let document = SessionFile.document(recording)
    #expect(
      try SessionFile.recording(from: document, file: "session.yaml") == recording)
  }
}
