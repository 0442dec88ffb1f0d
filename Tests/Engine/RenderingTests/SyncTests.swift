import Foundation
import TesseraCodecs
import TesseraPixels
import TesseraPlan
import TesseraPlanning
import TesseraRendering
import TesseraTimeline
import TestSupport
import Testing

/// Flashes and beeps keep their times over four minutes, and before a release over ten.
@Suite(.timed) struct SyncTests {
  /// A person who flashes white and beeps once a minute, 10 s after the previous person.
  private struct Person {
    var name: String
    var rate: Int
    var codecs: [String]
    /// The recorder's clock at the beginning, in seconds.
    var clock = 0.0

    func make(_ folder: TemporaryFolder, number: Int, minutes: Int) throws -> String {
      let path = folder.path(name)
      let active = "lt(mod(t-\(10 * number + 5)+60\\,60)\\,0.2)"
      try Tool.ffmpeg(
        [
          "-f", "lavfi", "-i",
          "color=black:s=64x64:r=\(rate):d=\(60 * minutes),drawbox=c=white:t=fill:enable='\(active)'",
          "-f", "lavfi", "-i",
          "aevalsrc='\(active)*0.3*sin(2*PI*1000*t)':s=48000:d=\(60 * minutes)",
        ] + codecs + ["-output_ts_offset", "\(clock)", path])
      return path
    }
  }

  private static let people = [
    Person(
      name: "a.webm", rate: 25,
      codecs: ["-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-c:a", "libopus"],
      clock: 5),
    Person(
      name: "b.mp4", rate: 30,
      codecs: ["-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac"]),
    Person(
      name: "c.mkv", rate: 12,
      codecs: ["-c:v", "libx264", "-bf", "2", "-preset", "veryfast", "-c:a", "libvorbis"],
      clock: 1.5),
  ]

  @Test func flashesAndBeepsKeepTheirTimes() throws {
    let (folder, minutes) = (try TemporaryFolder(), isWholeRun ? 10 : 4)
    let inputs = try Self.people.enumerated().map {
      try $1.make(folder, number: $0, minutes: minutes)
    }
    let plan = try Plan.small(inputs, width: 96, height: 32)
    let output = folder.path("out.mp4")
    let report = try Renderer(plan).render(to: output)
    #expect(!report.hasLosses && report.frameCount == 60 * 30 * minutes)
    // One column of samples for each person: the average of the tile.
    let columns = try Tool.ffmpeg([
      "-i", output, "-vf", "scale=3:1:flags=area,format=gray", "-f", "rawvideo", "-",
    ])
    #expect(columns.count == 3 * report.frameCount)
    for (number, _) in Self.people.enumerated() {
      let isLit = (0..<report.frameCount).map { columns[3 * $0 + number] > 100 }
      let flashes = isLit.indices.filter { isLit[$0] && ($0 == 0 || !isLit[$0 - 1]) }
      let wanted = (0..<minutes).map { (60 * $0 + 10 * number + 5) * 30 }
      #expect(flashes.count == wanted.count)
      #expect(zip(flashes, wanted).allSatisfy { abs($0 - $1) <= 1 }, "person \(number)")
    }
    let onsets = try Self.onsets(in: output)
    let beeps = (0..<minutes).flatMap { minute in
      Self.people.indices.map { Double(60 * minute + 10 * $0 + 5) }
    }
    #expect(onsets.count == beeps.count)
    #expect(zip(onsets, beeps).allSatisfy { abs($0 - $1) < 0.010 }, "\(onsets.prefix(6))")
  }

  /// The encoder delay of AAC and MP3 does not shift the sound in containers that cannot signal it:
  /// flash and beep coincide within a millisecond.
  @Test(arguments: ["mkv", "ts", "flv", "mp3.mkv"]) func theEncoderDelayIsCompensated(name: String)
    throws
  {
    let (folder, rate) = (try TemporaryFolder(), 30)
    let active = "gte(t\\,0.4)"
    let (input, output) = (folder.path("in.\(name)"), folder.path("out.mp4"))
    try Tool.ffmpeg([
      "-f", "lavfi", "-i",
      "color=black:s=64x64:r=\(rate):d=1,drawbox=c=white:t=fill:enable='\(active)'",
      "-f", "lavfi", "-i", "aevalsrc='\(active)*0.3*sin(2*PI*2000*(t-0.4))':s=48000:d=1",
      "-c:v", "libx264", "-preset", "ultrafast", "-c:a",
      name.hasPrefix("mp3") ? "libmp3lame" : "aac",
      input,
    ])
    let report = try Renderer(try Plan.small([input], width: 64, height: 64, rate: .thirty))
      .render(to: output)
    #expect(!report.hasLosses)
    let lit = try Tool.ffmpeg([
      "-i", output, "-vf", "scale=1:1:flags=area,format=gray", "-f", "rawvideo", "-",
    ])
    let flash = try #require(lit.firstIndex { $0 > 100 })
    let onset = try #require(try Self.onsets(in: output).first)
    #expect(abs(Double(flash) / Double(rate) - onset) <= 0.001, "\(flash) \(onset)")
  }

  /// Returns the times in seconds at which sound starts after at least 0.5 s of silence.
  private static func onsets(in path: String) throws -> [Double] {
    let data = try Tool.ffmpeg([
      "-i", path, "-f", "s16le", "-ac", "1", "-ar", "48000", "-",
    ])
    var (onsets, lastLoud) = ([Double](), -48_000)
    for index in 0..<data.count / 2 {
      let sample = Int16(bitPattern: UInt16(data[2 * index]) | UInt16(data[2 * index + 1]) << 8)
      guard sample.magnitude > 1500 else { continue }
      if index - lastLoud > 24_000 { onsets.append(Double(index) / 48_000) }
      lastLoud = index
    }
    return onsets
  }
}
