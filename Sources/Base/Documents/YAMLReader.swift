import TesseraMessages
import Yams

/// Reads YAML with Yams, but with the core schema of YAML 1.2. Yams resolves scalars by YAML 1.1,
/// in which `off` is false and `1:30` is ninety.
struct YAMLReader {
  private let file: String
  /// The number of values read, limited to ``DocumentValue/maximumCount``.
  private var count = 0

  /// Parses a whole document; an empty one is null.
  static func read(_ bytes: [UInt8], file: String) throws(DocumentError) -> DocumentValue {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw DocumentError(file: file, reason: "it is not UTF-8 text")
    }
    if let reason = refusal(bytes) { throw DocumentError(file: file, reason: reason) }
    let root: Node?
    do {
      root = try Parser(yaml: text, encoding: .utf8).singleRoot()
    } catch let error as YamlError {
      throw DocumentError(file: file, reason: "it is not YAML: \(words(error))")
    } catch {
      throw DocumentError(file: file, reason: "it is not YAML")
    }
    guard let root else { return .null }
    var reader = YAMLReader(file: file)
    return try reader.document(root, path: "", depth: 0)
  }

  /// Returns the reason to reject the text before parsing, or `nil`. Aliases of aliases expand
  /// without bound, and the parser recurses for each level of nesting.
  private static func refusal(_ bytes: [UInt8]) -> UserMessage? {
    var (depth, previous) = (0, UInt8(ascii: "\n"))
    var (hasAnchor, hasAlias) = (false, false)
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(0, depth - 1)
      case UInt8(ascii: "&"), UInt8(ascii: "*"):
        let isLast = index + 1 == bytes.count || bytes[index + 1] <= 0x20
        guard !isLast, previous <= 0x20 || "[{,:-?".utf8.contains(previous) else { break }
        if byte == UInt8(ascii: "&") { hasAnchor = true } else { hasAlias = true }
      default: break
      }
      guard depth <= 3 * DocumentValue.maximumDepth else { return tooDeep }
      previous = byte
    }
    guard hasAnchor, hasAlias else { return nil }
    return "it uses anchors and aliases (& and *), which are not read: write the values out"
  }

  private static let tooDeep: UserMessage =
    "it is nested more than \(DocumentValue.maximumDepth) deep"

  /// Returns the parser's error with its line and column.
  private static func words(_ error: YamlError) -> String {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      return "in line \(mark.line), column \(mark.column), \(problem)"
    case .reader(let problem, _, _, _): return problem
    case .duplicatedKeysInMapping(let duplicates, let context):
      let key = duplicates.first?.shortened ?? ""
      return "in line \(context.mark.line) the key \"\(key)\" occurs twice"
    default: return "its parts do not fit together"
    }
  }

  private mutating func document(
    _ node: Node, path: String, depth: Int
  ) throws(DocumentError) -> DocumentValue {
    count += 1
    guard count <= DocumentValue.maximumCount else {
      throw DocumentError(
        file: file, reason: "it holds more than \(DocumentValue.maximumCount) values")
    }
    guard depth <= DocumentValue.maximumDepth else {
      throw DocumentError(file: file, reason: Self.tooDeep)
    }
    switch node {
    case .scalar(let scalar):
      return scalar.style == .plain ? Self.plain(scalar.string) : .text(scalar.string)
    case .sequence(let sequence):
      var values: [DocumentValue] = []
      for (index, node) in sequence.enumerated() {
        values.append(try document(node, path: "\(path)[\(index)]", depth: depth + 1))
      }
      return .list(values)
    case .mapping(let mapping): return .object(try members(mapping, path: path, depth: depth + 1))
    case .alias: throw DocumentError(file: file, path: path, reason: "is an alias, write it out")
    }
  }

  private mutating func members(
    _ mapping: Node.Mapping, path: String, depth: Int
  ) throws(DocumentError) -> DocumentValue.Members {
    var (members, names) = (DocumentValue.Members(), Set<String>())
    for (key, value) in mapping {
      guard case .scalar(let scalar) = key else {
        throw DocumentError(file: file, path: path, reason: "has a key that is not text")
      }
      let name = scalar.string
      let below = path.isEmpty ? name : "\(path).\(name)"
      guard names.insert(name).inserted else {
        throw DocumentError(file: file, path: below, reason: "occurs twice")
      }
      members.append(name, try document(value, path: below, depth: depth))
    }
    return members
  }

  /// Resolves a plain (unquoted) scalar by the core schema of YAML 1.2.
  private static func plain(_ text: String) -> DocumentValue {
    switch text {
    case "", "~", "null", "Null", "NULL": .null
    case "true", "True", "TRUE": .bool(true)
    case "false", "False", "FALSE": .bool(false)
    default: DecimalLiteral(text).map(DocumentValue.number) ?? .text(text)
    }
  }
}
