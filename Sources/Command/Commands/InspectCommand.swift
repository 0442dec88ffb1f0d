import ArgumentParser
import Foundation
import TesseraMedia
import TesseraRendering

/// `tessera inspect`.
struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Tells what recordings hold and what is wrong with them.",
    discussion: """
      Reads every packet of each file and decodes one picture and one block of sound. Exits with \
      1 where a file cannot be read as a recording.
      """)

  @Argument(help: ArgumentHelp("The recordings.", valueName: "file"))
  var files: [String]

  @Flag(help: "Print JSON: an array with one object a file.")
  var json = false

  /// One file's answer: what it holds, or why it cannot be read.
  private struct Answer: Encodable {
    var path: String
    var error: String?
    var recording: Inspection?
  }

  func run() throws {
    Interrupts.install()
    var answers: [Answer] = []
    for file in files {
      do {
        let found = try Inspection.inspect(file, cancellation: Interrupts.cancellation)
        answers.append(Answer(path: file, recording: found))
        if !json { try print(found) }
      } catch let error as MediaError {
        answers.append(Answer(path: file, error: "\(error)"))
        if !json { Terminal.say("error: \(error)") }
      }
    }
    if json { try StandardOutput.write(try JSONFile.text(answers)) }
    if answers.contains(where: { $0.error != nil }) { throw ExitStatus.failed }
  }

  private func print(_ found: Inspection) throws {
    let text = InspectionText.text(found).spellingOutControls(exceptNewlines: true)
    try StandardOutput.write(Data((text + "\n\n").utf8))
  }
}
