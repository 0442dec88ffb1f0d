import Foundation
import TesseraSystem

/// Where planning gives its workers tasks, and they put what they found.
///
///     tasks/N.json     what is to be read
///     results/N.json   what came of it
///     losses/N.json    what of it brought workers down
///     side/            packet indexes, named by their content
///     notes/           what workers are doing, and what they said
struct ReadingFolder: Sendable {
  let path: String

  private static let folders = ["tasks", "results", "losses", "side", "notes"]

  /// The folder at `path`.
  init(_ path: String) { self.path = path }

  /// Makes one of the empty folder at `path`.
  static func make(in path: String) throws(SystemError) -> ReadingFolder {
    let folder = ReadingFolder(path)
    for name in folders { try FileSystem.makeFolder("\(folder.path)/\(name)") }
    return folder
  }

  /// What a job's worker is doing.
  func notePath(_ job: RenderJob) -> String { "\(path)/notes/\(job.fileName).note" }
  /// What a job's worker said on standard error.
  func logPath(_ job: RenderJob) -> String { "\(path)/notes/\(job.fileName).log" }

  func put(_ task: ReadingTask, _ number: Int) throws { try put(task, "tasks/\(number)") }
  /// Puts a result, whole or not at all.
  func put(_ result: ReadingResult, _ number: Int) throws { try put(result, "results/\(number)") }

  func task(_ number: Int) -> ReadingTask? { value("tasks/\(number)") }
  func result(_ number: Int) -> ReadingResult? { value("results/\(number)") }
  func losses(_ number: Int) -> [CrashLoss] { value("losses/\(number)") ?? [] }

  /// Records what of a task brought a worker down.
  func record(_ loss: CrashLoss, _ number: Int) throws {
    try put(losses(number) + [loss], "losses/\(number)")
  }

  private func put(_ value: some Encodable, _ name: String) throws {
    let (whole, part) = ("\(path)/\(name).json", "\(path)/\(name).part")
    // Renamed, but not kept on the disk: it is read soon or never.
    let encoder = JSONEncoder()
    encoder.userInfo[SideFolder.key] = side
    if let number = FileDescriptor.write(try encoder.encode(value), to: part) {
      throw SystemError("write", part, number: number)
    }
    guard FileSystem.rename(part, to: whole) == nil else { throw SystemError("write", whole) }
  }

  private func value<Value: Decodable>(_ name: String) -> Value? {
    let decoder = JSONDecoder()
    decoder.userInfo[SideFolder.key] = side
    return FileManager.default.contents(atPath: "\(path)/\(name).json")
      .flatMap { try? decoder.decode(Value.self, from: $0) }
  }

  /// Where a document's larger parts are.
  private var side: SideFolder { SideFolder("\(path)/side") }
}
