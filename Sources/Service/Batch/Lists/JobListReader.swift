import Foundation
package import TesseraDocuments
import TesseraMessages
import TesseraRecordings
package import TesseraSystem
import TesseraTimeline

/// Iterates over the entries of a list of jobs without loading the list into memory. Exceptions:
/// YAML and JSON documents, and the names of a folder, are loaded at once.
package struct JobListReader: IteratorProtocol {
  /// One entry of a list of jobs.
  package struct Entry {
    /// The entry's index in the list, from 0.
    package var number: Int
    /// The entry's place for messages, such as `jobs.jsonl, line 3`.
    package var place: String
    /// The members of the entry's object, or the problem that prevented reading them.
    package var members: Result<DocumentValue.Members, Problem>
    /// True if the entry is a call found by listing a folder, so that no user named it.
    package var isListed = false
  }

  /// A problem with a list entry, as a sentence that follows the entry's place in messages.
  package struct Problem: Error {
    package var sentence: String
  }

  private enum Form {
    case lines(LineReader)
    case table(LineReader, header: [String], headerLine: String)
    case listed([DocumentValue])
    case folder([ListedCall])
  }

  private let list: JobList
  private let form: Form
  private var number = 0

  /// The error that ended reading of the list early; `nil` if there was none so far.
  package var failure: RenderError? {
    switch form {
    case .lines(let reader), .table(let reader, _, _):
      reader.failure.map {
        RenderError(
          .failure, "cannot read the list of jobs \(list.name) to its end: \($0.reason).")
      }
    case .listed, .folder: nil
    }
  }

  /// The number of entries read so far.
  package var count: Int { max(0, number - 1) }

  /// Opens the list and selects its format by the file name's extension.
  ///
  /// - Throws: ``RenderError`` if the list cannot be read or its format is unknown.
  package init(_ list: JobList) throws(RenderError) {
    self.list = list
    let path = list.path
    if FileOperations.isFolder(path) {
      form = .folder(ListedCall.all(in: path).filter { !list.leftOut.contains($0.location) })
      return
    }
    switch URL(fileURLWithPath: path).pathExtension.lowercased() {
    case "jsonl", "ndjson": form = .lines(try LineReader(path))
    case "csv":
      let reader = try LineReader(path)
      let line = reader.next()?.text ?? ""
      let header = (try? CSVTable(Array(line.utf8), file: path))?.rows.first ?? []
      let names = header.map { $0.trimmingCharacters(in: .whitespaces) }
      form = .table(reader, header: names, headerLine: line)
    case "yaml", "yml", "json": form = .listed(try Self.items(list))
    default:
      throw RenderError(
        .usage,
        "\(list.name) is not a list of jobs: give a file that ends in .jsonl, .csv or .yaml, or a folder of "
          + "recordings.")
    }
  }

  package mutating func next() -> Entry? {
    defer { number += 1 }
    switch form {
    case .lines(let reader):
      guard let line = reader.next() else { return nil }
      return Entry(
        number: number, place: "\(list.name), line \(line.number)", members: Self.json(line))
    case .table(let reader, let header, let headerLine):
      guard let line = reader.next() else { return nil }
      return Entry(
        number: number, place: "\(list.name), line \(line.number)",
        members: Self.row(line.text, header, headerLine, list.name))
    case .listed(let items):
      guard number < items.count else { return nil }
      let members = items[number].object.map { Result<_, Problem>.success($0) }
      return Entry(
        number: number, place: "\(list.name), job \(number + 1)",
        members: members ?? .failure(Problem(sentence: "a job is an object with id and input.")))
    case .folder(let calls):
      guard number < calls.count else { return nil }
      var members = DocumentValue.Members()
      members.append("id", .text(calls[number].name))
      let path = calls[number].location
      members.append("input", .text(path))
      return Entry(number: number, place: path, members: .success(members), isListed: true)
    }
  }

  /// Returns the name of the job with the index `number` for messages.
  func jobName(_ number: Int) -> String {
    if case .folder(let calls) = form { calls[number].location } else { "job \(number + 1)" }
  }

  /// Returns the entries of a list stored as one YAML or JSON document.
  private static func items(_ list: JobList) throws(RenderError) -> [DocumentValue] {
    let document: DocumentValue
    do {
      document = try DocumentValue(
        try RegularFile.bytes(list.path, atMost: DocumentValue.maximumSize + 1),
        DocumentValue.Syntax(fileName: list.path) ?? .yaml, file: list.name)
    } catch {
      throw RenderError(.usage, "\(error)")
    }
    guard let items = document.list ?? document["jobs"]?.list else {
      throw RenderError(
        .usage, "\(list.name) is not a list of jobs, each an object with id and input.")
    }
    return items
  }

  private static func json(_ line: LineReader.Line) -> Result<DocumentValue.Members, Problem> {
    do {
      let document = try DocumentValue(Array(line.text.utf8), .json, file: "it")
      guard let members = document.object else {
        return .failure(Problem(sentence: "a job is an object with id and input."))
      }
      return .success(members)
    } catch {
      return .failure(Problem(sentence: "\(error.reason.commandLine)."))
    }
  }

  /// Returns the members of a CSV row. Empty cells are omitted; `|` separates several values in a
  /// cell.
  private static func row(
    _ line: String, _ header: [String], _ headerLine: String, _ path: String
  ) -> Result<DocumentValue.Members, Problem> {
    // The header line is parsed together with the row, because it determines the delimiter.
    guard let rows = try? CSVTable(Array("\(headerLine)\n\(line)".utf8), file: path).rows,
      rows.count == 2
    else { return .failure(Problem(sentence: "it cannot be read as a row of CSV.")) }
    guard rows[1].count <= header.count else {
      return .failure(Problem(sentence: "it has more fields than the first line names."))
    }
    var members = DocumentValue.Members()
    for (key, field) in zip(header, rows[1]) where !field.isEmpty && members[key] == nil {
      let values = field.split(separator: "|").map { DocumentValue.text(String($0)) }
      members.append(key, values.count == 1 ? values[0] : .list(values))
    }
    return .success(members)
  }
}

