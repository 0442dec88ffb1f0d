import Foundation

/// Runs programs from the search path.
enum ExternalProgram {
  /// The error that a program exited with a status other than 0.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Runs `program` until it exits and returns its standard output.
  ///
  /// - Throws: ``Failure`` if the exit status is not 0, or an error if the program cannot be
  ///   started.
  static func run(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: "\(program) ended with \(process.terminationStatus)")
    }
    return String(decoding: data, as: UTF8.self)
  }
}
