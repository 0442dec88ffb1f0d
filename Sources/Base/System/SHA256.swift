import CTesseraCrypto

/// SHA-256 (FIPS 180-4) over data that arrives in pieces, computed by libcrypto.
@safe package final class SHA256 {
  private let context: OpaquePointer

  /// Creates a hash without data.
  package init() {
    guard let context = unsafe EVP_MD_CTX_new() else { preconditionFailure("memory for a hash") }
    unsafe self.context = context
    unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil)
  }

  deinit { unsafe EVP_MD_CTX_free(context) }

  /// Returns the digest of `bytes`: 32 bytes.
  package static func digest(_ bytes: some Collection<UInt8>) -> [UInt8] {
    let hash = SHA256()
    hash.update(bytes)
    return hash.finish()
  }

  /// Adds bytes to the hash.
  package func update(_ bytes: some Collection<UInt8>) {
    let handled = bytes.withContiguousStorageIfAvailable { buffer in
      unsafe EVP_DigestUpdate(context, buffer.baseAddress, buffer.count)
    }
    guard handled == nil else { return }
    let whole = Array(bytes)
    unsafe EVP_DigestUpdate(context, whole, whole.count)
  }

  /// Returns the digest of all added bytes: 32 bytes. The hash must not be used afterwards.
  package func finish() -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    unsafe EVP_DigestFinal_ex(context, &digest, nil)
    return digest
  }

  /// Returns the HMAC-SHA-256 (RFC 2104) of `bytes` with `key`: 32 bytes.
  package static func authentication(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: 32)
    unsafe HMAC(EVP_sha256(), key, CInt(key.count), bytes, bytes.count, &code, nil)
    return code
  }
}

extension Sequence<UInt8> {
  /// The bytes as hexadecimal text: two lowercase digits for each byte.
  package var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
