import Foundation
import TesseraSystem
import TestSupport
import Testing

@testable import TesseraStorage

@Suite("Signature: AWS Signature Version 4", .timed) struct RequestSignerTests {
  /// A request and botocore's signature of it.
  private struct Vector: Decodable {
    var method: String
    var host: String
    var path: String
    var region: String
    var token: String?
    var query: [[String]]
    var headers: [String: String]
    var payload: String
    var date: String
    var authorization: String
  }

  @Test("Random requests are signed like botocore does") func vectors() throws {
    let file = try #require(Bundle.module.url(forResource: "Vectors", withExtension: "json"))
    let vectors = try JSONDecoder().decode([Vector].self, from: Data(contentsOf: file))
    #expect(vectors.count == 240)
    for vector in vectors {
      let credentials = Credentials(
        identifier: "AKIDEXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
        token: vector.token)
      let headers = RequestSigner(credentials, region: vector.region).headers(
        of: RequestSigner.Request(
          method: vector.method, host: vector.host, path: vector.path,
          query: vector.query.map { (name: $0[0], value: $0[1]) }, headers: vector.headers,
          payload: vector.payload), date: vector.date)
      #expect(headers["authorization"] == vector.authorization)
    }
  }

  @Test("HMAC matches RFC 4231") func hmac() {
    let code = SHA256.authentication(
      of: Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
    #expect(
      code.hexadecimal
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
  }

  @Test("Descriptions of credentials contain no keys") func secrets() {
    let credentials = Credentials(identifier: "AKID", secret: "geheim", token: "marke")
    var dumped = ""
    dump(credentials, to: &dumped)
    for text in [
      "\(credentials)", credentials.debugDescription, dumped, String(reflecting: credentials),
    ] {
      #expect(!text.contains("geheim") && !text.contains("marke"))
    }
  }
}
