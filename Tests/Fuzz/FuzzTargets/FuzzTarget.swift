import Foundation
import TesseraDocuments

/// A parser that accepts arbitrary bytes: it returns, or the process ends. Besides crashes,
/// invariants of the results are checked.
public enum FuzzTarget: String, CaseIterable, Sendable {
  case json
  case yaml
  case manifest
  case session
  case people
  case names
  case layout
  case chapters
  case edits
  case transcript
  case markdown
  case playlist
  case request
  case options
  case plan
  case proof
  case still
  case xml
  case profiles
  case index
  case packets
  case marks
  case stretches
  case clock
  case ranges
  case zip

  /// Parses `bytes`.
  public func run(_ bytes: [UInt8]) {
    switch self {
    case .json: Self.readDocument(bytes, .jsonc)
    case .yaml: Self.readDocument(bytes, .yaml)
    case .manifest: Self.readManifest(bytes)
    case .session: Self.readSession(bytes)
    case .people: Self.readPeople(bytes)
    case .names: Self.readNames(bytes)
    case .layout: Self.readLayout(bytes)
    case .chapters: Self.readChapters(bytes)
    case .edits: Self.readEdits(bytes)
    case .transcript: Self.readTranscript(bytes)
    case .markdown: Self.readMarkdown(bytes)
    case .playlist: Self.readPlaylist(bytes)
    case .request: Self.readRequest(bytes)
    case .options: Self.readOptions(bytes)
    case .plan: Self.readPlan(bytes)
    case .proof: Self.readProof(bytes)
    case .still: Self.readStill(bytes)
    case .xml: Self.readXML(bytes)
    case .profiles: Self.readProfiles(bytes)
    case .index: Self.readIndex(bytes)
    case .packets: Self.readPackets(bytes)
    case .marks: Self.readMarks(bytes)
    case .stretches: Self.readStretches(bytes)
    case .clock: Self.readClock(bytes)
    case .ranges: Self.readRanges(bytes)
    case .zip: Self.unpack(bytes)
    }
  }

  /// Checks that an error message ends like a sentence.
  static func check(_ error: any Error) {
    let said = "\(error)"
    precondition(said.hasSuffix(".") || said.hasSuffix("?"), said)
  }

  /// A source of numbers from bytes: mostly small ones, sometimes extreme ones.
  struct Numbers {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isEmpty: Bool { rest.isEmpty }

    mutating func byte() -> Int { Int(rest.popFirst() ?? 0) }

    /// Returns the next number, from one to nine bytes; the first byte gives the length.
    mutating func next() -> Int64 {
      let head = byte()
      guard head >= 0xe0 else { return Int64(head) - 64 }
      var value: UInt64 = 0
      for _ in 0...(head & 7) { value = value << 8 | UInt64(byte()) }
      return head & 8 == 0 ? Int64(bitPattern: value) : -Int64(truncatingIfNeeded: value >> 1)
    }
  }
}
