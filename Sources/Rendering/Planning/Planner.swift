import TesseraLayout
import TesseraMedia
import TesseraPixels
import TesseraSoundtrack
public import TesseraSystem
import TesseraTimeline

/// Answers all questions about a request: reads the inputs and makes the plan.
public enum Planner {
  /// The plan for `request`. Inputs that cannot be read become placeholders, with what is wrong
  /// among their losses.
  ///
  /// - Throws: ``RenderError`` where nothing of any input can be rendered, or the request
  ///   contradicts itself.
  public static func plan(
    _ request: RenderRequest, cancellation: Cancellation
  ) throws(RenderError) -> Plan {
    guard !request.inputs.isEmpty else {
      throw RenderError(.usage, "there is nothing to render: name at least one recording.")
    }
    let people = try People(request)
    let probes = probe(request.inputs, cancellation)
    guard !cancellation.isCancelled else { throw .stopped(cancellation) }
    guard probes.contains(where: \.isUsable) else {
      throw RenderError(.failure, nothingUsable(probes))
    }
    let rate = request.output.video.frameRate
    let end = probes.compactMap(\.end).max() ?? .zero
    let frameCount = rate.frameCount(of: end)
    let frames = try range(request, frameCount: frameCount, end: end)
    var participants = zip(probes, people.names).map {
      Plan.Participant($0, name: $1[0], frameRate: rate, frameCount: frameCount)
    }
    let attendance = Attendance(
      participants, people, frameRate: rate, frameCount: frameCount)
    let (layout, canvas) = try layout(request, attendance, frameCount: frameCount)
    let shown = TimeInterval(
      start: rate.time(ofFrame: frames.lowerBound), end: rate.time(ofFrame: frames.upperBound))
    for index in participants.indices {
      participants[index].losses += strayLosses(
        of: index, path: participants[index].path, layout, shown: shown)
    }
    var output = request.output
    output.video.size = canvas
    return Plan(
      participants: participants, layout: layout, output: output, frameCount: frameCount,
      frames: frames,
      notes: notes(layout, participants, frames: frames)
        + probes.compactMap { emptinessNote($0, shown: shown) } + probes.flatMap(unusedNotes))
  }

  /// Reads all inputs, several at a time.
  private static func probe(_ inputs: [String], _ cancellation: Cancellation) -> [InputProbe] {
    struct State {
      var next = 0
      var results: [InputProbe?]
    }
    let monitor = Monitor(State(results: Array(repeating: nil, count: inputs.count)))
    let threads = WorkerThreads(count: min(Machine.cores, inputs.count), name: "probe") {
      while true {
        let index = monitor.withLock { state in
          defer { state.next += 1 }
          return state.next
        }
        guard index < inputs.count, !cancellation.isCancelled else { return }
        let result = InputProbe(inputs[index], cancellation: cancellation)
        monitor.withLock { $0.results[index] = result }
      }
    }
    threads.join()
    return monitor.withLock { $0.results }.compactMap { $0 }
  }

  private static func nothingUsable(_ probes: [InputProbe]) -> String {
    let first = probes.first?.losses.first ?? "the inputs hold nothing."
    guard probes.count > 1 else { return first }
    return "none of the \(probes.count) inputs can be rendered; the first: \(first)"
  }

  /// The first frame from `time` on; where that is none but `time` lies before the end, the last.
  private static func firstFrame(
    from time: MediaTime, _ rate: FrameRate, _ frameCount: Int, _ end: MediaTime
  ) -> Int {
    let frame = rate.firstFrame(showing: time)
    return time < end ? min(frame, frameCount - 1) : frame
  }

  private static func range(
    _ request: RenderRequest, frameCount: Int, end: MediaTime
  ) throws(RenderError) -> Range<Int> {
    let rate = request.output.video.frameRate
    let first = request.from.map { firstFrame(from: $0, rate, frameCount, end) } ?? 0
    let last = request.to.map { min(frameCount, rate.firstFrame(showing: $0)) } ?? frameCount
    guard first < frameCount else {
      throw RenderError(
        .usage, "--from lies behind the end of the recordings, which are \(end.clock) long.")
    }
    guard first < last else {
      throw RenderError(.usage, "--to has to lie after --from, by a frame at least.")
    }
    return first..<last
  }
}

extension InputProbe {
  /// The end of the last picture or sound that can be decoded.
  fileprivate var end: MediaTime? {
    [pictureInterval?.end, sound?.interval.end].compactMap { $0 }.max()
  }
}

extension Plan.Participant {
  fileprivate init(_ probe: InputProbe, name: String, frameRate: FrameRate, frameCount: Int) {
    let frames = { (interval: TesseraTimeline.TimeInterval) in
      let first = max(0, frameRate.firstFrame(showing: interval.start))
      let end = max(first + 1, frameRate.firstFrame(showing: interval.end))
      return first..<end
    }
    self.name = name
    self.path = probe.path
    self.losses = probe.losses
    self.sound = probe.sound
    if let source = probe.pictures, let aspectRatio = probe.pictureAspectRatio {
      self.pictures = Plan.Pictures(source: source, aspectRatio: aspectRatio)
    }
    self.presence =
      (probe.pictureInterval ?? probe.sound?.interval).map(frames) ?? 0..<frameCount
  }
}
