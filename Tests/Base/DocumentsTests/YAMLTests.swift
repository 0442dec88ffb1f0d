import TesseraDocuments
import TestSupport
import Testing

@Suite(.timed) struct YAMLTests {
  @Test func scalarsFollowTheCoreSchema() throws {
    let text = """
      a: off
      b: true
      c: 007
      d: "7"
      e: 1:30
      f: ~
      g: 0.040
      h: .nan
      i: [x, { y: -2 }]
      """
    let document = try DocumentValue.read(text, .yaml)
    #expect(
      document.json()
        == #"{"a":"off","b":true,"c":7,"d":"7","e":"1:30","f":null,"g":0.040,"h":".nan","#
        + #""i":["x",{"y":-2}]}"#)
    #expect(document["c"]?.identifier == "007")
    #expect(document["f"] == nil)
  }

  @Test(arguments: [
    ("a: &x 1\nb: *x", "aliases"), ("a: 1\na: 2", "twice"), ("a: [", "it is not YAML"),
    ("? [a]\n: 1", "a key that is not text"), ("--- 1\n--- 2", "it is not YAML"),
    ("a: *x", "it is not YAML"), ("\t- a", "it is not YAML"), ("\"1\": 2\n1: 3", "twice"),
    (String(repeating: "[", count: 300), "nested"),
    (String(repeating: "- ", count: 300), "nested"), ("a: \u{1}", "it is not YAML"),
  ])
  func invalidYAMLIsRefused(text: String, part: String) throws {
    let said = try #require(message { _ = try DocumentValue.read(text, .yaml) })
    #expect(said.hasPrefix("a file") && said.contains(part) && said.hasSuffix("."))
  }

  @Test func nestedAliasesAreRefusedEarly() {
    var text = "a0: &a0 x\n"
    for level in 1..<40 { text += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
    #expect(message { _ = try DocumentValue.read(text, .yaml) }?.contains("aliases") == true)
  }

  @Test func largeFilesAreRefused() {
    let large = [UInt8](repeating: 0x20, count: DocumentValue.maximumYAMLSize + 1)
    #expect(
      message { _ = try DocumentValue(large, .yaml, file: "a file") }
        == "a file cannot be read: it is larger than the limit of 2 MB.")
  }

  @Test func longKeysAreWrittenAsJSON() throws {
    var members = DocumentValue.Members()
    members.append(String(repeating: "[", count: 300), .bool(true))
    let document = DocumentValue.object(members)
    #expect(try DocumentValue.read(document.yaml, .yaml) == document)
  }

  @Test(arguments: 0..<60) func writtenDocumentsAreReadBack(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let document = DocumentValue.object(Self.members(depth: 3, &random))
    #expect(try DocumentValue.read(document.yaml, .yaml) == document, "\(document.yaml)")
    #expect(try DocumentValue.read(document.json()) == document)
  }

  private static let texts = [
    "", "a", "off", "12", "-", "# a", "a: b", " a", "a ", "\u{1f600}", "\u{202e}x", "a\nb", "null",
    "*", "&a", "[&a", "x *a *b*", "[[{[[[[[[[[[[]", "a & b", "\u{85}\u{2028}\u{feff}\u{7f}\u{0}",
    "'", "\"", "%{}", "[a", "1:30", "é", "=",
  ]

  private static func members(depth: Int, _ random: inout SplitMix64) -> DocumentValue.Members {
    var members = DocumentValue.Members()
    for index in 0..<Int.random(in: 0...4, using: &random) {
      let key = Bool.random(using: &random) ? "k\(index)" : texts[(index * 5 + depth) % texts.count]
      guard !members.keys.contains(key) else { continue }
      members.append(key, value(depth: depth, &random))
    }
    return members
  }

  private static func value(depth: Int, _ random: inout SplitMix64) -> DocumentValue {
    switch Int.random(in: 0..<(depth > 0 ? 6 : 4), using: &random) {
    case 0: return .bool(Bool.random(using: &random))
    case 1: return .number(DecimalLiteral(Int.random(in: -9...9999, using: &random)))
    case 2: return .null
    case 3: return .text(texts[Int.random(in: texts.indices, using: &random)])
    case 4:
      let count = Int.random(in: 0...3, using: &random)
      return .list((0..<count).map { _ in value(depth: depth - 1, &random) })
    default: return .object(members(depth: depth - 1, &random))
    }
  }

  @Test(
    "Keys and texts with unusual characters are read back",
    arguments: [
      #"{"\ufeff":[1],"b":{"":{}}}"#, #"{"a":["\u00e9\ud83d\uee00\n"]}"#, #"{"\ufeff":1}"#,
      #"{"a":{"\ufeff":{}}}"#, #"{"\ufffd":[1,"\uee00"]}"#, #"{"a":[{"b":"\ufeffx"}]}"#,
    ])
  func letters(json: String) throws {
    let document = try DocumentValue(Array(json.utf8), .json, file: "a.json")
    let yaml = document.yaml
    #expect(
      try DocumentValue(Array(yaml.utf8), .yaml, file: "a.yaml").json() == document.json(),
      "\(yaml.debugDescription)")
  }
}
