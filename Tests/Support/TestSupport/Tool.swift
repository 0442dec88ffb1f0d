public import Foundation
import Synchronization

/// Runs external programs for tests.
public enum Tool {
  /// The result of a program.
  public struct Result {
    /// The exit code; negative for the signal that ended the program.
    public var status: Int32
    /// The standard output.
    public var output: Data
    /// The standard error.
    public var messages: String

    /// The standard output as text.
    public var text: String { String(decoding: output, as: UTF8.self) }
  }

  /// The failure of a program that a test needs.
  public struct Failure: Error, CustomStringConvertible {
    public var description: String
  }

  /// Runs `tool`, a path or a name in the search path, and waits for it. Its cache folder is empty,
  /// and its state folder belongs to the tests, not to the user. `meanwhile` is called with the
  /// running process.
  public static func run(
    _ tool: String, _ arguments: [String], meanwhile: (Process) -> Void = { _ in }
  ) throws -> Result {
    let folder = try TemporaryFolder()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [tool] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(
      [
        "XDG_CACHE_HOME": folder.path("cache"),
        "XDG_STATE_HOME": FileManager.default.temporaryDirectory.appending(
          path: "tessera-tests-state"
        ).path,
      ]) { $1 }
    process.standardInput = FileHandle.nullDevice
    // Files, not pipes: an unread pipe would block the program.
    let (output, messages) = (folder.path("output"), folder.path("messages"))
    for path in [output, messages] { try Data().write(to: URL(fileURLWithPath: path)) }
    process.standardOutput = FileHandle(forWritingAtPath: output)
    process.standardError = FileHandle(forWritingAtPath: messages)
    try process.run()
    meanwhile(process)
    process.waitUntilExit()
    let isSignal = process.terminationReason == .uncaughtSignal
    return Result(
      status: isSignal ? -process.terminationStatus : process.terminationStatus,
      output: try Data(contentsOf: URL(fileURLWithPath: output)),
      messages: String(
        decoding: try Data(contentsOf: URL(fileURLWithPath: messages)), as: UTF8.self))
  }

  /// Runs `ffmpeg` quietly and returns its standard output. A file that depends only on its
  /// arguments is generated once and copied later.
  @discardableResult
  public static func ffmpeg(_ arguments: [String]) throws -> Data {
    let kept = clip(arguments)
    if let kept, let clip = clips.withLock({ $0[kept.key] }) {
      try? FileManager.default.removeItem(atPath: kept.output)
      try FileManager.default.copyItem(atPath: clip, toPath: kept.output)
      return Data()
    }
    let result = try run("ffmpeg", ["-v", "error", "-y"] + arguments)
    guard result.status == 0 else { throw Failure(description: result.messages) }
    if let kept {
      let copy = clipFolder + "/" + UUID().uuidString
      try FileManager.default.copyItem(atPath: kept.output, toPath: copy)
      clips.withLock { $0[kept.key] = copy }
    }
    return result.output
  }

  /// The generated files, by their arguments.
  private static let clips = Mutex([String: String]())
  private static let clipFolder: String = {
    let path = FileManager.default.temporaryDirectory.appending(
      path: "tessera-tests-clips-\(ProcessInfo.processInfo.processIdentifier)"
    ).path
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    atexit { try? FileManager.default.removeItem(atPath: Tool.clipFolder) }
    return path
  }()

  /// Returns the only output of `arguments` and its cache key, or `nil` if they read files or write
  /// several.
  private static func clip(_ arguments: [String]) -> (output: String, key: String)? {
    guard let output = arguments.last, output.hasPrefix("/"), !output.contains("%") else {
      return nil
    }
    let others = arguments.dropLast()
    let inputs = others.indices.filter { others[$0] == "-i" }
    guard !inputs.isEmpty, inputs.allSatisfy({ $0 > 1 && others[$0 - 1] == "lavfi" }),
      !others.contains(where: { $0.contains("/tmp/") || $0.contains("movie=") }),
      !others.contains(where: ["hls", "segment", "tee", "dash", "image2"].contains)
    else { return nil }
    // Files with different names may have to differ, for example in Ogg's random serial numbers.
    let name = URL(filePath: output).lastPathComponent
    return (output, (others + [name]).joined(separator: "\u{0}"))
  }
}
