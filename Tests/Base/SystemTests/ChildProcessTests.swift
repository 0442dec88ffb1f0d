import Foundation
import Glibc
import TesseraSystem
import TestSupport
import Testing

@Suite("Child processes", .timed) struct ChildProcessTests {
  /// Runs a script and returns its standard error and its end.
  private func run(
    _ script: String, meanwhile: (ChildProcess) -> Void = { _ in }
  ) throws -> (said: String, end: ChildProcess.Termination) {
    let (own, other) = try SharedFileDescriptor.sockets()
    let reading: SharedFileDescriptor
    let process: ChildProcess
    do {
      let pipe = try SharedFileDescriptor.pipe()
      reading = pipe.reading
      process = try ChildProcess(
        "/bin/sh", ["-c", script], environment: ["WORD": "said"], input: other,
        errors: pipe.writing)
    }
    meanwhile(process)
    var said: [UInt8] = []
    var byte: UInt8 = 0
    while unsafe read(reading.number, &byte, 1) > 0 { said.append(byte) }
    withExtendedLifetime(own) {}
    return (String(decoding: said, as: UTF8.self), process.wait())
  }

  @Test("Processes end with a code or a signal, and their output arrives")
  func ends() throws {
    let first = try run("echo lost; echo $WORD >&2; exit 7")
    #expect(first.said == "said\n" && first.end == .exit(7))
    #expect(try run("kill -KILL $$").end == .signal(SIGKILL))
    #expect(try run("sleep 60", meanwhile: { $0.send(SIGTERM) }).end == .signal(SIGTERM))
  }

  @Test("A process that was waited for gets no signals")
  func signalAfterEnd() throws {
    let reading = try SharedFileDescriptor.pipe()
    let process = try ChildProcess(
      "/bin/true", [], environment: [:], input: reading.reading, errors: reading.writing)
    #expect(process.wait() == .exit(0))
    process.send(SIGKILL)
    #expect(process.wait() == .signal(0))
  }

  @Test("A missing program is an error")
  func missing() throws {
    let pipe = try SharedFileDescriptor.pipe()
    #expect(throws: SystemError("start", "/none", number: ENOENT)) {
      try ChildProcess("/none", [], environment: [:], input: pipe.reading, errors: pipe.writing)
    }
  }
}
