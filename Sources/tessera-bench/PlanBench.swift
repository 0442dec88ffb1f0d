import Foundation
import Glibc
import TesseraJobs
import TesseraMedia
import TesseraPixels
import TesseraPlan
import TesseraPlanning
import TesseraRecordings
import TesseraRendering
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline

/// Plans calls whose files ffmpeg makes.
struct PlanBench {
  /// Where the files are made.
  let folder: URL
  /// How often everything is timed.
  let rounds: Int

  /// What `body` returns, and the medians of what it takes.
  func time<Value>(
    _ body: () throws -> Value
  ) throws -> (value: Value, cost: RenderComparison.Cost) {
    var (walls, processors, result): ([Double], [Double], Value?) = ([], [], nil)
    repeat {
      let (begin, used) = (ContinuousClock.now, Self.usage.processorSeconds)
      result = try body()
      walls.append((ContinuousClock.now - begin) / .seconds(1))
      processors.append(Self.usage.processorSeconds - used)
    } while walls.count < rounds
    guard let result else { preconditionFailure("made once at least") }
    return (
      result,
      RenderComparison.Cost(wall: Report.median(walls), processor: Report.median(processors))
    )
  }

  /// The paths of `count` files of two seconds, half of them MP4 and half WebM.
  func files(_ count: Int) throws -> [String] {
    let sources = try [
      make("a.mp4", seconds: 2, ["-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac"]),
      make("b.webm", seconds: 2, ["-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8"]),
    ]
    return try (0..<count).map { number in
      let source = sources[number % sources.count]
      let path = folder.appending(path: "person\(number).\(source.pathExtension)")
      try FileManager.default.copyItem(at: source, to: path)
      return path.path
    }
  }

  /// Plans the call that those files are.
  func plan(_ paths: [String], hears: Bool) throws -> Plan {
    var call = try CallRequest(inputs: paths)
    call.speakerSource = hears ? .audio : .none
    return try Planner.plan(Rendition(output: Self.output), of: call)
  }

  /// Plans an hour with that many people and changes of the layout, and reads its plan again.
  func hour(people: Int, changes: Int) throws -> PlanCommand.Hour {
    let minute = try make(
      "minute.mp4", seconds: 60, ["-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac"])
    let hour = folder.appending(path: "hour.mp4")
    _ = try ExternalProgram.run(
      "ffmpeg",
      ["-v", "error", "-stream_loop", "59", "-i", minute.path, "-c", "copy", "-y", hour.path])
    var recording = Recording()
    for number in 0..<people {
      let name = "hour\(number).mp4"
      try FileManager.default.linkItem(at: hour, to: folder.appending(path: name))
      recording.participants.append(
        Participant(id: name, tracks: [Track(id: name, file: name)]))
    }
    recording.events = (0..<changes).map { number in
      Event(
        MediaTime(nanoseconds: Int64(number) * 3_600_000_000_000 / Int64(changes)),
        .layout(.named(number.isMultiple(of: 2) ? "grid" : "speaker")))
    }
    var call = CallRequest(CallInput(recording, root: folder.path))
    call.speakerSource = .none
    let path = folder.appending(path: "plan.json").path
    let start = ContinuousClock.now
    let plan = try Planner.plan(Rendition(output: Self.output), of: call)
    try WorkPlan(plan).write(to: path)
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    let reading = try time { try WorkPlan.read(path) }
    return PlanCommand.Hour(
      bytes: FileSystem.byteCount(of: path),
      sideBytes: FileSystem.byteCount(below: path + ".parts"), seconds: seconds,
      secondsReading: reading.cost.wall, processorSecondsReading: reading.cost.processor)
  }

  /// The packets of all streams that are seen or heard.
  static func packetCount(of plan: Plan) -> Int {
    plan.tracks.reduce(0) { $0 + $1.source.track.packets.count }
      + plan.voices.reduce(0) { $0 + $1.source.sound.track.packets.count }
  }

  /// The most memory that this process has had so far, in bytes.
  static var peakMemory: Int { usage.ru_maxrss * 1024 }

  private static var usage: rusage {
    var usage = rusage()
    _ = unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage
  }

  private static let output = OutputFormat(
    video: VideoEncoderSettings(size: PixelSize(width: 1280, height: 720), frameRate: .thirty))

  private func make(_ name: String, seconds: Int, _ codec: [String]) throws -> URL {
    let file = folder.appending(path: name)
    _ = try ExternalProgram.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x90:r=30:d=\(seconds)", "-f", "lavfi",
        "-i", "sine=frequency=440:sample_rate=48000:d=\(seconds)",
      ] + codec + ["-g", "60", "-pix_fmt", "yuv420p", "-y", file.path])
    return file
  }
}
