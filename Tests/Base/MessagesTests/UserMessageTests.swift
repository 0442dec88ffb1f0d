import Foundation
import TesseraMessages
import TesseraSystem
import TestSupport
import Testing

@Suite("Messages with options and files as values", .timed) struct UserMessageTests {
  private let message: UserMessage =
    "give \(option: "jobs") or \(option: "memory") a " + "smaller number than \(3)."

  @Test("The command prints dashes, programs read the names")
  func spelling() {
    #expect(message.commandLine == "give --jobs or --memory a smaller number than 3.")
    let error = RenderError(.usage, message)
    #expect(error.commandLine == message.commandLine)
    #expect(error.message == #"give "jobs" or "memory" a smaller number than 3."#)
    #expect(error.description == error.message)
  }

  @Test("Options and files survive joining and encoding for Tessera itself")
  func parts() throws {
    let joined: UserMessage = "first \(message) Then \(option: "root") of \(file: "/a \"b\"\\c")"
    #expect(
      joined.commandLine
        == #"first give --jobs or --memory a smaller number than 3. Then --root of /a "b"\c"#)
    let bytes = CanonicalJSON.bytes(joined, by: CanonicalJSON.internalEncoder)
    let decoded = try JSONDecoder().decode(UserMessage.self, from: bytes)
    #expect(decoded == joined && decoded.description == joined.description)
    #expect(decoded.files == ["/a \"b\"\\c"])
  }

  @Test("In other documents a message is one text")
  func text() throws {
    let note: UserMessage = "\(file: "/a b") needs \(option: "root")."
    let encoded = try JSONEncoder().encode(["note": note])
    #expect(
      try JSONDecoder().decode([String: String].self, from: encoded) == [
        "note": "/a b needs --root."
      ])
    let decoded = try JSONDecoder().decode([String: UserMessage].self, from: encoded)
    #expect(decoded == ["note": note] && decoded["note"]?.files == [])
  }

  @Test("Names replace files, not equal texts")
  func names() {
    let note: UserMessage = "\(file: "/a"): \("/a") is not \(file: "/b"), /a"
    #expect(note.named { $0 == "/a" ? "s3://a" : $0 }.commandLine == "s3://a: /a is not /b, /a")
    #expect(note.files == ["/a", "/b"])
  }

  @Test("An error in a message keeps its files and options")
  func errors() {
    let error: any Error = SystemError("open", "/a", number: ENOENT)
    let message: UserMessage = "\(error); give \(option: "root")."
    #expect(message.commandLine == "cannot open /a: No such file or directory; give --root.")
    #expect(
      RenderError(.failure, "again: \(RenderError(.usage, message))").sentence.files == ["/a"])
  }

  @Test("A message without parts is empty; lists are joined")
  func empty() {
    let none = [UserMessage]().joined(separator: ", ")
    #expect(none.commandLine == "" && ("\(none)!" as UserMessage).commandLine == "!")
    let files = ["/a", "/b"].map { "\(file: $0)" as UserMessage }.joined(separator: ", ")
    #expect(files == "/a, /b" && files.files == ["/a", "/b"])
  }
}
