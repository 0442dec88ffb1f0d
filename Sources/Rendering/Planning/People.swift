import Foundation
import TesseraDocuments
import TesseraLayout
import TesseraTimeline

/// What participants are called: each by its file's name without the extension, its path, its
/// file's whole name, and its number from 1.
struct People {
  /// The names by which each participant can be meant.
  let names: [[String]]
  /// The index of the local participant.
  private(set) var local = 0
  /// Where each participant's recordings begin.
  private(set) var starts: [MediaTime]
  /// The index of who is large; nil leaves it to the layout.
  private(set) var focus: Int?

  /// The participants of `request`.
  ///
  /// - Throws: where the one who is to be local or large is none of them.
  init(_ request: RenderRequest) throws(RenderError) {
    names = request.inputs.enumerated().map { index, path in
      let file = URL(fileURLWithPath: path)
      return [
        file.deletingPathExtension().lastPathComponent, path, file.lastPathComponent,
        "\(index + 1)",
      ]
    }
    starts = Array(repeating: .zero, count: names.count)
    for offset in request.offsets {
      starts[try index(of: offset.person, option: "--offset")] = offset.time
    }
    if let name = request.local { local = try index(of: name, option: "--local") }
    if let name = request.focus { focus = try index(of: name, option: "--focus") }
  }

  /// The index of the participant that `name`, the value of `option`, means. A name goes before a
  /// path, that before a whole file name, and that before a number.
  private func index(of name: String, option: String) throws(RenderError) -> Int {
    for kind in 0..<4 {
      let found = names.indices.filter {
        names[$0][kind] == name || kind == 1 && Self.areSame(names[$0][1], name)
      }
      if let first = found.first, found.count == 1 { return first }
      guard found.isEmpty else {
        throw RenderError(
          .usage,
          "\(option) \(name) means \(found.count) recordings; give a path or a number instead.")
      }
    }
    throw RenderError(.usage, "\(option) \(name) is none of the recordings; \(hint(for: name))")
  }

  /// Whether two paths name the same place, however they are written.
  private static func areSame(_ path: String, _ other: String) -> Bool {
    URL(fileURLWithPath: path).standardizedFileURL
      == URL(fileURLWithPath: other).standardizedFileURL
  }

  private func hint(for name: String) -> String {
    let known = names.map { $0[0] }
    if let nearest = name.nearest(among: known + names.map { $0[1] }) {
      return "did you mean \(nearest)?"
    }
    let listed = known.prefix(10).joined(separator: ", ")
    return "they are \(listed)\(known.count > 10 ? " and \(known.count - 10) more" : "")."
  }
}
