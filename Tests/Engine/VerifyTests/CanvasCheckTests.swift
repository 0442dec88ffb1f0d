import TesseraMessages
import TestSupport
import Testing

@testable import TesseraProof
@testable import TesseraVerify

@Suite("The whole canvas", .timed) struct CanvasCheckTests {
  private static func overviews(
    seed: UInt64, _ luma: ClosedRange<UInt8> = 40...180
  ) -> [CanvasMeasurements.Overview] {
    var random = SplitMix64(seed: seed)
    func cells(_ range: ClosedRange<UInt8>) -> [UInt8] {
      (0..<CanvasMeasurements.Overview.cellCount).map { _ in UInt8.random(in: range, using: &random)
      }
    }
    return (0..<20).map { _ in
      CanvasMeasurements.Overview(
        luma: cells(luma), blue: cells(112...144), red: cells(112...144), details: [])
    }
  }

  private func texts(
    _ change: (Double, Double, Double) -> (Double, Double, Double), seed: UInt64 = 1,
    luma: ClosedRange<UInt8> = 40...180
  ) -> [String] {
    var (check, verdict) = (
      CanvasCheck(rate: 2), VerificationReport(output: "call.mp4", isProven: true)
    )
    for (number, expected) in Self.overviews(seed: seed, luma).enumerated() {
      var found = expected
      for cell in expected.luma.indices {
        let (luma, blue, red) = change(
          Double(expected.luma[cell]), Double(expected.blue[cell]) - 128,
          Double(expected.red[cell]) - 128)
        found.luma[cell] = UInt8(min(255, max(0, luma.rounded())))
        found.blue[cell] = UInt8(min(255, max(0, (blue + 128).rounded())))
        found.red[cell] = UInt8(min(255, max(0, (red + 128).rounded())))
      }
      check.see(number, expected, found)
    }
    check.report(before: nil, &verdict)
    check.finish(end: 10, &verdict)
    return verdict.sentences.map(\.commandLine)
  }

  @Test("A wrong color matrix is reported, also with pale colors")
  func matrix() {
    let wrong = ["0:00.0-0:10.0: colors are those of another matrix throughout"]
    #expect(
      texts {
        ($0 + 0.0993 * $1 + 0.1917 * $2, 0.9899 * $1 - 0.1107 * $2, 0.9834 * $2 - 0.0725 * $1)
      }
        == wrong)
    // With an offset, as scalers add.
    #expect(
      texts {
        ($0 - 0.1156 * $1 - 0.2079 * $2 - 1.2, 1.0186 * $1 + 0.1146 * $2, 1.0253 * $2 + 0.075 * $1)
      } == wrong)
  }

  @Test("Paler colors, an offset and rounding are accepted as encoder effects")
  func encoders() {
    #expect(texts { ($0 + 1.2, 0.95 * $1, 0.95 * $2) } == [])
    #expect(texts { ($0, $1 - 1, $2 + 1) } == [])
  }

  @Test("A wrong color range is reported")
  func range() {
    #expect(
      texts { (($0 - 16) * 255 / 219, $1, $2) }.contains { $0.hasSuffix("luma has another range") })
    // Middle luma alone hardly changes; the slope shows the range.
    for change in [{ ($0 - 16) * 255 / 219 }, { $0 * 219 / 255 + 16 }] as [(Double) -> Double] {
      let found = texts({ (change($0), $1, $2) }, luma: 90...140)
      #expect(found == ["0:00.0-0:10.0: luma has another range"])
    }
    #expect(texts({ (0.97 * $0 + 3, $1, $2) }, luma: 90...140) == [])
  }
}

@Suite("Flashes", .timed) struct FlashCheckTests {
  /// True if a picture flashes too often in which `cells` of 32 alternate between the levels every
  /// half period.
  private func flashes(
    hertz: Double, cells: Int = 32, from dark: UInt8 = 30, to light: UInt8 = 200
  ) -> Bool {
    var check = FlashCheck()
    return (0..<75).reduce(false) { found, frame in
      let time = Double(frame) / 25
      let isLight = Int(2 * hertz * time) % 2 == 1
      let picture = (0..<32).map { $0 < cells && isLight ? light : dark }
      return check.see(picture, at: time) || found
    }
  }

  @Test(
    "More than three flashes per second, of a quarter of the picture and 20 cd/m², are reported")
  func limits() {
    #expect(flashes(hertz: 5))
    #expect(flashes(hertz: 5, cells: 8))
    #expect(!flashes(hertz: 5, cells: 7))
    #expect(!flashes(hertz: 2))
    #expect(!flashes(hertz: 5, from: 30, to: 60))
    #expect(!flashes(hertz: 5, from: 222, to: 234))
  }

  @Test("A picture that becomes lighter and stays lighter is not a flash")
  func ramps() {
    var check = FlashCheck()
    let seen = (0..<100).map { frame in
      check.see([UInt8](repeating: UInt8(30 + 2 * frame), count: 32), at: Double(frame) / 25)
    }
    #expect(!seen.contains(true))
  }
}
