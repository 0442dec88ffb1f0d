import ArgumentParser
import Foundation
import Synchronization
import TesseraBatch
import TesseraPlan
import TesseraRendering
import TesseraTimeline

/// The value of `--progress`.
enum ProgressFormat: String, ExpressibleByArgument, CaseIterable {
  /// A bar on a terminal, otherwise a line every 5 s.
  case auto
  case bar
  case json
  case none
}

/// Prints progress on standard error: a redrawn bar, a line every 5 s, or a JSON object per line.
final class ProgressPrinter: Sendable {
  private enum Form {
    case bar
    case lines
    case json
    case none
  }

  private struct State {
    var last: ContinuousClock.Instant?
    var phase: String?
    var isBarDrawn = false
  }

  private let form: Form
  private let state: Mutex<State>

  init(_ style: ProgressFormat) {
    form =
      switch style {
      case .auto: StandardError.isInteractive ? .bar : .lines
      case .bar: .bar
      case .json: .json
      case .none: .none
      }
    state = Mutex(State(last: form == .lines ? ContinuousClock.now : nil))
  }

  private var interval: Duration {
    switch form {
    case .bar: .milliseconds(100)
    case .json: .milliseconds(500)
    case .lines, .none: .seconds(5)
    }
  }

  /// A handler that prints planning progress.
  var planning: @Sendable (PlanningProgress) -> Void { { self.update($0) } }

  /// Prints planning progress if the interval has passed. May be called on any thread.
  func update(_ progress: PlanningProgress) {
    print(
      phase: progress.phase.rawValue, isLast: progress.done == progress.count,
      fraction: Double(progress.done) / Double(progress.count), text: { Self.text(progress) },
      json: { Self.json(progress) })
  }

  /// Prints render progress if the interval has passed.
  func update(_ progress: RenderProgress) {
    print(
      phase: progress.phase.rawValue, isLast: false, fraction: progress.fraction,
      text: { Self.text(progress) }, json: { Self.json(progress) })
  }

  /// Prints batch progress if the interval has passed.
  func update(_ statistics: BatchStatistics, running: Int) {
    print(
      phase: "batch", isLast: false,
      fraction: Double(statistics.done) / Double(max(1, statistics.count)),
      text: { Self.text(statistics) }, json: { Self.json(statistics, running: running) })
  }

  private static func text(_ statistics: BatchStatistics) -> String {
    var text =
      "\(statistics.done) of \(statistics.count) jobs  \(String(format: "%.1f", statistics.speed))x"
    if statistics.failed > 0 { text += "  \(statistics.failed) failed" }
    if let remaining = statistics.remaining {
      text += "  \(MediaTime(seconds: Int(saturating: remaining.rounded(.up))).clock) left"
    }
    return text
  }

  private static func json(_ statistics: BatchStatistics, running: Int) -> String {
    let remaining = statistics.remaining.map { String(format: "%.1f", $0) } ?? "null"
    return """
      {"type": "progress", "phase": "batch", "jobs": \(statistics.count), "done": \(statistics.done), \
      "failed": \(statistics.failed), "running": \(running), \
      "hours_per_hour": \(String(format: "%.2f", statistics.speed)), "remaining": \(remaining)}
      """
  }

  /// Prints progress if the interval has passed. The start and the end of a phase are printed at
  /// once, except in the form of lines.
  private func print(
    phase: String, isLast: Bool, fraction: Double, text: () -> String, json: () -> String
  ) {
    StandardError.enter(phase: phase)
    state.withLock { state in
      guard form != .none else { return }
      let now = ContinuousClock.now
      let isDue = state.last.map { now - $0 >= interval } ?? true
      guard isDue || form != .lines && (isLast || state.phase != phase) else { return }
      (state.last, state.phase) = (now, phase)
      switch form {
      case .bar:
        state.isBarDrawn = true
        StandardError.write(Self.bar(fraction, text()))
      case .lines: StandardError.print(text())
      case .json: StandardError.write(json() + "\n")
      case .none: break
      }
    }
  }

  /// Clears the bar, so that the next message starts on an empty line.
  func finish() {
    state.withLock { state in
      guard state.isBarDrawn else { return }
      state.isBarDrawn = false
      StandardError.write("\r\u{1B}[K")
    }
  }

  private static func bar(_ fraction: Double, _ text: String) -> String {
    let room = min(40, StandardError.width - text.count - 4)
    guard room >= 10 else { return "\r\(text)\u{1B}[K" }
    let filled = Int(fraction * Double(room))
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: room - filled)
    return "\r\(bar) \(text)\u{1B}[K"
  }

  static func text(_ progress: PlanningProgress) -> String {
    "\(progress.phase.rawValue) \(progress.done) of \(progress.count)"
  }

  static func text(_ progress: RenderProgress) -> String {
    let percent = Int(progress.fraction * 100)
    let speed = String(format: "%.1f", progress.speed)
    var text = "\(percent) %  \(progress.phase.rawValue)"
    guard progress.phase == .pictures || progress.phase == .sound else { return text }
    text +=
      "  \(progress.rendered.roundedToSeconds.clock) / \(progress.total.roundedToSeconds.clock)  \(speed)x"
    if let remaining = progress.remaining {
      text += "  \(MediaTime(seconds: Int(remaining.rounded(.up))).clock) left"
    }
    return text
  }

  static func json(_ progress: PlanningProgress) -> String {
    """
    {"type": "progress", "phase": "\(progress.phase.rawValue)", "done": \(progress.done), \
    "count": \(progress.count)}
    """
  }

  static func json(_ progress: RenderProgress) -> String {
    let remaining = progress.remaining.map { String(format: "%.2f", $0) } ?? "null"
    return """
      {"type": "progress", "phase": "\(progress.phase.rawValue)", \
      "frame": \(progress.frames), "frames": \(progress.frameCount), \
      "time": \(progress.rendered), "duration": \(progress.total), \
      "percent": \(String(format: "%.1f", progress.fraction * 100)), \
      "speed": \(String(format: "%.2f", progress.speed)), "remaining": \(remaining)}
      """
  }
}
