import TestSupport
import Testing

@testable import TesseraStorage

@Suite("Location", .timed) struct LocationTests {
  @Test("Keys are literal") func keys() throws {
    let location = try Location("s3://my.bucket/a b/ü%20?x#y.webm")
    #expect(location == .object(bucket: "my.bucket", key: "a b/ü%20?x#y.webm"))
    #expect(location.name == "ü%20?x#y.webm")
  }

  @Test("Text without a scheme is a path") func paths() throws {
    #expect(try Location("a/b:c.webm") == .file("a/b:c.webm"))
    #expect(try Location("file:///a/b") == .file("/a/b"))
  }

  @Test("A signature in an address is not printed") func secrets() throws {
    let location = try Location("https://host/a%20b.webm?X-Amz-Signature=12")
    #expect("\(location)" == "https://host/a%20b.webm")
    #expect(location.name == "a b.webm")
  }

  @Test(
    "Other addresses are refused",
    arguments: [
      "ftp://host/x", "s3://b/x", "s3:///x", "s3://a..b/x", "https:///x", "https://me:pw@host/x",
      "file://host/x",
    ])
  func refused(text: String) { #expect(throws: LocationError.self) { try Location(text) } }

  @Test("A recording can only name files below its prefix") func below() throws {
    let folder = try Location("s3://bucket/call/")
    #expect(folder.appending("a/b.webm") == .object(bucket: "bucket", key: "call/a/b.webm"))
    for path in ["../b", "a/../../b", "/etc/passwd", "https://host/x", "", "a/./b", "a\0"] {
      #expect(folder.appending(path) == nil)
    }
  }

  @Test("An address keeps its encoding") func addresses() {
    let address = WebAddress("HTTPS://Host:8443/a%20b?c=d#e")
    #expect(address?.origin == "https://host:8443")
    #expect(address?.target == "/a%20b?c=d")
    #expect(address?.hostName == "host")
    #expect(address?.publicText == "https://host:8443/a%20b")
    #expect(WebAddress("https://[::1]:9/x")?.hostName == "::1")
    for text in ["https://a@b/", "https://a b/", "https://a\\b/", "https://a/\r\nx", "ftp://a/"] {
      #expect(WebAddress(text) == nil)
    }
  }

  @Test("A redirect is resolved relative to its address") func redirects() throws {
    let address = try #require(WebAddress("https://host/a/b?c"))
    #expect(address.redirected(to: "https://other/x")?.text == "https://other/x")
    #expect(address.redirected(to: "//other/x")?.text == "https://other/x")
    #expect(address.redirected(to: "/x?y")?.text == "https://host/x?y")
    #expect(address.redirected(to: "x")?.text == "https://host/a/x")
    #expect(address.redirected(to: "file:///etc/passwd") == nil)
  }
}
