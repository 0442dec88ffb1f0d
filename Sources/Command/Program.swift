import ArgumentParser
import Glibc
import TesseraBatch
import TesseraJobs
import TesseraMessages
import TesseraStorage
import TesseraSystem

/// The program `tessera`: parses the command line, runs a command and maps errors to exit codes.
@main struct Program: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tessera",
    abstract: "Renders the separate recordings of a call into one composed video.",
    discussion: ExitStatus.help,
    version: VersionText.text,
    subcommands: [
      RenderCommand.self, PreviewCommand.self, InspectCommand.self, ImportCommand.self,
      TimelineCommand.self, ExportCommand.self, PageCommand.self, LayoutCommand.self,
      EditCommand.self, VerifyCommand.self, BatchCommand.self, PerformCommand.self,
      PlanCommand.self,
      SegmentCommand.self,
      SoundtrackCommand.self, StitchCommand.self, DoctorCommand.self, OptionsCommand.self,
    ])

  static func main() {
    FatalSignalHandler.install()
    ProcessMemorySettings.returnFreedPictures()
    OpenFileLimit.allowMany()
    InterruptHandler.ignoreWriteSignals()
    // Without this, SVT-AV1 prints its settings at every log level of libav*.
    unsafe setenv("SVT_LOG", "1", 0)
    // Each worker that is forked later runs its own arguments (`WorkerCommand.swift`).
    if CommandNameCheck.haveWorkers { ForkServer.start(run) }
    run(Array(CommandLine.arguments.dropFirst()))
  }

  /// Runs the command line `words` in this process.
  private static func run(_ words: [String]) {
    if CommandNameCheck.wantJSON(words) { StandardError.writesJSON() }
    do {
      if words.first == WorkerSetup.command {
        let worker = try WorkerCommand(words.dropFirst())
        try requireAddresses()
        try worker.doJob()
      } else {
        try CommandNameCheck.check(words)
        var command = try parseAsRoot(words)
        try requireAddresses()
        try command.run()
      }
      StandardError.finish(CommandResult(exit: 0))
    } catch {
      finish(error, words)
    }
  }

  /// The minimum address space that the libraries and threads need, in bytes (640 MiB).
  private static let fewestAddresses = 640 << 20

  /// Rejects an address-space limit under which libraries would hang or crash.
  private static func requireAddresses() throws(RenderError) {
    guard let limit = ProcessMemorySettings.addressLimit, limit < fewestAddresses else { return }
    throw RenderError(
      .failure,
      "this process may use \(limit >> 20) MB of addresses (ulimit -v), too few for the codec "
        + "libraries and threads; allow \(fewestAddresses >> 20) MB at least, or all with "
        + "\"ulimit -v unlimited\".")
  }

  private static func finish(_ error: any Error, _ words: [String]) -> Never {
    if let error = error as? RenderError ?? (error as? StorageError).map(RenderError.init) {
      fail(error.commandLine, ExitStatus(error))
    }
    if let error = error as? LocationError { fail(error.description, .usage) }
    if let error = error as? SystemError {
      fail("\(error).", error.isTransient ? .temporaryFailure : .failed)
    }
    if let status = error as? ExitStatus {
      StandardError.finish(CommandResult(exit: status.rawValue))
      Glibc.exit(status.rawValue)
    }
    let text = fullMessage(for: error)
    guard exitCode(for: error) == .success else {
      let command = configuration.subcommands.first { $0.configuration.commandName == words.first }
      fail(UsageErrorFormatter.text(text, options: command?.declared ?? []), .usage)
    }
    print(text)
    Glibc.exit(0)
  }

  private static func fail(_ message: String, _ status: ExitStatus) -> Never {
    let lines = message.split(separator: "\n", maxSplits: 1)
    StandardError.print("error: \(lines.first ?? "")")
    // The parser's further lines: the usage, and a pointer to the help.
    if lines.count > 1 { StandardError.add(String(lines[1])) }
    var result = CommandResult(exit: status.rawValue)
    result.error = lines.first.map(String.init)
    StandardError.finish(result)
    Glibc.exit(status.rawValue)
  }
}

extension ExitStatus {
  /// The section on exit codes in the program's help.
  static let help = """
    Exit codes:
      0    done; nothing was lost, or --accept-losses was given
      1    failed; the same command fails again
      2    the command line is wrong
      3    done, with losses that were named, or verified with deviations
      4    of a batch: some jobs failed; 3 if all are finished, some with losses
      75   temporary failure (disk or memory full, the network, another render of
           the same output, SIGTERM): retry; the same command resumes
      130  stopped by Ctrl-C; the same command resumes
    """

  init(_ error: RenderError) {
    self =
      switch error.kind {
      case .usage: .usage
      case .failure: .failed
      case .temporary: .temporaryFailure
      case .cancelled: .stopped
      }
  }

  /// The exit code of a stopped command. SIGTERM announces that a machine is taken away, so its
  /// code invites a retry on another machine.
  static var stopped: ExitStatus {
    InterruptHandler.wasTerminated ? .temporaryFailure : .interrupted
  }
}
