import Foundation

/// A JSON object whose members are taken one by one; what remains is refused by name.
struct JSONObject {
  /// The keys on the way to this object, for messages.
  private let path: [String]
  private var members: [String: JSONValue]
  private var known: [String] = []

  /// Reads `text`, which must be a JSON object.
  init(_ text: String) throws(LayoutError) {
    let value: JSONValue
    do {
      value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    } catch {
      throw .invalidFile(reason: "it is not JSON")
    }
    guard case .object(let members) = value else {
      throw .invalidFile(reason: "it is not a JSON object")
    }
    self.init(path: [], members: members)
  }

  private init(path: [String], members: [String: JSONValue]) {
    self.path = path
    // A null member says the same as none.
    self.members = members.filter { $0.value != .null }
  }

  /// The keys that have not been taken, in their order.
  var keys: [String] { members.keys.sorted() }

  /// The path of a member, for messages: `main.x_pos`.
  func name(_ key: String) -> String { (path + [key]).joined(separator: ".") }

  /// Takes an object.
  mutating func object(_ key: String) throws(LayoutError) -> JSONObject? {
    guard let value = take(key) else { return nil }
    guard case .object(let members) = value else { throw invalid(key, "an object") }
    return JSONObject(path: path + [key], members: members)
  }

  /// Takes a whole number.
  mutating func integer(_ key: String, in range: ClosedRange<Int>) throws(LayoutError) -> Int? {
    guard let value = take(key) else { return nil }
    guard let number = value.integer, range.contains(number) else {
      throw invalid(key, "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Takes text.
  mutating func string(_ key: String) throws(LayoutError) -> String? {
    guard let value = take(key) else { return nil }
    guard let text = value.text else { throw invalid(key, "text") }
    return text
  }

  /// Takes a list of texts.
  mutating func strings(_ key: String) throws(LayoutError) -> [String]? {
    guard let value = take(key) else { return nil }
    let texts = value.list?.compactMap(\.text)
    guard let texts, texts.count == value.list?.count else {
      throw invalid(key, "a list of texts")
    }
    return texts
  }

  /// Takes a list of whole numbers.
  mutating func integers(
    _ key: String, in range: ClosedRange<Int>
  ) throws(LayoutError) -> [Int]? {
    guard let value = take(key) else { return nil }
    let numbers = value.list?.compactMap(\.integer).filter(range.contains)
    guard let numbers, numbers.count == value.list?.count else {
      throw invalid(
        key, "a list of whole numbers from \(range.lowerBound) to \(range.upperBound)")
    }
    return numbers
  }

  /// Takes whatever it is and does not look at it.
  mutating func ignore(_ key: String) { _ = take(key) }

  /// Refuses what no one took.
  func finish() throws(LayoutError) {
    guard let first = keys.first else { return }
    let hint =
      first.nearest(among: known).map { "did you mean \"\($0)\"?" }
      ?? "the keys are \(known.joined(separator: ", "))"
    throw .invalidValue(key: name(first), reason: "is not a key of a layout file: \(hint)")
  }

  /// The error that the member should be `expected`.
  func invalid(_ key: String, _ expected: String) -> LayoutError {
    .invalidValue(key: name(key), reason: "must be \(expected)")
  }

  private mutating func take(_ key: String) -> JSONValue? {
    known.append(key)
    return members.removeValue(forKey: key)
  }
}

/// Any JSON value.
private enum JSONValue: Equatable, Decodable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case text(String)
  case list([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .list(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  var integer: Int? { if case .integer(let value) = self { value } else { nil } }
  var text: String? { if case .text(let value) = self { value } else { nil } }
  var list: [JSONValue]? { if case .list(let value) = self { value } else { nil } }
}
