import Foundation
import TesseraMessages
import TesseraSystem
import TestSupport
import Testing

@Suite("Messages with options as values", .timed) struct MessageTests {
  private let message: Message =
    "give \(option: "jobs") or \(option: "memory") a " + "smaller number than \(3)."

  @Test("The command prints dashes, programs read the names")
  func spelling() {
    #expect(message.commandLine == "give --jobs or --memory a smaller number than 3.")
    let error = RenderError(.usage, message)
    #expect(error.commandLine == message.commandLine)
    #expect(error.message == #"give "jobs" or "memory" a smaller number than 3."#)
    #expect(error.description == error.message)
  }

  @Test("Options survive joining, encoding and changes of the text around them")
  func parts() throws {
    let joined: Message = "first \(message) Then \(option: "root")"
    #expect(
      joined.commandLine == "first give --jobs or --memory a smaller number than 3. Then --root")
    let decoded = try JSONDecoder().decode(Message.self, from: JSONEncoder().encode(joined))
    #expect(decoded == joined)
    let changed = message.mapTexts { $0.replacing("o", with: "0") }
    #expect(changed.commandLine == "give --jobs 0r --memory a smaller number than 3.")
  }

  @Test("A message without parts is empty")
  func empty() throws {
    let none = try JSONDecoder().decode(Message.self, from: Data(#"{"parts": []}"#.utf8))
    #expect(none.commandLine == "" && ("\(none)!" as Message).commandLine == "!")
  }
}
