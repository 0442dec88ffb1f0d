import Glibc
import TesseraSystem

/// An HTTP server on loopback with replies from a closure, one request per connection.
final class LoopbackServer: Sendable {
  /// A client's request.
  struct Request: Sendable {
    var method: String
    var target: String
    /// The headers, with names in lower case.
    var headers: [String: String]

    /// Returns the requested byte range of an object of `size` bytes.
    func range(of size: Int) -> Range<Int> {
      let bounds = headers["range"]?.dropFirst(6).split(separator: "-").compactMap { Int($0) } ?? []
      return bounds.count == 2 ? bounds[0]..<min(bounds[1] + 1, size) : 0..<size
    }
  }

  /// The reply to a request.
  struct Reply: Sendable {
    var status = 200
    var headers: [String: String] = [:]
    var body: [UInt8] = []
    /// The number of body bytes after which the connection is reset; `nil` for no reset.
    var cut: Int?
    /// The announced content length, if it differs from the body's size.
    var length: Int?

    /// Returns the reply for a byte range of an object.
    static func part(_ object: [UInt8], _ request: Request, tag: String? = "\"a\"") -> Reply {
      let range = request.range(of: object.count)
      var reply = Reply(status: 206, body: Array(object[range]))
      reply.headers["ETag"] = tag
      let end = range.upperBound - 1
      reply.headers["Content-Range"] = "bytes \(range.lowerBound)-\(end)/\(object.count)"
      if request.method == "HEAD" {
        (reply.status, reply.body, reply.length) = (200, [], object.count)
        reply.headers["Content-Range"] = nil
      }
      return reply
    }
  }

  let port: UInt16
  private let listener: CInt
  private let threads: ThreadGroup
  private let seen: ConditionLock<[Request]>

  /// The requests so far.
  var requests: [Request] { seen.withLock { $0 } }
  /// The value for `AWS_ENDPOINT_URL_S3`.
  var address: String { "http://127.0.0.1:\(port)" }

  /// Starts the server.
  ///
  /// - Parameter reply: called for every request, with its number from 0 on.
  init(_ reply: @escaping @Sendable (Request, Int) -> Reply) {
    let accepting = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        _ = unsafe bind(accepting, pointer, size)
        _ = unsafe getsockname(accepting, pointer, &size)
      }
    }
    listen(accepting, 64)
    listener = accepting
    let seen = ConditionLock<[Request]>([])
    self.seen = seen
    port = UInt16(bigEndian: address.sin_port)
    threads = ThreadGroup(count: 8, name: "server") {
      while true {
        let connection = accept(accepting, nil, nil)
        guard connection >= 0 else { return }
        if let request = Self.read(connection) {
          let number = seen.withLock { seen in
            seen.append(request)
            return seen.count - 1
          }
          Self.send(reply(request, number), connection)
        }
        close(connection)
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    // Otherwise the threads would accept connections of a later server with the same descriptor.
    threads.join()
    close(listener)
  }

  private static func read(_ connection: CInt) -> Request? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var head: Int?
    var needed = Int.max
    while bytes.count < needed {
      let count = unsafe recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
      guard head == nil, let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { continue }
      head = end.lowerBound
      needed =
        end.upperBound + (Int(parse(bytes[..<end.lowerBound]).headers["content-length"] ?? "") ?? 0)
    }
    return parse(bytes[..<(head ?? 0)])
  }

  private static func parse(_ head: ArraySlice<UInt8>) -> Request {
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
    let first = lines.first?.split(separator: " ").map(String.init) ?? []
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
    }
    return Request(
      method: first.first ?? "", target: first.dropFirst().first ?? "", headers: headers)
  }

  private static func send(_ reply: Reply, _ connection: CInt) {
    var text = "HTTP/1.1 \(reply.status) X\r\nConnection: close\r\n"
    text += "Content-Length: \(reply.length ?? reply.body.count)\r\n"
    for (name, value) in reply.headers { text += "\(name): \(value)\r\n" }
    var bytes = Array((text + "\r\n").utf8) + reply.body.prefix(reply.cut ?? .max)
    while !bytes.isEmpty {
      let count = unsafe Glibc.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      guard count > 0 else { break }
      bytes.removeFirst(count)
    }
    guard reply.cut != nil else { return }
    // Wait until the client has read the data; then reset the connection.
    usleep(20_000)
    var now = linger(l_onoff: 1, l_linger: 0)
    unsafe setsockopt(
      connection, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
  }
}
