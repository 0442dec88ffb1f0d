import Foundation
import TestSupport

/// A folder with calls, and with lists of jobs that render them.
struct BatchFolder {
  let folder: TemporaryFolder

  private static let clip = Result {
    let folder = try TemporaryFolder()
    return (folder, try TesseraTool.makeClip(folder, seconds: 1))
  }

  /// Creates a folder with calls of one person: `calls/1`, `calls/2` and so on.
  init(calls: Int) throws {
    folder = try TemporaryFolder()
    let clip = try Self.clip.get().1
    for number in 1...calls {
      try FileManager.default.createDirectory(
        atPath: folder.path("calls/\(number)"), withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        atPath: clip, toPath: folder.path("calls/\(number)/ada.webm"))
    }
  }

  func path(_ name: String) -> String { folder.path(name) }

  /// Writes a list of jobs and returns its path.
  func list(_ lines: [String], _ name: String = "jobs.jsonl") throws -> String {
    let text = lines.map { $0 + "\n" }.joined()
    try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
    return path(name)
  }

  /// Returns the line of a job that renders a call, with further members.
  func line(_ number: Int, _ more: String = "") -> String {
    """
    {"id": "job-\(number)", "input": "\(path("calls/\(number)"))", \
    "output": "\(path("\(number).mp4"))"\(more)}
    """
  }

  /// Runs a batch with small pictures.
  func run(
    _ list: String, _ options: [String] = [], meanwhile: (Process) -> Void = { _ in }
  ) throws -> Tool.Result {
    try TesseraTool.run(
      ["batch", list, "--size", "64x36", "--fps", "5", "--progress", "none"] + options,
      meanwhile: meanwhile)
  }

  /// Returns the lines of the results file.
  func results(_ name: String = "results.jsonl") throws -> [[String: Any]] {
    try String(contentsOfFile: path(name), encoding: .utf8).split(separator: "\n").map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
    }
  }

  func exits(_ name: String = "results.jsonl") throws -> [String: Int] {
    Dictionary(
      try results(name).map { ($0["id"] as? String ?? "", $0["exit"] as? Int ?? -1) }
    ) { $1 }
  }
}
