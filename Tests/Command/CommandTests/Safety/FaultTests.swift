import Foundation
import TestSupport
import Testing

/// Renders with faults of the disk, the inputs and the clock: nothing finished is lost, and nothing
/// wrong is accepted.
@Suite(.timed) struct FaultTests {
  private static let small = ["--size", "160x96", "--fps", "10", "--progress", "none"]

  /// A call of two people and its output.
  private struct Call {
    let folder = try? TemporaryFolder()
    let inputs: [String]
    let reference: Data

    init() throws {
      guard let folder else { throw CocoaError(.fileWriteUnknown) }
      let (first, second) = (folder.path("a.mp4"), folder.path("b.webm"))
      try FaultTests.clip(first, seconds: 42, tone: 300)
      try FaultTests.clip(second, seconds: 42, tone: 500)
      inputs = [first, second]
      reference = try FaultTests.render(inputs, folder.path("reference.mp4")).bytes
    }
  }

  private static let call = Result { try Call() }

  private static func clip(_ path: String, seconds: Int, tone: Int) throws {
    let codec =
      path.hasSuffix("webm")
      ? [
        "-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-g", "50", "-c:a", "libopus",
      ]
      : ["-c:v", "libx264", "-preset", "ultrafast", "-g", "50", "-c:a", "aac"]
    try Tool.ffmpeg(
      [
        "-f", "lavfi", "-i", "testsrc2=s=128x96:r=25:d=\(seconds)", "-f", "lavfi", "-i",
        "sine=frequency=\(tone):sample_rate=48000:d=\(seconds)", "-bitexact",
      ] + codec + [path])
  }

  @discardableResult
  private static func render(
    _ inputs: [String], _ output: String, _ more: [String] = [], status: Int32 = 0
  ) throws -> (bytes: Data, result: Tool.Result) {
    let result = try TesseraTool.run(["render"] + inputs + small + ["-o", output] + more)
    #expect(result.status == status, "\(result)")
    return ((try? Data(contentsOf: URL(fileURLWithPath: output))) ?? Data(), result)
  }

  // MARK: The disk

  /// A mounted file system of `megabytes` for a test's duration; `nil` if mounting is not
  /// permitted.
  private final class SmallDisk {
    let path: String

    init?(megabytes: Int, files: Int = 0, in folder: TemporaryFolder) {
      path = folder.path("disk")
      try? FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true)
      let words = ["-t", "tmpfs", "-o", "size=\(megabytes)m,nr_inodes=\(files)", "tmpfs", path]
      guard (try? Tool.run("mount", words))?.status == 0 else { return nil }
    }

    deinit { _ = try? Tool.run("umount", ["--lazy", path]) }

