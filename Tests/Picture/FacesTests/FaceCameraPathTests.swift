import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraFaces

@Suite("Paths of faces", .timed) struct FaceCameraPathTests {
  /// Returns a face around (`x`, `y`), in thousandths of the picture.
  private func face(_ x: Int, _ y: Int = 400, side: Int = 200, weight: Int = 20) -> Face {
    let unit = Face.unit
    return Face(
      x: (x - side / 2) * unit / 1000, y: (y - side / 2) * unit / 1000, width: side * unit / 1000,
      height: side * unit / 1000, weight: weight)
  }

  private func path(_ seen: [(seconds: Int, faces: [Face])]) -> FaceCameraPath {
    FaceCameraPath(seen.map { (MediaTime(seconds: $0.seconds), $0.faces) })
  }

  private func thousandths(_ number: Int) -> Int { (number * 1000 + Face.unit / 2) / Face.unit }

  @Test("A still person has one position, despite noisy detections")
  func still() {
    let seen = (0..<120).map { index in
      (seconds: index * 2, faces: [face(500 + [-20, 0, 15, 5, -10, 30, -30][index % 7])])
    }
    #expect(path(seen).stops.count == 1)
  }

  @Test("A moving person is followed once, from the last detection at the old position")
  func moving() {
    let seen = (0..<20).map { (seconds: $0 * 2, faces: [face($0 < 10 ? 400 : 600)]) }
    let stops = path(seen).stops
    #expect(stops.map { thousandths($0.subject.x) } == [400, 600])
    #expect(stops[1].time >= MediaTime(seconds: 17) && stops[1].time <= MediaTime(seconds: 20))
  }

  @Test("An excursion shorter than 1.5 s is not followed")
  func glance() {
    let times = [0, 2, 4, 6, 8, 10].map { MediaTime(seconds: $0) }
    var seen = times.map { ($0, [face(500)]) }
    seen.insert((MediaTime(nanoseconds: 4_500_000_000), [face(700)]), at: 3)
    seen.insert((MediaTime(nanoseconds: 5_200_000_000), [face(500)]), at: 4)
    #expect(FaceCameraPath(seen).stops.count == 1)
  }

  @Test("A face is held until the next detection; without faces there is no path")
  func holding() {
    let seen = [(seconds: 0, faces: [face(300)])] + (1..<30).map { (seconds: $0 * 2, faces: []) }
    #expect(path(seen).stops.map { thousandths($0.subject.x) } == [300])
    #expect(path([(0, []), (2, [])]).stops.isEmpty)
  }

  @Test("Two faces are framed together; an occasional false second one is ignored")
  func several() {
    let two = path((0..<10).map { (seconds: $0 * 2, faces: [face(300), face(700)]) })
    #expect(two.stops.count == 1 && two.stops[0].subject.isSeveral)
    #expect(thousandths(two.stops[0].subject.x) == 500)
    #expect(thousandths(two.stops[0].subject.left) == 200)
    let one = path(
      (0..<10).map {
        (seconds: $0 * 2, faces: [face(300)] + ($0 % 4 == 1 ? [face(800, weight: 8)] : []))
      })
    #expect(one.stops.count == 1 && !one.stops[0].subject.isSeveral)
    #expect(thousandths(one.stops[0].subject.x) == 300)
  }
}
