import TestSupport
import Testing

@testable import TesseraPixels

@Suite(.timed) struct MaskTests {
  @Test(arguments: [false, true], [false, true])
  func chromaCoverageIsTheMeanOfItsLumaSamples(oddX: Bool, oddY: Bool) {
    let coverage = Samples.noise(7, 5, seed: 51)
    let image = Image(.gray8, size: coverage.size)
    for y in 0..<5 {
      for x in 0..<7 { image[plane: 0][x, y] = coverage[x, y] }
    }
    let mask = Mask(image)
    let chroma = Samples(mask.chroma(oddX: oddX, oddY: oddY))
    let (shiftX, shiftY) = (oddX ? 1 : 0, oddY ? 1 : 0)
    #expect(chroma.size == PixelSize(width: (7 + shiftX + 1) / 2, height: (5 + shiftY + 1) / 2))
    for y in 0..<chroma.size.height {
      for x in 0..<chroma.size.width {
        var sum = 0
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
          let (column, row) = (2 * x + dx - shiftX, 2 * y + dy - shiftY)
          guard (0..<7).contains(column), (0..<5).contains(row) else { continue }
          sum += Int(coverage[column, row])
        }
        #expect(Int(chroma[x, y]) == (sum + 2) / 4)
      }
    }
    #expect(Samples(mask.luma) == coverage)
  }
}
