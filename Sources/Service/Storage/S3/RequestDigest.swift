import Glibc
import TesseraSystem

/// SHA-256 digests of request bodies and of texts.
enum RequestDigest {
  /// Returns the SHA-256 of a request's body, or `nil` if its file cannot be read.
  static func sha256(_ body: RequestBody) -> [UInt8]? {
    switch body {
    case .none: return SHA256.digest([])
    case .bytes(let bytes): return SHA256.digest(bytes)
    case .file(let descriptor, let offset, let count):
      let hash = SHA256()
      var buffer = [UInt8](repeating: 0, count: 1 << 18)
      var position = 0
      while position < count {
        let read = unsafe pread(
          descriptor, &buffer, min(buffer.count, count - position), offset + position)
        guard read > 0 else { return nil }
        hash.update(buffer[..<read])
        position += read
      }
      return hash.finish()
    }
  }

  /// Returns the SHA-256 of a text in hexadecimal digits.
  static func text(_ text: String) -> String { SHA256.digest(Array(text.utf8)).hexadecimal }
}
