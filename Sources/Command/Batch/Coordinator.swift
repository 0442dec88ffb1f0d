import Foundation
import Glibc
import TesseraJobs
import TesseraSystem

/// A process that renders one job of a batch: `tessera render`, whose workers have slots of the
/// batch. Whatever it meets takes down itself at most.
final class Coordinator: Sendable {
  /// What it says.
  enum Event: Sendable {
    case message(level: String, text: String)
    /// The part that is done, 0...1.
    case progress(Double)
    case ended(End)
  }

  /// How it ended.
  struct End: Sendable {
    /// The exit code; nil where it was killed.
    var code: Int32?
    /// The signal that killed it.
    var signal: Int32?
    /// Its own last words.
    var result: Terminal.Result?
  }

  /// A line of its standard error: a message, its progress or its result.
  private struct Line: Decodable {
    var type: String
    var percent: Double?
  }

  // Sendable because it is started before it is shared, and signals may be sent from any thread.
  private let process: Process

  /// Starts the command of `words`, whose standard input is the socket `input`; `tell` hears what
  /// happens, from a thread of its own.
  ///
  /// - Throws: where no process can be started.
  init(
    _ words: [String], input: CInt, tell: @escaping @Sendable (Event) -> Void
  ) throws(RenderError) {
    process = Process()
    process.executableURL = URL(fileURLWithPath: EngineOptions.program)
    process.arguments = words + ["--progress=json"]
    var environment = ProcessInfo.processInfo.environment
    environment[Slots.variable] = "1"
    process.environment = environment
    process.standardInput = FileHandle(fileDescriptor: input, closeOnDealloc: false)
    process.standardOutput = FileHandle.nullDevice
    let errors = Pipe()
    process.standardError = errors
    do {
      try process.run()
    } catch {
      throw RenderError(.temporary, "cannot start \(EngineOptions.program): \(error).")
    }
    let thread = Thread { [self] in
      let result = listen(errors.fileHandleForReading, tell)
      while process.isRunning { usleep(2000) }
      let isExit = process.terminationReason == .exit
      tell(
        .ended(
          End(
            code: isExit ? process.terminationStatus : nil,
            signal: isExit ? nil : process.terminationStatus, result: result)))
    }
    thread.stackSize = 1 << 20
    thread.start()
  }

  /// Passes on what it says until it has said all; returns its last words.
  private func listen(_ file: FileHandle, _ tell: (Event) -> Void) -> Terminal.Result? {
    var (pending, result) = (Data(), Terminal.Result?.none)
    while true {
      let block = file.availableData
      guard !block.isEmpty else { return result }
      pending += block
      while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        let text = Data(pending[..<end])
        pending = Data(pending[pending.index(after: end)...])
        guard let line = PlainJSON.value(text, as: Line.self) else {
          tell(.message(level: "note", text: String(decoding: text, as: UTF8.self)))
          continue
        }
        switch line.type {
        case "message":
          guard let said = PlainJSON.value(text, as: Terminal.Message.self) else { continue }
          tell(.message(level: said.level, text: said.message))
        case "progress": if let percent = line.percent { tell(.progress(percent / 100)) }
        case "result": result = PlainJSON.value(text, as: Terminal.Result.self)
        default: break
        }
      }
    }
  }

  /// Asks it to end, as Ctrl-C does, or for good.
  func send(_ signal: Int32) {
    if process.isRunning { kill(process.processIdentifier, signal) }
  }
}
