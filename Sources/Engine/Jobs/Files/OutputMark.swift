package import Foundation
package import TesseraSystem

/// The mark in a file that Tessera made. It permits a later run to replace the file.
package enum OutputMark: Hashable, Sendable {
  /// A tag that names the program, with an ``EmbeddedHash``: video and sound files.
  case tags
  /// A comment at the end of the file, between these two delimiters, with a hash of the rest.
  case comment(String, String)
  /// A WebVTT note after the header, with a hash of the rest. Older versions wrote it at the end,
  /// where players that ignore the standard show it as a cue.
  case note
  /// The first member of a JSON object, with a hash of the rest.
  case member
  /// No mark in the file: ``WrittenFileRegistry`` records it instead. Pictures, plain text, editors'
  /// projects, and every other format that has no place for a mark.
  case record

  /// Chooses the mark by the file's extension.
  package init(path: String) {
    switch URL(fileURLWithPath: path).pathExtension.lowercased() {
    case "json": self = .member
    case "yaml", "yml", "prom", "m3u8": self = .comment("# ", "")
    case "html", "htm", "svg", "md", "eaf": self = .comment("<!-- ", " -->")
    case "vtt": self = .note
    case "mp4", "m4v", "webm", "mkv", "mka", "wav", "flac", "mp3", "m4a", "opus": self = .tags
    default: self = .record
    }
  }

  /// The origin of a file, as its mark shows it.
  package enum Origin: Hashable, Sendable {
    /// Tessera made the file, and it is unchanged.
    case own
    /// Tessera made the file, and it was changed since.
    case edited
    /// Another program made the file.
    case others
  }

  // MARK: Writing marks

  private static let (key, hash) = ("\"made-by\": \"", " sha256:")
  private static let (webVTT, opening) = ("WEBVTT\n", "\nNOTE ")
  /// Number of hexadecimal digits of a hash.
  private static let length = 64
  private static let blank = String(repeating: "0", count: length)

  /// Returns `data`, the whole content of a text file, with the mark inserted. The hash also covers
  /// `beside`.
  package func marked(_ data: Data, beside: Data = Data()) -> Data {
    let text = TesseraVersion.name + Self.hash + Self.blank
    var marked = data
    switch self {
    case .tags, .record: return data
    // JSON is valid YAML, but has no comments.
    case _ where data.first == UInt8(ascii: "{"):
      let rest = data.dropFirst()
      let isIndented = rest.first == UInt8(ascii: "\n")
      let isEmpty = rest.first { $0 > 0x20 } == UInt8(ascii: "}")
      marked = Data("{\(isIndented ? "\n  " : "")\(Self.key)\(text)\"\(isEmpty ? "" : ",")".utf8)
      marked += rest
    case .member: return data
    case .note:
      guard data.starts(with: Self.webVTT.utf8) else { return data }
      let place = data.startIndex + Self.webVTT.utf8.count
      marked.insert(contentsOf: "\(Self.opening)\(text)\n".utf8, at: place)
    case .comment(let before, let after):
      if let last = data.last, last != UInt8(ascii: "\n") { marked += Data("\n".utf8) }
      marked += Data("\(before)\(text)\(after)\n".utf8)
    }
    guard let digits = digits(in: marked) else { return data }
    marked.replaceSubrange(digits, with: Self.digest(marked, beside).utf8)
    return marked
  }

  private static func digest(_ data: Data, _ beside: Data) -> String {
    let hash = SHA256()
    hash.update(beside)
    hash.update(data)
    return hash.finish().hexadecimal
  }

  /// Returns the position of the hash in an unchanged file; nil if the file has no place for one.
  private func digits(in data: Data) -> Range<Int>? {
    var start: Int?
    if data.first == UInt8(ascii: "{") {
      let head = data.prefix(Self.key.utf8.count + 64)
      guard head.range(of: Data(Self.key.utf8)) != nil else { return nil }
      start = head.range(of: Data(Self.hash.utf8))?.upperBound
    } else if self == .note {
      let head = data.prefix(data.starts(with: (Self.webVTT + Self.opening).utf8) ? 256 : 0)
      start = head.range(of: Data(Self.hash.utf8))?.upperBound ?? data.count - 1 - Self.length
    } else if case .comment(_, let after) = self {
      start = data.count - 1 - after.utf8.count - Self.length
    }
    guard let start, start >= 0, start + Self.length <= data.count else { return nil }
    return start..<(start + Self.length)
  }

  // MARK: Reading marks

  /// Returns the origin of the existing file at `path`. The file may be anything, so it is searched
  /// and not parsed. The hash also covers `beside`.
  func owner(of path: String, beside: Data = Data(), _ records: WrittenFileRegistry) -> Origin {
    switch self {
    case .tags:
      guard Self.isNamed(in: path) else { return .others }
      // A file in a recorded state need not be read. Older versions wrote no seal.
      if let state = FileVersion(of: path), records.owner(of: state) == .own { return .own }
      return EmbeddedHash(path)?.isBroken == true ? .edited : .own
    case .record: return FileVersion(of: path).map(records.owner) ?? .others
    case .comment, .note, .member:
      guard let bytes = try? RegularFile.bytes(path, atMost: Self.longestText) else {
        return .others
      }
      return owner(of: Data(bytes), beside: beside)
    }
  }

  private func owner(of data: Data, beside: Data) -> Origin {
    if let digits = digits(in: data) {
      var unmarked = data
      unmarked.replaceSubrange(digits, with: Self.blank.utf8)
      if Self.digest(unmarked, beside).utf8.elementsEqual(data[digits]) { return .own }
    }
    var rest = data[...]
    while let found = rest.range(of: Data(Self.hash.utf8)) {
      if TesseraVersion.isNamed(in: data[max(0, found.lowerBound - 32)..<found.lowerBound]) {
        return .edited
      }
      rest = rest[found.upperBound...]
    }
    return .others
  }

  /// The largest text file that is read; larger than any that Tessera writes.
  private static let longestText = 1 << 30

  /// True if the file at `path` carries the mark of any version, whether it was changed or not.
  package func isNamed(at path: String) -> Bool {
    self == .tags ? Self.isNamed(in: path) : owner(of: path, .standard) != .others
  }

  /// True if the tags of the media file at `path` name Tessera.
  private static func isNamed(in path: String) -> Bool {
    guard let file = try? RegularFile(path) else { return false }
    return tagPlaces(file).contains { offset, count in
      let bytes = try? file.bytes(count, from: offset)
      return bytes.map { TesseraVersion.isNamed(in: Data($0)) } ?? false
    }
  }

  private static let tagLength = 64 << 10

  /// Returns the places where a media file may have tags: the last 64 KiB of an MP4's index, or the
  /// first 256 KiB of other formats, and the last 64 KiB of the file.
  package static func tagPlaces(_ file: borrowing RegularFile) -> [(offset: Int, count: Int)] {
    guard let size = try? file.byteCount else { return [] }
    var places: [(offset: Int, count: Int)] = []
    var offset = 0
    // MP4 boxes, each with size and name, up to the media data.
    while let head = try? file.bytes(16, from: offset), head.count == 16 {
      let name = String(decoding: head[4..<8], as: UTF8.self)
      guard ["ftyp", "moov", "free", "styp"].contains(name) else { break }
      let length = head[..<4].reduce(0) { $0 << 8 | Int($1) }
      guard length >= 8 else { break }
      offset += length
      if name == "moov" {
        let start = max(offset - length, offset - tagLength)
        places.append((start, min(size, offset) - start))
        break
      }
    }
    if places.isEmpty { places.append((0, 4 * tagLength)) }
    return places + [(max(0, size - tagLength), tagLength)]
  }
}
