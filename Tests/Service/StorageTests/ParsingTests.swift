import Glibc
import TesseraMessages
import TestSupport
import Testing

@testable import TesseraStorage

@Suite("Storage: parsing", .timed) struct ParsingTests {
  @Test("XML with prefixes, references and comments") func xml() throws {
    let text = """
      <?xml version="1.0"?><!-- a > b --><s:List xmlns:s="x"><Key>a&amp;&#x42;&#67;</Key><Empty/>
      <Key>b</Key></s:List>
      """
    let root = try XMLElement.parse(Array(text.utf8))
    #expect(root.name == "List")
    #expect(root.all("Key").map(\.text) == ["a&BC", "b"])
    #expect(root.first("Empty")?.text == "")
  }

  @Test(
    "Invalid or excessive XML is refused",
    arguments: [
      "", "<a>", "<a></b>", "</a>", "<a>&unknown;</a>", "<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", "<a",
      String(repeating: "<a>", count: 1000), "<!-- <a/>",
    ])
  func badXML(text: String) {
    #expect(throws: XMLElement.Problem.self) { try XMLElement.parse(Array(text.utf8)) }
  }

  @Test("Dates") func dates() {
    #expect(AWSDate.basic(1_369_353_600) == "20130524T000000Z")
    #expect(AWSDate.seconds("2013-05-24T00:00:00Z") == 1_369_353_600)
    #expect(AWSDate.seconds("2013-05-24T00:00:01.123Z") == 1_369_353_601)
    #expect(AWSDate.seconds("yesterday") == nil)
  }

  @Test("A profile's section of the shared files") func profiles() {
    let text = """
      [default]
      aws_access_key_id = A
      # aws_secret_access_key = no
      aws_secret_access_key=S=1
      [profile other]
      region = eu-west-1
      s3 =
        addressing_style = path
      """
    #expect(
      AWSProfiles.sections(of: text) == [
        "profile default": ["aws_access_key_id": "A", "aws_secret_access_key": "S=1"],
        "profile other": ["region": "eu-west-1", "s3": "", "s3.addressing_style": "path"],
      ])
  }

  @Test("Only regular files have credentials, and others are not waited for") func pipes() throws {
    let folder = try TemporaryFolder()
    let pipe = folder.path("pipe")
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    let profiles = AWSProfiles([
      "AWS_CONFIG_FILE": pipe, "AWS_SHARED_CREDENTIALS_FILE": "/dev/zero",
    ])
    #expect(profiles.values.isEmpty)
    let error = #expect(throws: StorageError.self) { try TokenFile.read(pipe) }
    #expect(error?.description.hasSuffix("cannot be read: it is not a regular file.") == true)
  }

  @Test("Only addresses of the public network are public") func addresses() {
    let refused: [[UInt8]] = [
      [0, 0, 0, 0], [10, 1, 2, 3], [127, 0, 0, 1], [169, 254, 169, 254], [172, 16, 0, 1],
      [172, 31, 255, 255], [192, 168, 0, 1], [100, 64, 0, 1], [224, 0, 0, 1], [255, 255, 255, 255],
      [198, 18, 0, 1], [192, 0, 2, 1],
    ]
    for bytes in refused { #expect(!PublicAddressFilter.isPublic(v4: bytes)) }
    for bytes: [UInt8] in [[8, 8, 8, 8], [172, 32, 0, 1], [100, 128, 0, 1], [223, 1, 1, 1]] {
      #expect(PublicAddressFilter.isPublic(v4: bytes))
    }
    let zeros = [UInt8](repeating: 0, count: 16)
    var loopback = zeros
    loopback[15] = 1
    let mapped = zeros.prefix(10) + [0xff, 0xff, 8, 8, 8, 8]
    let unique: [UInt8] = [0xfd] + zeros.dropFirst()
    let link: [UInt8] = [0xfe, 0x80] + zeros.dropFirst(2)
    let multicast: [UInt8] = [0xff, 0x02] + zeros.dropFirst(2)
    let tunnel: [UInt8] = [0x20, 0x02, 127, 0, 0, 1] + zeros.dropFirst(6)
    for bytes in [zeros, loopback, Array(mapped), unique, link, multicast, tunnel] {
      #expect(!PublicAddressFilter.isPublic(v6: bytes))
    }
    #expect(PublicAddressFilter.isPublic(v6: [0x26, 0x06, 0x47, 0] + zeros.dropFirst(4)))
  }

  @Test("Retry waits grow, are random, and respect Retry-After") func retries() {
    let retries = RetryPolicy(attempts: 5, base: 1, cap: 8)
    for attempt in 1...9 {
      let longest = min(8, Double(1 << (attempt - 1)))
      #expect((0...longest).contains(retries.seconds(after: attempt, asked: nil)))
      #expect((3...(3 + longest)).contains(retries.seconds(after: attempt, asked: 3)))
    }
    #expect(retries.seconds(after: 1, asked: 1_000_000) <= 61)
  }
}
