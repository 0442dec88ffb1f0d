import ArgumentParser
import Glibc
import TesseraMedia
import TesseraRendering
import TesseraSystem

/// The command line. Exit codes: 0 done, 1 failed, 2 usage, 3 rendered with losses,
/// 130 stopped by a signal.
@main struct Program: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tessera",
    abstract: "Renders the separate recordings of a call into one composed video.",
    version: Versions.text,
    subcommands: [
      RenderCommand.self, PreviewCommand.self, InspectCommand.self, ImportCommand.self,
      TimelineCommand.self, PageCommand.self, LayoutCommand.self,
      PlanCommand.self, SegmentCommand.self, SoundtrackCommand.self, StitchCommand.self,
      DoctorCommand.self, WorkerCommand.self, ReadCommand.self,
    ])

  static func main() {
    ProcessMemory.returnFreedPictures()
    ProcessFiles.allowMany()
    Interrupts.leaveWritingToItself()
    // SVT-AV1 prints its settings otherwise, whatever libav* is asked for.
    unsafe setenv("SVT_LOG", "1", 0)
    var keepsUnpacked = false
    do {
      var command = try parseAsRoot()
      // A plan's workers come later.
      keepsUnpacked = command is PlanCommand
      try command.run()
      if !keepsUnpacked { SourceOptions.removeUnpacked() }
    } catch {
      if !keepsUnpacked { SourceOptions.removeUnpacked() }
      finish(error)
    }
  }

  private static func finish(_ error: any Error) -> Never {
    if let error = error as? RenderError {
      Terminal.say("error: \(error.message)")
      Glibc.exit(ExitStatus(error).rawValue)
    }
    if let status = error as? ExitStatus { Glibc.exit(status.rawValue) }
    let isHelp = exitCode(for: error) == .success
    let text = fullMessage(for: error)
    if isHelp {
      print(text)
    } else {
      // The parser's own word, as all errors have it.
      let own = text.hasPrefix("Error: ") ? "e" + text.dropFirst() : text
      Terminal.write(own.spellingOutControls(exceptNewlines: true) + "\n")
    }
    Glibc.exit(isHelp ? 0 : ExitStatus.usage.rawValue)
  }
}

/// The exit codes.
enum ExitStatus: Int32, Error {
  case failed = 1
  case usage = 2
  case renderedWithLosses = 3
  case interrupted = 130

  init(_ error: RenderError) {
    self =
      switch error.kind {
      case .usage: .usage
      case .failure: .failed
      case .cancelled: .interrupted
      }
  }
}
