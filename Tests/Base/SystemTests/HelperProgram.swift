import Foundation
import TestSupport

/// The helper program, which performs forbidden operations.
enum HelperProgram {
  /// The path of the program, which is beside the tests' own binary.
  static let path = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appending(path: "tessera-test-helper").path

  static func run(_ arguments: String...) throws -> Tool.Result { try Tool.run(path, arguments) }
}
