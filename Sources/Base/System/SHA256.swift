import CTesseraCrypto

/// SHA-256 (FIPS 180-4) of bytes that come piece by piece, by libcrypto.
@safe package final class SHA256 {
  private let context: OpaquePointer

  /// A digest of nothing yet.
  package init() {
    guard let context = unsafe EVP_MD_CTX_new() else { preconditionFailure("memory for a hash") }
    unsafe self.context = context
    unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil)
  }

  deinit { unsafe EVP_MD_CTX_free(context) }

  /// The digest of `bytes`: 32 bytes.
  package static func digest(_ bytes: some Collection<UInt8>) -> [UInt8] {
    let hash = SHA256()
    hash.update(bytes)
    return hash.finish()
  }

  /// Adds bytes.
  package func update(_ bytes: some Collection<UInt8>) {
    let handled = bytes.withContiguousStorageIfAvailable { buffer in
      unsafe EVP_DigestUpdate(context, buffer.baseAddress, buffer.count)
    }
    guard handled == nil else { return }
    let whole = Array(bytes)
    unsafe EVP_DigestUpdate(context, whole, whole.count)
  }

  /// Ends the message and returns its digest: 32 bytes. Nothing may be added afterwards.
  package func finish() -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    unsafe EVP_DigestFinal_ex(context, &digest, nil)
    return digest
  }

  /// The code of `bytes` with `key` (HMAC, RFC 2104): 32 bytes.
  package static func authentication(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: 32)
    unsafe HMAC(EVP_sha256(), key, CInt(key.count), bytes, bytes.count, &code, nil)
    return code
  }
}

extension Sequence<UInt8> {
  /// Two hexadecimal digits for each byte.
  package var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
