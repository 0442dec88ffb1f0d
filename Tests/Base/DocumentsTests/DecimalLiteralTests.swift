import TesseraDocuments
import TesseraMessages
import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct DecimalLiteralTests {
  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("1", 1_000_000_000), ("0.412", 412_000_000), ("1.5e1", 15_000_000_000),
      ("0.41200000000000003", 412_000_000), ("1760000000.412", 1_760_000_000_412_000_000),
      ("-2.25", -2_250_000_000), ("1e-9", 1), ("4e-10", 0), ("5e-10", 1), ("0.0000000005", 1),
      ("9223372036.854775807", Int64.max), ("1e-100000000000000000000", 0), ("0e99999", 0),
      (".5", 500_000_000), ("5.", 5_000_000_000), ("+3", 3_000_000_000), ("007", 7_000_000_000),
    ] as [(String, Int64)])
  func secondsAreExact(text: String, nanoseconds: Int64) throws {
    #expect(
      try #require(DecimalLiteral(text)).time(.seconds) == MediaTime(nanoseconds: nanoseconds))
  }

  @Test(arguments: ["9223372036.854775808", "1e11", "1e99999999999999999999", "-1e30"])
  func timesOutOfRangeAreRefused(text: String) throws {
    #expect(try #require(DecimalLiteral(text)).time(.seconds) == nil)
  }

  @Test(arguments: ["", "-", ".", "e5", "1e", "1e+", "1.2.3", "NaN", ".inf", "0x10", "1 ", "١"])
  func otherTextIsNoNumber(text: String) { #expect(DecimalLiteral(text) == nil) }

  /// A number of a hundred thousand digits is refused, in JSON and in YAML.
  @Test func endlessNumbersAreRefused() throws {
    let endless = String(repeating: "1", count: 100_000)
    #expect(DecimalLiteral(endless) == nil && DecimalLiteral("0." + endless) == nil)
    #expect(DecimalLiteral(String(repeating: "1", count: 400)) != nil)
    let json = #expect(throws: DocumentError.self) {
      try DocumentValue("[\(endless)]", .json, file: "a.json")
    }
    #expect(json?.reason.commandLine.contains("too many digits") == true)
    let yaml = try DocumentValue("a: \(endless)", .yaml, file: "a.yaml")
    #expect(yaml["a"]?.numeral == nil)
  }

  @Test func unitsScale() throws {
    let numeral = try #require(DecimalLiteral("1760000000412"))
    #expect(numeral.time(.milliseconds)?.nanoseconds == 1_760_000_000_412_000_000)
    #expect(DecimalLiteral("412500")?.time(.microseconds)?.nanoseconds == 412_500_000)
    #expect(DecimalLiteral("1760000000412000000")?.time(.nanoseconds)?.seconds == 1_760_000_000.412)
  }

  @Test(
    arguments: [
      ("30", 30), ("30.0", 30), ("3e1", 30), ("30.5", nil), ("0.5", nil), ("0.0", 0),
      ("99999999999999999999", nil),
    ] as [(String, Int?)])
  func wholeNumbersAreExact(text: String, value: Int?) {
    #expect(DecimalLiteral(text)?.integer == value)
  }
}
