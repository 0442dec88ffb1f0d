import Foundation

/// A minimal S3 server on loopback: objects can be put, read by ranges, queried and listed, without
/// any checks.
public final class BucketStub {
  private let process = Process()
  private let held = Pipe()
  private let folder: TemporaryFolder
  /// The path of a secrets file that configures this server.
  public let secrets: String

  private static let program = """
    import http.server, re, sys, os, hashlib, threading, urllib.parse, html
    # It ends with the process that began it.
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    root = sys.argv[1]
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        def log_message(self, *a): pass
        def path_of(self):
            return os.path.join(root, urllib.parse.unquote(self.path.split("?")[0]).strip("/").replace("/", "\\\\"))
        def send(self, status, body=b"", **headers):
            self.send_response(status)
            for name, value in headers.items(): self.send_header(name.replace("_", "-"), value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD": self.wfile.write(body)
        def do_PUT(self):
            data = self.rfile.read(int(self.headers["Content-Length"]))
            open(self.path_of(), "wb").write(data)
            open(self.path_of() + "~", "w").write(self.headers.get("x-amz-meta-made-from") or "")
            self.send(200, ETag='"%s"' % hashlib.md5(data).hexdigest())
        def do_POST(self):
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self.send(200, b"<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>")
        def do_DELETE(self): self.send(204)
        def do_HEAD(self): self.do_GET()
        def do_GET(self):
            query = urllib.parse.parse_qs(self.path.partition("?")[2], keep_blank_values=True)
            if "list-type" in query:
                bucket = self.path.split("?")[0].strip("/")
                prefix = query.get("prefix", [""])[0]
                rows = ""
                for name in sorted(os.listdir(root)):
                    key = name.replace("\\\\", "/")[len(bucket) + 1:]
                    if name.endswith("~") or not name.startswith(bucket) or not key.startswith(prefix): continue
                    data = open(os.path.join(root, name), "rb").read()
                    rows += "<Contents><Key>%s</Key><Size>%d</Size><ETag>&quot;%s&quot;</ETag></Contents>" % (html.escape(key), len(data), hashlib.md5(data).hexdigest())
                return self.send(200, ("<ListBucketResult>%s<IsTruncated>false</IsTruncated></ListBucketResult>" % rows).encode())
            if "uploads" in query:
                return self.send(200, b"<ListMultipartUploadsResult></ListMultipartUploadsResult>")
            try: data = open(self.path_of(), "rb").read()
            except OSError: return self.send(404, b"<Error><Code>NoSuchKey</Code></Error>")
            tag = '"%s"' % hashlib.md5(data).hexdigest()
            asked = re.match(r"bytes=(\\d+)-(\\d*)", self.headers.get("Range") or "")
            if self.command == "HEAD" or not asked:
                return self.send(200, data, ETag=tag, Accept_Ranges="bytes")
            first, last = int(asked[1]), min(int(asked[2] or len(data)), len(data) - 1)
            self.send(206, data[first:last + 1], ETag=tag, Content_Range="bytes %d-%d/%d" % (first, last, len(data)))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()
    """

  /// Starts a server with an empty bucket.
  public init() throws {
    folder = try TemporaryFolder()
    let (root, output) = (folder.path("objects"), Pipe())
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = ["-c", Self.program, root]
    (process.standardInput, process.standardOutput) = (held, output)
    process.standardError = FileHandle.nullDevice
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    secrets = folder.path("secrets")
    let text = """
      AWS_ACCESS_KEY_ID=key
      AWS_SECRET_ACCESS_KEY=secret
      AWS_REGION=us-east-1
      AWS_ENDPOINT_URL_S3=http://127.0.0.1:\(line.trimmingCharacters(in: .whitespacesAndNewlines))
      """
    try Data(text.utf8).write(to: URL(filePath: secrets))
  }

  deinit { process.terminate() }

  /// Copies a file into the bucket.
  public func put(_ path: String, at key: String) throws {
    try FileManager.default.copyItem(atPath: path, toPath: self.path(key))
  }

  /// Returns the path of the file that stores the object `bucket/key`.
  public func path(_ key: String) -> String {
    folder.path("objects/" + key.replacing("/", with: "\\"))
  }

  /// The keys of all objects, with their buckets.
  public var keys: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path("objects"))) ?? []
    return names.filter { !$0.hasSuffix("~") }.map { $0.replacing("\\", with: "/") }.sorted()
  }
}
