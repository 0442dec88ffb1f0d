import CTesseraCrypto
import Glibc

/// Hashes, by libcrypto.
enum Digest {
  /// The SHA-256 of bytes: 32 bytes.
  static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    unsafe EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil)
    return digest
  }

  /// The SHA-256 of what is sent; nil where its file cannot be read.
  static func sha256(_ body: RequestBody) -> [UInt8]? {
    switch body {
    case .none: return sha256([])
    case .bytes(let bytes): return sha256(bytes)
    case .file(let descriptor, let offset, let count):
      let context = unsafe EVP_MD_CTX_new()
      defer { unsafe EVP_MD_CTX_free(context) }
      unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil)
      var buffer = [UInt8](repeating: 0, count: 1 << 18)
      var position = 0
      while position < count {
        let read = unsafe pread(
          descriptor, &buffer, min(buffer.count, count - position), offset + position)
        guard read > 0 else { return nil }
        unsafe EVP_DigestUpdate(context, buffer, read)
        position += read
      }
      var digest = [UInt8](repeating: 0, count: 32)
      unsafe EVP_DigestFinal_ex(context, &digest, nil)
      return digest
    }
  }

  /// The HMAC of bytes with SHA-256 (RFC 2104): 32 bytes.
  static func hmac(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: 32)
    unsafe HMAC(EVP_sha256(), key, CInt(key.count), bytes, bytes.count, &code, nil)
    return code
  }

  /// The SHA-256 of a text in hexadecimal digits.
  static func text(_ text: String) -> String { hexadecimal(sha256(Array(text.utf8))) }

  static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
