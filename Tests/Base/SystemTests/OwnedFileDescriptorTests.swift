import Foundation
import Glibc
import TesseraSystem
import TestSupport
import Testing

@Suite(.timed) struct OwnedFileDescriptorTests {
  /// True if `number` is open and refers to the file of `status`.
  private func isOpen(_ number: CInt, _ status: stat) -> Bool {
    let now = self.status(of: number)
    return now.st_ino == status.st_ino && now.st_dev == status.st_dev
  }

  private func status(of number: CInt) -> stat {
    var status = stat()
    unsafe fstat(number, &status)
    return status
  }

  @Test("A descriptor is closed once, with its owner")
  func owner() throws {
    let folder = try TemporaryFolder()
    func number() throws -> (CInt, stat) {
      let owner = try OwnedFileDescriptor(opening: folder.path("file"), O_RDWR | O_CREAT)
      #expect(isOpen(owner.number, status(of: owner.number)))
      return (owner.number, status(of: owner.number))
    }
    let (closed, file) = try number()
    #expect(!isOpen(closed, file))
    let error = #expect(throws: SystemError.self) {
      try OwnedFileDescriptor(opening: folder.path("none"), O_RDONLY).number
    }
    #expect(error?.number == ENOENT && error?.path == folder.path("none"))
  }

  @Test("A socket keeps its number until its last holder releases it")
  func holders() throws {
    let (own, other) = try SharedFileDescriptor.sockets()
    let number = own.number
    let reading = Thread {
      // Ends when the other end does, like the reader of a dead job.
      var byte: UInt8 = 0
      while unsafe read(own.number, &byte, 1) > 0 {}
    }
    reading.start()
    shutdown(other.number, CInt(SHUT_WR))
    while !reading.isFinished { usleep(1_000) }
    // Newly opened sockets must not have the number that the remaining holder will shut down.
    let later = try (0..<32).map { _ in try SharedFileDescriptor.sockets() }
    #expect(!later.contains { $0.0.number == number || $0.1.number == number })
    own.shutDown()
    for (first, second) in later {
      var byte: UInt8 = 7
      #expect(unsafe write(first.number, &byte, 1) == 1)
      #expect(unsafe read(second.number, &byte, 1) == 1)
    }
    withExtendedLifetime((own, other)) {}
  }

  @Test("Waiting for a lock can be cancelled")
  func lock() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("file")
    let first = try OwnedFileDescriptor(opening: path, O_RDWR | O_CREAT)
    let second = try OwnedFileDescriptor(opening: path, O_RDWR)
    let cancellation = Cancellation()
    let isLocked = first.lock(cancellation)
    cancellation.cancel()
    let isLockedTwice = second.lock(cancellation)
    #expect(isLocked && !isLockedTwice)
  }
}
