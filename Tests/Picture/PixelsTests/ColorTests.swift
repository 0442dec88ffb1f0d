import TestSupport
import Testing

@testable import TesseraPixels

@Suite(.timed) struct ColorTests {
  @Test(
    arguments: [
      ("#101418", 0x101418), ("#fff", 0xffffff), ("#1a2", 0x11aa22), ("Navy", 0x000080),
      ("orange", 0xffa500),
    ] as [(String, UInt32)])
  func validTextIsRead(text: String, rgb: UInt32) {
    #expect(Color(text) == Color(rgb: rgb))
  }

  @Test(arguments: ["", "#", "#12345", "101418", "#12345g", "#+12345", "bleu"])
  func otherTextIsRefused(text: String) {
    #expect(Color(text) == nil)
  }

  @Test func descriptionsAreReadable() {
    #expect(Color(rgb: 0x00_0a_ff).description == "#000aff")
    #expect(Color(Color(rgb: 0x12_34_56).description) == Color(rgb: 0x12_34_56))
  }

  @Test func canvasSamplesAreLimitedBT709() {
    #expect(Color.black.canvasSample == (16, 128, 128))
    #expect(Color.white.canvasSample == (235, 128, 128))
    #expect(Color(rgb: 0xff0000).canvasSample == (63, 102, 240))
    #expect(Color(rgb: 0x0000ff).canvasSample == (32, 240, 118))
  }
}
