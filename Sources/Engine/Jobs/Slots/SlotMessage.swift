package import Foundation
import Glibc
import TesseraSystem

/// What a process of a batch says to the one that shares out the machine.
package enum SlotMessage: Hashable, Sendable, Codable {
  /// It wants to keep one more processor busy, and to take as many bytes of memory meanwhile.
  case request(id: Int, memory: Int)
  /// It wants to write as many bytes to the disk with a folder, until its end.
  case room(id: Int, folder: String, bytes: Int)
  /// It does not any more, whether it was granted or not.
  case release(id: Int)
}

/// What it is told: that it may.
package struct SlotGrant: Hashable, Sendable, Codable {
  /// Which of its requests.
  package var id: Int
  /// How many processors are there for it, as long as all others want theirs.
  package var share: Int

  /// The grant of the request `id`.
  package init(id: Int, share: Int) { (self.id, self.share) = (id, share) }
}

/// Values a line each, over a socket.
package enum SlotLines {
  /// Writes a value; one whose reader is gone is dropped.
  package static func write(_ value: some Encodable, to descriptor: CInt) {
    var line = PlainJSON.bytes(value)
    line.append(UInt8(ascii: "\n"))
    unsafe line.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
      var rest = unsafe bytes[...]
      while unsafe !rest.isEmpty {
        let count = unsafe send(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count,
          CInt(MSG_NOSIGNAL))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        unsafe rest = rest.dropFirst(count)
      }
    }
  }

  /// Calls `body` with each value that comes, and returns when nothing comes any more.
  package static func read<Value: Decodable>(
    _ type: Value.Type, from descriptor: CInt, _ body: (Value) -> Void
  ) {
    read(from: descriptor) { line in
      if let value: Value = PlainJSON.value(line) { body(value) }
    }
  }

  /// The longest line in bytes. A longer one is dropped: a worker that was taken over may write without an end.
  private static let longestLine = 16 << 20

  /// Calls `body` with each line without its newline, until the other end closes.
  package static func read(from descriptor: CInt, _ body: (Data) -> Void) {
    var (pending, isTooLong) = (Data(), false)
    let size = 4096
    while true {
      var failure: CInt = 0
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        let read = unsafe Glibc.read(descriptor, buffer.baseAddress, size)
        failure = read < 0 ? errno : 0
        count = max(0, read)
      }
      if failure == EINTR { continue }
      guard !bytes.isEmpty else { return }
      var rest = bytes[...]
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        if !isTooLong { body(pending + Data(rest[..<end])) }
        (pending, isTooLong) = (Data(), false)
        rest = rest[(end + 1)...]
      }
      if !isTooLong { pending += rest }
      if pending.count > longestLine { (pending, isTooLong) = (Data(), true) }
    }
  }
}
