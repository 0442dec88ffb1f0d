import ArgumentParser
import Foundation
import TesseraRendering
import TesseraTimeline

/// How a command shows how far it is.
enum ProgressStyle: String, ExpressibleByArgument, CaseIterable {
  /// A bar on a terminal, else a line now and then.
  case auto
  case bar
  case json
  case none
}

/// Shows on standard error how far a render is: a bar that is drawn over and over, a line every
/// few seconds, or one JSON object a line.
final class ProgressPrinter {
  private enum Form {
    case bar
    case lines
    case json
    case none
  }

  private let form: Form
  private let clock = ContinuousClock()
  private var last: ContinuousClock.Instant?
  private var isBarDrawn = false

  init(_ style: ProgressStyle) {
    form =
      switch style {
      case .auto: Terminal.isInteractive ? .bar : .lines
      case .bar: .bar
      case .json: .json
      case .none: .none
      }
    if form == .lines { last = clock.now }
  }

  private var interval: Duration {
    switch form {
    case .bar: .milliseconds(100)
    case .json: .milliseconds(500)
    case .lines, .none: .seconds(5)
    }
  }

  /// Prints where it is time to.
  func update(_ progress: RenderProgress) {
    guard form != .none else { return }
    let isLast = progress.frames == progress.frameCount
    let now = clock.now
    if let last, now - last < interval, !isLast || form == .lines { return }
    last = now
    switch form {
    case .bar: draw(progress)
    case .lines: Terminal.say(Self.text(progress))
    case .json: Terminal.write(Self.json(progress) + "\n")
    case .none: break
    }
  }

  /// Clears the bar, so that what is printed next stands on a line of its own.
  func finish() {
    guard isBarDrawn else { return }
    isBarDrawn = false
    Terminal.write("\r\u{1B}[K")
  }

  private func draw(_ progress: RenderProgress) {
    let text = Self.text(progress)
    let room = min(40, Terminal.width - text.count - 4)
    var line = text
    if room >= 10 {
      let filled = Int(progress.fraction * Double(room))
      let bar =
        String(repeating: "█", count: filled) + String(repeating: "░", count: room - filled)
      line = "\(bar) \(text)"
    }
    isBarDrawn = true
    Terminal.write("\r\(line)\u{1B}[K")
  }

  static func text(_ progress: RenderProgress) -> String {
    let percent = Int(progress.fraction * 100)
    let speed = String(format: "%.1f", progress.speed)
    var text =
      "\(percent) %  \(progress.rendered.clock) / \(progress.total.clock)  \(speed)x"
    if let remaining = progress.remaining {
      text += "  \(MediaTime(seconds: Int(remaining.rounded(.up))).clock) left"
    }
    return text
  }

  static func json(_ progress: RenderProgress) -> String {
    let remaining = progress.remaining.map { String(format: "%.2f", $0) } ?? "null"
    return """
      {"frame": \(progress.frames), "frames": \(progress.frameCount), \
      "time": \(progress.rendered), "duration": \(progress.total), \
      "percent": \(String(format: "%.1f", progress.fraction * 100)), \
      "speed": \(String(format: "%.2f", progress.speed)), "remaining": \(remaining)}
      """
  }
}
