import Glibc

/// Decides which IP addresses a host name from a recording may resolve to: public addresses only
/// (IANA's registries of special-purpose addresses).
enum PublicAddressFilter {
  /// True if the four bytes of an IPv4 address, in network order, are public.
  static func isPublic(v4 bytes: [UInt8]) -> Bool {
    guard bytes.count == 4 else { return false }
    switch (bytes[0], bytes[1], bytes[2]) {
    case (0, _, _), (10, _, _), (127, _, _): return false
    case (100, 64...127, _), (169, 254, _), (172, 16...31, _), (192, 168, _): return false
    case (192, 0, 0), (192, 0, 2), (192, 88, 99), (198, 18...19, _): return false
    case (198, 51, 100), (203, 0, 113): return false
    case (224..., _, _): return false
    default: return true
    }
  }

  /// True if the 16 bytes of an IPv6 address are public: global unicast, and no IPv4 address in
  /// another form.
  static func isPublic(v6 bytes: [UInt8]) -> Bool {
    guard bytes.count == 16, bytes[0] & 0xe0 == 0x20 else { return false }
    // 2001::/23 (Teredo and others), 2001:db8::/32, 2002::/16 (6to4).
    if bytes[0] == 0x20, bytes[1] == 0x01 {
      if bytes[2] < 2 || (bytes[2] == 0x0d && bytes[3] == 0xb8) { return false }
    }
    return !(bytes[0] == 0x20 && bytes[1] == 0x02)
  }

  /// True if the socket address to connect to is public.
  @unsafe static func isPublic(_ address: UnsafeRawPointer, family: CInt) -> Bool {
    switch family {
    case AF_INET:
      let start = MemoryLayout<sockaddr_in>.offset(of: \.sin_addr) ?? 4
      return unsafe isPublic(v4: Array(UnsafeRawBufferPointer(start: address + start, count: 4)))
    case AF_INET6:
      let start = MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr) ?? 8
      return unsafe isPublic(v6: Array(UnsafeRawBufferPointer(start: address + start, count: 16)))
    default: return false
    }
  }
}
