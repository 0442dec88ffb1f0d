import TesseraPixels
import TestSupport
import Testing

@testable import TesseraProof
@testable import TesseraVerify

@Suite("Frozen frames during expected motion", .timed) struct FrozenFrameDetectorTests {
  /// Returns the still frames found if pictures have these fractions of an expected motion of one
  /// level.
  private static func found(_ parts: [Double], expected: Double = 1) -> [ClosedRange<Int>] {
    var frames = FrozenFrameDetector()
    for (number, part) in parts.enumerated() {
      frames.see(number, expected: expected, found: part * expected)
    }
    return frames.ended()
  }

  @Test("A repeated frame is found once the next frame moves")
  func few() {
    let usual = Array(repeating: 0.9, count: 10)
    #expect(Self.found(usual + [0.1] + usual) == [10...10])
    #expect(Self.found(usual + [0.1, 0.2] + usual) == [10...11])
    #expect(Self.found(usual + [0.1]) == [])
  }

  @Test("A frozen stretch ends with the motion that catches up")
  func many() {
    let (usual, still) = (Array(repeating: 0.8, count: 10), Array(repeating: 0.05, count: 25))
    #expect(Self.found(usual + still + [3] + usual) == [10...34])
    // Noise that encoders remove comes and goes without a jump.
    #expect(Self.found(usual + still + usual) == [])
  }

  @Test("Tiny motion, noise and slight blur by encoders are not reported")
  func quiet() {
    let usual = Array(repeating: 0.9, count: 10)
    #expect(Self.found(usual + [0.1] + usual, expected: 0.4) == [])
    #expect(Self.found(usual.map { $0 / 3 } + [0.01] + usual.map { $0 / 3 }) == [])
    #expect(Self.found(usual + [0.5] + usual) == [])
  }

  @Test("Nothing is reported if encoders drop as much motion in other frames")
  func lossy() {
    let uneven = [0.9, 0.2, 1.1, 0.9, 0.1, 0.9, 1, 0.3, 0.9, 1, 0.9, 0.9]
    #expect(Self.found(uneven + [0.1] + uneven) == [])
    // Strong motion, or motion long ago, says nothing about slight motion that starts.
    for (before, pause) in [(8.0, 0), (1, 10)] {
      var frames = FrozenFrameDetector()
      for number in 0..<20 { frames.see(number, expected: before, found: before) }
      for number in 20..<20 + pause { frames.see(number, expected: 0, found: 0) }
      frames.see(20 + pause, expected: 1, found: 0.1)
      frames.see(21 + pause, expected: before, found: before)
      #expect(frames.ended() == [])
    }
    // After a refreshed picture, there is nothing to catch up.
    let usual = Array(repeating: 0.9, count: 10)
    #expect(Self.found(usual + [4, 0.1] + usual) == [])
    #expect(Self.found(usual + [1.8, 0.1] + usual) == [])
  }

  @Test("Motion is the mean luma difference, nearly unchanged when stored as a byte")
  func meter() {
    var (meter, image) = (MotionMeter(), [UInt8](repeating: 100, count: 64 * 40))
    func see(_ size: PixelSize) -> Double? {
      unsafe image.withUnsafeBufferPointer { buffer in
        meter.see(unsafe Plane(base: buffer.baseAddress!, stride: 64, size: size))
      }
    }
    let size = PixelSize(width: 64, height: 40)
    #expect(see(size) == nil)
    #expect(see(size) == 0)
    for index in image.indices where index % 4 == 0 { image[index] = 92 }
    #expect(see(size) == 2)
    #expect(see(PixelSize(width: 32, height: 40)) == nil)
    for motion in [0.03, 0.2, 1, 7, 100, 255] {
      let levels = MotionMeter.levels(MotionMeter.byte(motion))
      #expect(abs(levels - motion) < 0.05 * motion + 0.002)
    }
    #expect(MotionMeter.byte(0) == 0 && MotionMeter.levels(0) == 0)
  }
}
