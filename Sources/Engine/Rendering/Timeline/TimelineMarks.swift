import TesseraCodecs
import TesseraLayout
import TesseraPlan
import TesseraTimeline

/// The events that concern all participants, and the placement of their labels.
struct TimelineMarks {
  /// An event with its label for the drawing.
  struct EventMark {
    var frame: Int
    var text: String
    var isLayout: Bool
  }

  /// The labeled events by priority: layout changes first, because they are few, then the others in
  /// order of time.
  let named: [EventMark]
  /// The frames in which tiles begin to move.
  let scenes: [Int]

  init(_ plan: Plan) {
    let layouts = Set(plan.layoutFrames)
    let marks = plan.marks.sorted { $0.key < $1.key }.map { frame, sources in
      EventMark(
        frame: frame, text: sources.phrases.listed(most: 2), isLayout: layouts.contains(frame))
    }.filter { plan.frames.contains($0.frame) && $0.frame > plan.frames.lowerBound }
    named = marks.filter(\.isLayout) + marks.filter { !$0.isLayout }
    let rate = plan.output.video.frameRate
    scenes = plan.scenes.changeTimes.map(rate.firstFrame(at:)).filter {
      plan.frames.contains($0) && $0 > plan.frames.lowerBound
    }
  }

  /// Returns the marks whose labels fit without overlap, with the left edge of each label.
  func labels(on axis: TimelineAxis, letter: Double) -> [(mark: EventMark, x: Double)] {
    var taken: [(from: Double, to: Double)] = []
    var labels: [(mark: EventMark, x: Double)] = []
    for mark in named {
      var mark = mark
      mark.text = SVGFormatter.fitted(mark.text, columns: 40)
      let width = Double(SVGFormatter.width(mark.text)) * letter + 10
      let x = min(axis.x(mark.frame), axis.left + axis.width - width)
      guard !taken.contains(where: { x < $0.to && $0.from < x + width }) else { continue }
      taken.append((x, x + width))
      labels.append((mark, x))
      if taken.count >= 64 { break }
    }
    return labels.sorted { $0.x < $1.x }
  }

  /// Returns the positions of scene changes, at most one for each pixel.
  func ticks(on axis: TimelineAxis) -> [Double] {
    Set(scenes.map { axis.x($0).rounded() }).sorted()
  }
}