    static let isPossible: Bool = {
      guard let folder = try? TemporaryFolder() else { return false }
      return SmallDisk(megabytes: 1, in: folder) != nil
    }()
  }

  @Test(
    "A full disk stops a render, which continues once there is room",
    .enabled(if: SmallDisk.isPossible, "nothing may be mounted here without being root"))
  func fullDisk() throws {
    let call = try Self.call.get()
    let folder = try TemporaryFolder()
    let disk = try #require(SmallDisk(megabytes: 64, in: folder))
    let (output, filler) = ("\(disk.path)/out.mp4", "\(disk.path)/filler")
    try Data("an earlier one".utf8).write(to: URL(fileURLWithPath: output))
    let words =
      ["render"] + call.inputs + Self.small + ["-o", output, "--jobs", "1", "--overwrite"]
    let result = try TesseraTool.run(words) { process in
      // As soon as the work folder exists, another process fills the disk.
      let work = "\(output).tessera/plan.json"
      while process.isRunning, !FileManager.default.fileExists(atPath: work) { usleep(2_000) }
      _ = try? Tool.run("dd", ["if=/dev/zero", "of=\(filler)", "bs=64k"])
    }
    #expect(result.status == 75, "\(result)")
    #expect(
      result.messages.contains("is full") || result.messages.contains("No space left on device"),
      "\(result)")
    #expect(try String(contentsOfFile: output, encoding: .utf8) == "an earlier one")
    let refused = try TesseraTool.run(words)
    #expect(refused.status == 75 && refused.messages.contains("MB free"), "\(refused)")
    try FileManager.default.removeItem(atPath: filler)
    let again = try Self.render(call.inputs, output, ["--overwrite"])
    #expect(again.bytes == call.reference)
  }

  @Test(
    "The required disk space is proportional to the output",
    .enabled(if: SmallDisk.isPossible, "nothing may be mounted here without being root"))
  func smallDisk() throws {
    let call = try Self.call.get()
    let folder = try TemporaryFolder()
    let disk = try #require(SmallDisk(megabytes: 12, in: folder))
    #expect(try Self.render(call.inputs, "\(disk.path)/out.mp4").bytes == call.reference)
  }

  @Test(
    "A disk without room or inodes is reported from the first file on",
    .enabled(if: SmallDisk.isPossible, "nothing may be mounted here without being root"),
    arguments: ["bytes", "inodes"])
  func noRoom(of what: String) throws {
    let call = try Self.call.get()
    let folder = try TemporaryFolder()
    let disk = try #require(SmallDisk(megabytes: 4, files: what == "inodes" ? 12 : 0, in: folder))
    if what == "inodes" {
      for number in 0..<12 { try? Data().write(to: URL(fileURLWithPath: "\(disk.path)/\(number)")) }
    } else {
      _ = try? Tool.run("dd", ["if=/dev/zero", "of=\(disk.path)/filler", "bs=4k"])
    }
    let words = ["render"] + call.inputs + Self.small
    let output = folder.path("out.mp4")
    let full = [
      try TesseraTool.run(words + ["-o", "\(disk.path)/out.mp4"]),
      try TesseraTool.run(words + ["-o", output, "--work-dir", "\(disk.path)/work"]),
      try Tool.run(
        "env", ["TMPDIR=\(disk.path)", TesseraTool.path] + words + ["--no-cache", "-o", output]),
    ]
    let reasons = what == "inodes" ? ["inodes"] : ["No space left on device", "MB free"]
    for result in full {
      #expect(result.status == 75, "\(result)")
      #expect(reasons.contains { result.messages.contains($0) }, "\(result)")
      #expect(!result.messages.contains("signal") && !result.messages.contains("JSON"))
    }
  }

  // MARK: The inputs

  /// Copies the call's recordings, so that a test may damage them.
  private func copies(_ call: Call, _ folder: TemporaryFolder) throws -> [String] {
    try call.inputs.map { path in
      let copy = folder.path(URL(fileURLWithPath: path).lastPathComponent)
      try FileManager.default.copyItem(atPath: path, toPath: copy)
      return copy
    }
  }

  @Test(
    "A recording that disappears or shrinks after planning is a loss until it is back",
    arguments: ["gone", "shrunk"])
  func unreadable(way: String) throws {
    let call = try Self.call.get()
    let folder = try TemporaryFolder()
    let inputs = try copies(call, folder)
    let (plan, work) = (folder.path("plan.json"), folder.path("work"))
    let planned = try TesseraTool.run(
      ["plan"] + inputs + Array(Self.small.prefix(4)) + ["-o", plan])
    #expect(planned.status == 0, "\(planned)")
    let whole = try Data(contentsOf: URL(fileURLWithPath: inputs[1]))
    if way == "gone" {
      try FileManager.default.removeItem(atPath: inputs[1])
    } else {
      try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: inputs[1]))
    }
    let commands = [["segment", plan, "--index", "0-1"], ["soundtrack", plan]]
    func make() throws {
      for words in commands {
        let result = try TesseraTool.run(words + ["--work-dir", work])
        #expect(result.status == 0, "\(result)")
      }
    }
    try make()
    let rest = try TesseraTool.run(["segment", plan, "--index", "2-3", "--work-dir", work])
    #expect(rest.status == 0, "\(rest)")
    let output = folder.path("out.mp4")
    let stitch = ["stitch", plan, "--work-dir", work, "-o", output]
    let lossy = try TesseraTool.run(stitch)
    #expect(lossy.status == 3 && lossy.messages.contains(inputs[1]), "\(lossy)")
    try whole.write(to: URL(fileURLWithPath: inputs[1]))
    try make()
    _ = try TesseraTool.run(["segment", plan, "--index", "2-3", "--work-dir", work])
    let clean = try TesseraTool.run(stitch)
    #expect(clean.status == 0, "\(clean)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: output)) == call.reference)
  }

  @Test("An input that changes between two runs is rendered as it is now")
  func changed() throws {
    let call = try Self.call.get()
    let folder = try TemporaryFolder()
    let inputs = try copies(call, folder)
    let output = folder.path("out.mp4")
    let words = ["--work-dir", folder.path("work")]
    try Self.render(inputs, output, words)
    try Self.clip(inputs[0], seconds: 42, tone: 700)
    let (bytes, _) = try Self.render(inputs, output, words)
    #expect(bytes != call.reference)
    #expect(try Self.render(inputs, folder.path("new.mp4")).bytes == bytes)
  }

  // MARK: The clock

  @Test("File times in the past and in the future have no effect")
  func clock() throws {
    let call = try Self.call.get()
    let folder = try TemporaryFolder()
    let inputs = try copies(call, folder)
    let output = folder.path("out.mp4")
    let words = ["--work-dir", folder.path("work"), "--cache", folder.path("cache")]
    try Self.render(inputs, output, words)
    let dates = [Date(timeIntervalSince1970: 1), Date(timeIntervalSinceNow: 400_000_000)]
    for (path, date) in zip(inputs, dates) {
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    }
    let pieces = try FileManager.default.contentsOfDirectory(atPath: folder.path("work/segments"))
      .map { folder.path("work/segments/\($0)") }
    #expect(pieces.count == 4)
    for path in pieces + [folder.path("work/soundtrack.tsnd")] {
      try FileManager.default.setAttributes([.modificationDate: dates[1]], ofItemAtPath: path)
    }
    let (bytes, result) = try Self.render(inputs, output, words)
    #expect(bytes == call.reference)
    #expect(result.messages.contains("420 of 420 frames are there"), "\(result)")
    // A changed recording is detected by its content, even with the old time and size.
    var content = try Data(contentsOf: URL(fileURLWithPath: inputs[1]))
    for place in (content.count / 2)..<(content.count / 2 + 2000) { content[place] = 0 }
    try content.write(to: URL(fileURLWithPath: inputs[1]))
    try FileManager.default.setAttributes([.modificationDate: dates[1]], ofItemAtPath: inputs[1])
    let other = try TesseraTool.run(["render"] + inputs + Self.small + ["-o", output] + words)
    #expect([0, 3].contains(other.status), "\(other)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: output)) != call.reference)
  }

  // MARK: The plan

  @Test("A plan has the same bytes in every process")
  func plan() throws {
    let call = try Self.call.get()
    let folder = try TemporaryFolder()
    var plans: Set<Data> = []
    for number in 0..<4 {
      let path = folder.path("plan.json")
      let result = try TesseraTool.run(
        ["plan"] + call.inputs + Self.small.prefix(4) + ["-o", path, "--clock", "call"])
      #expect(result.status == 0, "\(result)")
      plans.insert(try Data(contentsOf: URL(fileURLWithPath: path)))
      _ = number
    }
    #expect(plans.count == 1)
  }

  // MARK: Reuse

  /// Returns the number of frames that a render found finished.
  private func reused(_ result: Tool.Result) -> Int {
    let line = result.messages.split(separator: "\n").first { $0.contains("from an earlier run") }
    return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  }

  @Test("A name, a gain or a longer recording renders only its parts again")
  func incremental() throws {
    let call = try Self.call.get()
    let folder = try TemporaryFolder()
    _ = try copies(call, folder)
    let (output, work) = (folder.path("out.mp4"), folder.path("work"))
    let words = ["--work-dir", work, "--cache", folder.path("cache")]
    func session(_ name: String, gain: Int = 0) throws -> String {
      let path = folder.path("session.yaml")
      let text = """
        version: 1
        participants:
          - id: ada
            name: Ada
            tracks: [{ file: a.mp4, kind: camera, start: 0 }]
          - id: second
            name: \(name)
            tracks: [{ file: b.webm, kind: camera, start: 21, in: 21, gain: \(gain) }]
        """
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      return path
    }
    func dates() throws -> [String: Date] {
      var dates: [String: Date] = [:]
      let names = try FileManager.default.contentsOfDirectory(atPath: "\(work)/segments")
      for name in names.map({ "segments/\($0)" }) + ["soundtrack.tsnd"] {
        dates[name] =
          try FileManager.default.attributesOfItem(atPath: "\(work)/\(name)")[.modificationDate]
          as? Date
      }
      return dates
    }
    func changed(_ render: () throws -> Void) throws -> [String] {
      let before = try dates()
      try render()
      return try dates().filter { before[$0.key] != $0.value }.keys.sorted()
    }
    try Self.render([try session("Bob")], output, words)
    let all = try dates().count
    #expect(try changed { try Self.render([session("Bob")], output, words) }.isEmpty)
    let renamed = try changed { try Self.render([session("Robert")], output, words) }
    #expect(!renamed.isEmpty && renamed.count < all - 1 && !renamed.contains("soundtrack.tsnd"))
    let louder = try changed { try Self.render([session("Robert", gain: 3)], output, words) }
    #expect(louder == ["soundtrack.tsnd"])
    let alone = try Self.render([session("Robert", gain: 3)], folder.path("alone.mp4")).bytes
    #expect(try Data(contentsOf: URL(fileURLWithPath: output)) == alone)

    // The same recording with twenty seconds more.
    let (long, longer) = (folder.path("long.webm"), folder.path("longer.webm"))
    let source = folder.path("source.webm")
    try Self.clip(source, seconds: 62, tone: 500)
    for (path, seconds) in [(long, "42"), (longer, "62")] {
      try Tool.ffmpeg(["-i", source, "-c", "copy", "-t", seconds, path])
    }
    try FileManager.default.removeItem(atPath: work)
    let place = folder.path("growing.webm")
    try FileManager.default.copyItem(atPath: long, toPath: place)
    try Self.render([place], output, words)
    let grown = try changed {
      try FileManager.default.removeItem(atPath: place)
      try FileManager.default.copyItem(atPath: longer, toPath: place)
      try Self.render([place], output, words)
    }
    #expect(grown.contains("soundtrack.tsnd") && grown.count >= 3)
    // The first two segments are unchanged.
    #expect(try dates().count - grown.count >= 2)
  }
}
