import Foundation
import TesseraCaptions
import TesseraDocuments
import TesseraLayout
import TesseraMessages
import TesseraPlan
import TesseraPlanning
import TesseraProof
import TesseraRecordings
import TesseraRequest
import TesseraSystem
import TesseraTimeline

/// Parsers for requests, and for files that tools keep of them.
extension FuzzTarget {
  /// Reads a request; written and read again, it is equal.
  static func readRequest(_ bytes: [UInt8]) {
    do throws(DocumentError) {
      let document = try DocumentValue(bytes, .jsonc, file: "request.json")
      let request = try RenderRequest(document, file: "request.json")
      guard let written = try? request.document() else { return }
      let again = try RenderRequest(written, file: "again")
      precondition((try? again.document())?.json() == written.json(), written.json())
    } catch {
      check(error)
    }
  }

  /// Reads lines of `name=value` into one request; an accepted value is accepted again as written.
  static func readOptions(_ bytes: [UInt8]) {
    var request = RenderRequest("call", to: "call.mp4")
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n").prefix(200) {
      let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
      let texts = parts.dropFirst().flatMap { $0.split(separator: "\u{1f}").map(String.init) }
      do throws(OptionError) {
        try request.set(parts[0], texts)
        guard let written = request.texts(parts[0]) else { continue }
        try request.set(parts[0], written)
        precondition(request.texts(parts[0]) == written, "\(parts[0]): \(written)")
      } catch {
        let reason = error.reason.commandLine
        precondition(reason.hasSuffix(".") || reason.hasSuffix("?"), reason)
      }
    }
  }

  static func readChapters(_ bytes: [UInt8]) {
    for name in ["chapters.txt", "chapters.json", "chapters.yaml", "chapters.vtt"] {
      do throws(DocumentError) {
        let marks = try ChapterFileReader(bytes, name: name).marks
        precondition(marks.count <= ChapterFileReader.most)
        precondition(Swift.zip(marks, marks.dropFirst()).allSatisfy { $0.time < $1.time })
      } catch {
        check(error)
      }
    }
  }

  /// Reads an edit file; written and read again, it is equal.
  static func readEdits(_ bytes: [UInt8]) {
    do throws(DocumentError) {
      let document = try DocumentValue(bytes, .yaml, file: "edits.yaml")
      let edits = try EditList(document, file: "edits.yaml")
      checkRanges(edits.list)
      let written = try DocumentValue(Array(edits.text.utf8), .yaml, file: "again")
      let again = try EditList(written, file: "again")
      precondition(again == edits, edits.text)
    } catch {
      check(error)
    }
  }

  private static let spoken = Transcript([
    Transcript.Line(
      "Ada", from: .zero, to: MediaTime(seconds: 4), "So, um, we ship it on Friday, I think."),
    Transcript.Line("Ben", from: MediaTime(seconds: 5), to: MediaTime(seconds: 6), "Friday it is."),
    Transcript.Line(nil, from: MediaTime(seconds: 7), to: MediaTime(seconds: 9), "(laughs) Good."),
  ])

  /// Reads a call's transcript that was changed in an editor. The comment that identifies the call
  /// is corrected, so that the rest is parsed.
  static func readMarkdown(_ bytes: [UInt8]) {
    for text in [bytes, named(bytes)] {
      do throws(TranscriptError) {
        let edit = try EditedTranscript(text, name: "call.md")
        let lines = try edit.applied(to: spoken)
        precondition(lines.count == spoken.lines.count)
        for (line, before) in Swift.zip(lines, spoken.lines) {
          precondition((line.from, line.to) == (before.from, before.to))
        }
      } catch {
        precondition(!error.description.isEmpty)
      }
    }
  }

  private static func named(_ bytes: [UInt8]) -> [UInt8] {
    let right = spoken.markdown(title: nil, isEditable: true)
    guard let first = right.split(separator: "\n").first(where: { $0.contains("<!--") }) else {
      return bytes
    }
    return Array("\(first)\n".utf8) + bytes
  }

  /// Reads a layout file; the layout places any number of people on a canvas, each once.
  static func readLayout(_ bytes: [UInt8]) {
    do throws(LayoutError) {
      let policy = try LayoutFileParser.policy(String(decoding: bytes, as: UTF8.self))
      let canvas = Size(width: 640, height: 360)
      for count in [0, 1, 3] {
        let items = (0..<count).map { LayoutItem(id: $0, kind: $0 == 2 ? .screen : .camera) }
        try policy.validate(canvas: canvas, allItems: items)
        let context = LayoutContext(canvas: canvas, gap: 8, items: items)
        let attributes = policy.prepare(context).attributes
        precondition(attributes.count <= count)
        for frame in attributes.map(\.frame) {
          precondition([frame.x, frame.y, frame.width, frame.height].allSatisfy(\.isFinite))
        }
      }
    } catch {
      check(error)
    }
  }

  /// Reads a worker's plan; written and read again, it is equal.
  static func readPlan(_ bytes: [UInt8]) {
    guard let plan: WorkPlan = CanonicalJSON.value(Data(bytes)) else { return }
    let written = CanonicalJSON.bytes(plan)
    let again: WorkPlan? = CanonicalJSON.value(written)
    precondition(again.map { CanonicalJSON.bytes($0) } == written)
  }

  /// Reads a proof and the marks of its segments.
  static func readProof(_ bytes: [UInt8]) {
    guard let proof = try? JSONDecoder().decode(OutputProof.self, from: Data(bytes)) else { return }
    for segment in proof.pictures?.segments ?? [] { readMarks(Array(segment.marks)) }
  }
}
