import Foundation
import TesseraArchives
import TesseraCaptions
import TesseraDocuments
import TesseraLayout
import TesseraRecordings
import TesseraTimeline

/// Parsers for recordings: documents, manifests, names, archives.
extension FuzzTarget {
  /// Reads a document; written and read again, it is equal.
  static func readDocument(_ bytes: [UInt8], _ syntax: DocumentValue.Syntax) {
    do throws(DocumentError) {
      let document = try DocumentValue(bytes, syntax, file: "input")
      let again = try? DocumentValue(document.json(), .json, file: "json")
      precondition(again?.json() == document.json(), "JSON reads otherwise than it was written")
      guard document.object != nil, document.json().utf8.count < 100_000 else { return }
      let yaml = try? DocumentValue(document.yaml, .yaml, file: "yaml")
      precondition(yaml?.json() == document.json(), "YAML reads otherwise than it was written")
    } catch {
      check(error)
    }
  }

  /// Reads a playlist; its files are in its folder, and its duration is not negative.
  static func readPlaylist(_ bytes: [UInt8]) {
    guard let list = HLSPlaylist(bytes) else { return }
    precondition(list.length >= .zero && list.segments.count <= HLSPlaylist.mostSegments)
    for segment in list.segments.prefix(100) {
      precondition(segment.bytes?.isEmpty != true)
      let path = HLSPlaylist.path(of: segment.uri, in: "call/list.m3u8") { _ in true }
      precondition(
        path?.utf8.starts(with: "call/".utf8) != false
          && path?.utf8.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("..".utf8) }
            != true
      )
    }
  }

  /// Reads a transcript; written as WebVTT, it has the same words.
  static func readTranscript(_ bytes: [UInt8]) {
    do throws(TranscriptError) {
      let transcript = try TranscriptFileReader(bytes, name: "input").transcript
      precondition(transcript.lines.allSatisfy { $0.from < $0.to && !$0.text.isEmpty })
      precondition(transcript.cues().allSatisfy { $0.from < $0.to })
      let again = try TranscriptFileReader(Array(transcript.webVTT.utf8), name: "again")
      precondition(again.notes.count <= 1, "\(again.notes)")
      precondition(again.transcript.lines.count <= transcript.lines.count)
      _ = transcript.plainText(title: nil) + transcript.markdown(title: "x")
    } catch {
      check(error)
    }
  }

  private static let media = [
    "s-ada.webm", "a.webm", "standup/camera-0.webm", "s1/p1/video/0001.webm", "archive-ADA.webm",
    "Audio only - Ada.m4a", "video/2025-10-09-08-53-20-400-id-ada.webm", "slide.png",
  ]

  static func source(_ files: [String: [UInt8]], media: [String]) -> RecordingSource {
    let listed =
      files.map { RecordingSource.File($0.key, size: $0.value.count) }
      + media.map { RecordingSource.File($0, size: 1) }
    return RecordingSource(name: "call", files: listed) { path throws(DocumentError) in
      files[path] ?? []
    }
  }

  static func readManifest(_ bytes: [UInt8]) {
    for name in ["m.json", "meeting-events/e.txt"] {
      read(source([name: bytes], media: media))
    }
  }

  static func read(_ source: RecordingSource) {
    do throws(DocumentError) {
      let recording = try ImporterRegistry.recording(from: source)
      checkRecording(recording)
      for track in recording.tracks {
        precondition(![".", ".."].contains(track.file))
        precondition(!track.file.isAbsolutePath && !track.file.pathParts.contains(".."), track.file)
      }
    } catch {
      check(error)
    }
  }

  /// Checks that a recording can be placed, and that its session file is equivalent.
  static func checkRecording(_ recording: Recording) {
    precondition(Set(recording.participants.map(\.id)).count == recording.participants.count)
    precondition(Set(recording.tracks.map(\.id)).count == recording.tracks.count)
    precondition(
      !recording.tracks.contains { $0.start < .zero || ($0.stop ?? .maximum) <= $0.start })
    let facts = TrackPlacementFacts(
      duration: MediaTime(seconds: 6), containerStart: MediaTime(seconds: 1))
    let all = Dictionary(
      recording.tracks.map { ($0.id, facts) }, uniquingKeysWith: { first, _ in first })
    for alignment in AlignmentMethod.allCases {
      let placed = recording.placed(all, alignment: alignment)
      precondition(!placed.tracks.contains { $0.start < .zero })
    }
    let document = SessionFile.document(recording)
    do throws(DocumentError) {
      let again = try SessionFile.recording(from: document, file: "session")
      precondition(again == recording, "the session file says something else")
    } catch {
      preconditionFailure("the session file is refused: \(error)")
    }
  }

  static func readSession(_ bytes: [UInt8]) {
    do throws(DocumentError) {
      let document = try DocumentValue(bytes, .yaml, file: "session.yaml")
      checkRecording(try SessionFile.recording(from: document, file: "session.yaml"))
    } catch {
      check(error)
    }
  }

  static func readPeople(_ bytes: [UInt8]) {
    let recording = Recording(participants: [Participant(id: "PA1"), Participant(id: "PA2")])
    for file in ["people.csv", "people.json"] {
      do throws(DocumentError) {
        _ = try PeopleFile(bytes, file: file).applied(to: recording)
      } catch {
        check(error)
      }
    }
  }

  static func readNames(_ bytes: [UInt8]) {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    let names = Set(
      lines.filter { !$0.hasPrefix("/") && !$0.contains("../") && !$0.contains("\0") })
    read(source([:], media: Array(names)))
  }

  static func unpack(_ bytes: [UInt8]) {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "tessera-fuzz-\(ProcessInfo.processInfo.processIdentifier)").path
    let manager = FileManager.default
    defer { try? manager.removeItem(atPath: folder) }
    do {
      try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/a.zip"))
    } catch {
      return
    }
    do throws(ArchiveError) {
      let limits = ArchiveLimits(bytes: 1 << 20)
      _ = try ZipArchive("\(folder)/a.zip", limits: limits).unpack(into: "\(folder)/out")
    } catch {
      check(error)
    }
    let names = (try? manager.contentsOfDirectory(atPath: folder)) ?? []
    precondition(Set(names).isSubset(of: ["a.zip", "out"]), "\(names)")
  }
}

extension MediaTime {
  fileprivate static let maximum = MediaTime(nanoseconds: .max)
}
