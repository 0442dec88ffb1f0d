import Foundation

/// A copy of a value, encoded as JSON and decoded.
enum Copy {
  static func of<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
  }
}
