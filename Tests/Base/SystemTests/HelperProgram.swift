import Foundation
import TestSupport

/// The program that does what it must not.
enum HelperProgram {
  /// It lies beside the tests' own binary.
  static let path = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appending(path: "tessera-test-helper").path

  static func run(_ arguments: String...) throws -> Tool.Result { try Tool.run(path, arguments) }
}
