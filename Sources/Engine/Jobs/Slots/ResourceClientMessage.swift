package import Foundation
import Glibc
import TesseraSystem

/// A message from a process of a batch to the batch's coordinator, which divides the machine.
package enum ResourceClientMessage: Hashable, Sendable, Codable {
  /// Asks for one more slot: a processor, and `memory` bytes meanwhile.
  case request(id: Int, memory: Int)
  /// Asks for `bytes` on the disk that contains `folder`, until the process ends.
  case room(id: Int, folder: String, bytes: Int)
  /// Withdraws a request, or returns its slot if it was granted.
  case release(id: Int)
}

/// The coordinator's answer: the request `id` may proceed.
package struct ResourceGrant: Hashable, Sendable, Codable {
  /// The number of the granted request.
  package var id: Int
  /// Number of slots that the process can expect while all others want theirs.
  package var share: Int

  package init(id: Int, share: Int) { (self.id, self.share) = (id, share) }
}

/// JSON values over a socket or pipe, one for each line.
package enum JSONLineChannel {
  /// Writes a value as a line. Drops it if the reader is gone.
  package static func write(_ value: some Encodable, to descriptor: CInt) {
    var line = CanonicalJSON.bytes(value)
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

  /// Calls `body` with each value that arrives, until the other end closes.
  package static func read<Value: Decodable>(
    _ type: Value.Type, from descriptor: CInt, _ body: (Value) -> Void
  ) {
    read(from: descriptor) { line in
      if let value: Value = CanonicalJSON.value(line) { body(value) }
    }
  }

  /// The longest line in bytes. A longer one is dropped, because a compromised worker may write
  /// without an end.
  private static let longestLine = 16 << 20

  /// Calls `body` with each line, without its newline, until the other end closes.
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
