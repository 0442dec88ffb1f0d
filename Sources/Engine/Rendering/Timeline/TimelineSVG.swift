import TesseraCodecs
package import TesseraPlan
package import TesseraSoundtrack
import TesseraTimeline

/// An SVG drawing of a plan: a lane for each participant with presence, camera, microphone, screen,
/// speech and waveform, the common events above the lanes, and a time axis.
package struct TimelineSVG {
  private let plan: Plan
  private let voices: [TrackID: VoiceAnalysis]
  private let axis: TimelineAxis
  private let lanes: [TimelineLane]

  /// Creates a drawing of `plan`. `voices` are analyses of its voices; without them there are no
  /// waveforms, and speech comes from the plan.
  package init(_ plan: Plan, voices: [TrackID: VoiceAnalysis] = [:]) {
    (self.plan, self.voices) = (plan, voices)
    axis = TimelineAxis(plan, left: Self.gutter)
    lanes = TimelineLane.lanes(plan, voices)
  }

  /// In pixels: width of the names' column, border, height of the head (title, legend, marks and
  /// times), height of a lane.
  private static let (gutter, border, head, laneHeight) = (190.0, 16.0, 112.0, 50.0)
  /// Average width of a letter, for a font size of 1 pixel.
  private static let letterWidth = 0.58

  private enum LineColor: String {
    case present = "#e8edf4"
    case floor = "#7c3aed"
    case sound = "#94a3b8"
    case speaking = "#0f766e"
    case camera = "#2563eb"
    case microphone = "#16a34a"
    case screen = "#ea8c00"
    case text = "#1e293b"
    case faint = "#64748b"
    case line = "#d5dce6"
  }

  private var lanesEnd: Double { Self.head + Self.laneHeight * Double(lanes.count) }

  /// The drawing as SVG text.
  package var svg: String {
    let number = SVGFormatter.number
    let width = number(axis.left + axis.width + 2 * Self.border)
    let height = number(lanesEnd + 40)
    var lines = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" font-family="sans-serif">
      """,
      ##"<rect width="100%" height="100%" fill="#fff"/>"##,
    ]
    lines += title + legend + grid
    for (index, lane) in lanes.enumerated() {
      lines += drawing(of: lane, top: Self.head + Self.laneHeight * Double(index))
    }
    lines += marks
    return (lines + ["</svg>", ""]).joined(separator: "\n")
  }

  // MARK: - Around the lanes

  private var title: [String] {
    let count = lanes.count
    let facts = "\(plan.duration.clock), \(count) \(count == 1 ? "person" : "people")"
    let name = SVGFormatter.fitted(plan.output.title ?? "Timeline", columns: 80)
    return [
      text(name, Self.border, 28, size: 18, isBold: true),
      text(facts, Self.border, 46, size: 12, .faint),
    ]
  }

  private var legend: [String] {
    let entries: [(LineColor, String)] = [
      (.present, "there"), (.floor, "has the floor"), (.speaking, "speaks"), (.sound, "sound"),
      (.camera, "camera"), (.microphone, "microphone"), (.screen, "screen"),
    ]
    var x = axis.left
    return entries.flatMap { ink, name in
      defer { x += 30 + Double(name.count) * 12 * Self.letterWidth }
      return [
        fill("M\(SVGFormatter.number(x)) 37h10v10h-10z", ink),
        text(name, x + 15, 46, size: 12, .faint),
      ]
    }
  }

  /// Vertical lines at round times, with labels above and below the lanes.
  private var grid: [String] {
    let number = SVGFormatter.number
    return axis.ticks.flatMap { x, label in
      let line = "M\(number(x)) \(number(Self.head))V\(number(lanesEnd))"
      return [
        stroke(line, .line), text(label, x, Self.head - 8, size: 11, .faint, isCentered: true),
        text(label, x, lanesEnd + 18, size: 11, .faint, isCentered: true),
      ]
    }
  }

  /// The common events: lines with labels as far as there is space, and a tick for each scene
  /// change.
  private var marks: [String] {
    let number = SVGFormatter.number
    let marks = TimelineMarks(plan)
    var lines: [String] = []
    let ticks = marks.ticks(on: axis).map { "M\(number($0)) 82v8" }.joined()
    if !ticks.isEmpty { lines.append(stroke(ticks, .faint)) }
    for (mark, x) in marks.labels(on: axis, letter: 11 * Self.letterWidth) {
      let at = number(axis.x(mark.frame))
      let ink: LineColor = mark.isLayout ? .text : .faint
      lines.append(
        stroke("M\(at) 76V\(number(lanesEnd))", ink, " stroke-dasharray=\"3 4\" opacity=\"0.6\""))
      lines.append(text(mark.text, x, 72, size: 11, ink, isBold: mark.isLayout))
    }
    return lines
  }

  // MARK: - Lanes

  private func drawing(of lane: TimelineLane, top: Double) -> [String] {
    let number = SVGFormatter.number
    let border = "M\(number(Self.border)) \(number(top))H\(number(axis.left + axis.width))"
    var lines = [stroke(border, .line)]
    let bars: [([Range<Int>], Double, Double, LineColor)] = [
      (lane.present, 2, 46, .present), (lane.floor, 2, 3, .floor), (lane.camera, 32, 4, .camera),
      (lane.microphone, 37.5, 4, .microphone), (lane.screen, 43, 4, .screen),
    ]
    for (ranges, offset, height, ink) in bars {
      if let path = axis.bars(ranges, top: top + offset, height: height) {
        lines.append(fill(path, ink))
      }
    }
    let sound = TimelineWaveform(lane.voices, voices, on: axis)
    if let path = sound.path(middle: top + 18, reach: 12) { lines.append(stroke(path, .sound)) }
    var speaking = lane.speaking[...]
    let spoken = sound.path(middle: top + 18, reach: 12) { frame in
      while let first = speaking.first, first.upperBound <= frame { speaking.removeFirst() }
      return speaking.first?.contains(frame) ?? false
    }
    if let spoken { lines.append(stroke(spoken, .speaking)) }
    let name = SVGFormatter.fitted(lane.name, columns: 23)
    lines.append(text(name, Self.border, top + 22, size: 13, isBold: true, title: lane.name))
    lines.append(text(facts(lane), Self.border, top + 38, size: 11, .faint))
    return lines
  }

  /// Returns a text with the duration of the participant's presence and speech in the output.
  private func facts(_ lane: TimelineLane) -> String {
    let length = { (ranges: [Range<Int>]) in
      let frames = ranges.merged.reduce(0) { $0 + plan.cut.intersection(FrameSelection($1)).count }
      return plan.output.video.frameRate.time(ofFrame: frames).clock
    }
    guard !lane.present.isEmpty else { return "not seen" }
    let spoken = lane.speaking.isEmpty ? "" : ", speaks \(length(lane.speaking))"
    return "there \(length(lane.present))\(spoken)"
  }

  // MARK: - Elements

  private func fill(_ path: String, _ ink: LineColor) -> String {
    "<path d=\"\(path)\" fill=\"\(ink.rawValue)\"/>"
  }

  private func stroke(_ path: String, _ ink: LineColor, _ more: String = "") -> String {
    "<path d=\"\(path)\" stroke=\"\(ink.rawValue)\" fill=\"none\"\(more)/>"
  }

  private func text(
    _ text: String, _ x: Double, _ y: Double, size: Int, _ ink: LineColor = .text,
    isBold: Bool = false,
    isCentered: Bool = false, title: String? = nil
  ) -> String {
    let weight = isBold ? " font-weight=\"bold\"" : ""
    let anchor = isCentered ? " text-anchor=\"middle\"" : ""
    let hint = title.map { "<title>\($0.asMarkup)</title>" } ?? ""
    return
      "<text x=\"\(SVGFormatter.number(x))\" y=\"\(SVGFormatter.number(y))\" font-size=\"\(size)\""
      + "\(weight)\(anchor) fill=\"\(ink.rawValue)\">\(hint)\(text.asMarkup)</text>"
  }
}
