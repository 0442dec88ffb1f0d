import TesseraCodecs
import TesseraLayout
import TesseraPlan
import TesseraTimeline

/// What changes for everyone, and how much of it has room.
struct TimelineMarks {
  /// A change that is named.
  struct Mark {
    var frame: Int
    var text: String
    var isLayout: Bool
  }

  /// What is named: the layout's changes first, as they are fewest, then in order of time.
  let named: [Mark]
  /// The frames in which tiles begin to move.
  let scenes: [Int]

  init(_ plan: Plan) {
    let layouts = Set(plan.layoutFrames)
    let marks = plan.marks.sorted { $0.key < $1.key }.map { frame, happenings in
      Mark(
        frame: frame, text: happenings.phrases.listed(most: 2), isLayout: layouts.contains(frame))
    }.filter { plan.frames.contains($0.frame) && $0.frame > plan.frames.lowerBound }
    named = marks.filter(\.isLayout) + marks.filter { !$0.isLayout }
    let rate = plan.output.video.frameRate
    scenes = plan.scenes.changeTimes.map(rate.firstFrame(at:)).filter {
      plan.frames.contains($0) && $0 > plan.frames.lowerBound
    }
  }

  /// The marks whose labels have room beside each other, with where they begin.
  func labels(on axis: TimelineAxis, letter: Double) -> [(mark: Mark, x: Double)] {
    var taken: [(from: Double, to: Double)] = []
    var labels: [(mark: Mark, x: Double)] = []
    for mark in named {
      var mark = mark
      mark.text = SVGText.fitted(mark.text, columns: 40)
      let width = Double(SVGText.width(mark.text)) * letter + 10
      let x = min(axis.x(mark.frame), axis.left + axis.width - width)
      guard !taken.contains(where: { x < $0.to && $0.from < x + width }) else { continue }
      taken.append((x, x + width))
      labels.append((mark, x))
      if taken.count >= 64 { break }
    }
    return labels.sorted { $0.x < $1.x }
  }

  /// Where tiles begin to move, a mark for each pixel at most.
  func ticks(on axis: TimelineAxis) -> [Double] {
    Set(scenes.map { axis.x($0).rounded() }).sorted()
  }
}