/// Reads a text file line by line and skips empty lines.
final class LineReader {
  /// A line of text and its number, from 1.
  struct Line {
    var number: Int
    var text: String
  }

  private let file: RegularFile
  private var offset = 0
  private var pending = Data()
  private var isAtEnd = false
  private var number = 0
  /// The error that ended reading early; `nil` if there was none.
  private(set) var failure: SystemError?

  private static let blockSize = 1 << 16
  /// The maximum length of a line in bytes; longer lines are split.
  private static let longestLine = 4 << 20

  init(_ path: String) throws(RenderError) {
    do throws(SystemError) {
      file = try RegularFile(path)
    } catch {
      let advice = error.isNotRegular ? "give one" : "check its name"
      throw RenderError(
        .usage, "cannot read the list of jobs \(file: path): \(error.reason); \(advice).")
    }
  }

  /// Returns the next line that is not empty, or `nil` at the end.
  func next() -> Line? {
    while let data = nextData() {
      number += 1
      let text = String(decoding: data.withoutByteOrderMark, as: UTF8.self).trimmingCharacters(
        in: .whitespacesAndNewlines)
      if !text.isEmpty { return Line(number: number, text: text) }
    }
    return nil
  }

  private func nextData() -> Data? {
    while true {
      if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        let line = pending[..<end]
        pending = pending[pending.index(after: end)...]
        return line
      }
      guard !isAtEnd, pending.count < Self.longestLine else {
        defer { pending = Data() }
        return pending.isEmpty ? nil : pending
      }
      var block: [UInt8] = []
      do throws(SystemError) {
        block = try file.bytes(Self.blockSize, from: offset)
      } catch {
        failure = error
        // After a read error, the incomplete last line must not be taken for a job.
        pending = Data()
      }
      guard !block.isEmpty else {
        isAtEnd = true
        continue
      }
      offset += block.count
      pending = Data(pending) + block
    }
  }
}
