import Foundation
import TestSupport
import Testing

@testable import TesseraFaces
@testable import TesseraPixels

@Suite("Faces in pictures", .timed) struct FaceDetectorTests {
  private static let size = PixelSize(width: 320, height: 180)

  private func faces(_ drawn: [DrawnFace]) throws -> [Face] {
    let detector = FaceDetector(try #require(FaceCascade.installed))
    let samples = DrawnFace.samples(drawn, size: Self.size)
    return detector.faces(in: GrayPicture(size: Self.size, samples: samples))
  }

  @Test("Drawn eyes are found, for faces of many sizes", .enabled(if: hasCascade))
  func eyes() throws {
    for (x, y, eyes) in [
      (160.0, 70.0, 14.0), (100, 80, 20), (220, 75, 28), (160, 70, 40), (100, 80, 50),
    ] {
      let face = try #require(try faces([DrawnFace(x: x, y: y, eyes: eyes)]).first)
      let found = (
        x: Double(face.eyes.x * Self.size.width) / Double(Face.unit),
        y: Double(face.eyes.y * Self.size.height) / Double(Face.unit)
      )
      #expect(abs(found.x - x) < eyes / 4 && abs(found.y - y) < eyes / 3)
      #expect(
        Double(face.height * Self.size.height) / Double(Face.unit) / eyes > 2,
        "a face is higher than the distance of its eyes")
    }
  }

  @Test("Two people are two faces, and an empty wall has none", .enabled(if: hasCascade))
  func several() throws {
    let two = try faces([
      DrawnFace(x: 90, y: 70, eyes: 24), DrawnFace(x: 230, y: 80, eyes: 26),
    ])
    #expect(two.count == 2)
    #expect(try faces([]).isEmpty)
  }

  @Test("A picture is searched upright, for any coded orientation")
  func orientation() {
    let size = PixelSize(width: 96, height: 64)
    let image = Image(.yuv420p8, size: size)
    for y in 0..<size.height {
      for x in 0..<size.width { image[plane: 0][x, y] = UInt8(x + y) }
    }
    let picture = Picture(image, color: .canvas, orientation: .rotated90)
    let gray = GrayPicture(picture)
    #expect(gray.size == PixelSize(width: 64, height: 96))
    // Rotated clockwise, the lower left corner of the coded picture is at the upper left.
    #expect(gray.samples[0] == UInt8(size.height - 1))
    #expect(gray.samples[gray.size.width - 1] == 0)
  }

  @Test("An invalid cascade is refused")
  func invalid() {
    for text in [
      "", "<opencv_storage/>", "<width>20</width><stageThreshold>1</stageThreshold>",
      "<stageThreshold>0.5</stageThreshold><internalNodes>0 -1 3 1 1 1 1 1 1 1 1</internalNodes>"
        + "<leafValues>1 -1</leafValues><rect>0 0 2 2</rect>",
      "<stageThreshold>0.5</stageThreshold><rect>20 0 4 4</rect>", "<!-- <rect>",
    ] {
      #expect(FaceCascade(Array(text.utf8)) == nil)
    }
  }
}

private let hasCascade = FileManager.default.fileExists(atPath: FaceCascade.path)
