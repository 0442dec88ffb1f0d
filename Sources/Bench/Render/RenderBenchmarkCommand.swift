import ArgumentParser
import Foundation

/// `tessera-bench render`: times whole renders against ffmpeg's xstack, in alternation within one
/// run.
struct RenderBenchmarkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render",
    abstract: "Times whole renders beside the same grid made by ffmpeg.",
    discussion: """
      The clips have to have pictures and sound and one shape, 16:9. Both sides make a 1920x1080 \
      grid at 30 frames a second with the same encoder settings; they take turns, and the medians \
      are compared. Where Tessera shows fewer distinct pictures than ffmpeg, the comparison is \
      refused.
      """)

  @Argument(help: ArgumentHelp("The recordings, a square number of them.", valueName: "clip"))
  var clips: [String] = []

  @Option(name: .customLong("case"), help: "A call that is made up instead of given.")
  var madeUp: RenderBenchmarkCase?

  @Option(help: "How long a call that is made up is.")
  var seconds = 30

  @Flag(help: "Time also what decoding and encoding alone take.")
  var floor = false

  @Option(help: "How often each side renders.")
  var pairs = 5

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    let side = Int(Double(clips.count).squareRoot().rounded())
    guard madeUp != nil ? clips.isEmpty : side > 0 && side * side == clips.count else {
      throw ValidationError("give a square number of clips: 1, 4, 9, 16, …, or --case.")
    }
    guard (2...3600).contains(seconds) else { throw ValidationError("--seconds takes 2 to 3600.") }
    guard (1...100).contains(pairs) else { throw ValidationError("--pairs takes 1 to 100.") }
  }

  func run() throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "tessera-bench-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var sides = ComparedPrograms(clips: clips, folder: folder, madeUp: madeUp, seconds: seconds)
    if let madeUp {
      sides.clips = try madeUp.makeClips(folder, seconds: seconds, run: ExternalProgram.run)
    }
    let pictures = try sides.distinctPictures()
    guard pictures.tessera >= pictures.ffmpeg || madeUp == .speaker else {
      throw ValidationError(
        "Tessera showed \(pictures.tessera) distinct pictures and ffmpeg \(pictures.ffmpeg): "
          + "the times cannot be compared.")
    }
    var runs: [RenderBenchmarkResult.RunPair] = []
    for _ in 0..<pairs {
      runs.append(
        RenderBenchmarkResult.RunPair(
          tessera: try sides.timeTessera(), ffmpeg: try sides.timeFFmpeg(),
          floor: floor ? try sides.timeFloor() : nil))
    }
    let comparison = RenderBenchmarkResult(
      clips: sides.clips.count, pairs: runs, distinctPicturesOfTessera: pictures.tessera,
      distinctPicturesOfFFmpeg: pictures.ffmpeg)
    if json {
      try BenchmarkOutput.printJSON(comparison)
    } else {
      print(comparison.table)
    }
  }
}
