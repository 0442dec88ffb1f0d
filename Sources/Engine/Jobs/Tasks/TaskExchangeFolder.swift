import Foundation
import SystemPackage
import TesseraMessages
import TesseraSystem

/// The folder through which a ``TaskWorkerPool`` and its worker processes exchange tasks and
/// results.
///
///     tasks/N.json     the task
///     results/N.json   its result
///     side/            packet indexes, named by their content
struct TaskExchangeFolder: Sendable {
  /// The files of running tasks: crash notes, logs and recorded losses.
  let jobs: JobRecordFolder
  private var path: String { jobs.path }

  private static let folders = ["tasks", "results", "side"] + JobRecordFolder.folders

  init(_ path: String) { jobs = JobRecordFolder(path) }

  /// Creates the subfolders in the empty folder at `path`.
  static func make(in path: String) throws(SystemError) -> TaskExchangeFolder {
    for name in folders { try FileOperations.makeFolder("\(path)/\(name)") }
    return TaskExchangeFolder(path)
  }

  func put(_ task: some WorkerTask, _ number: Int) throws { try put(task, "tasks/\(number)") }
  /// Writes a result atomically.
  func put(result: some Encodable, _ number: Int) throws { try put(result, "results/\(number)") }

  func task<Task: WorkerTask>(_ number: Int) -> Task? { value("tasks/\(number)") }
  func result<Result: Decodable>(_ number: Int) -> Result? { value("results/\(number)") }

  private func put(_ value: some Encodable, _ name: String) throws {
    let (whole, part) = ("\(path)/\(name).json", "\(path)/\(name).part")
    // Renamed but not synced to the disk: the file is read soon or never.
    let encoder = CanonicalJSON.internalEncoder
    encoder.userInfo[ContentAddressedStore.key] = side
    if let number = FileDescriptor.write(try encoder.encode(value), to: part) {
      throw SystemError("write", part, number: number)
    }
    guard FileOperations.rename(part, to: whole) == nil else { throw SystemError("write", whole) }
  }

  private func value<Value: Decodable>(_ name: String) -> Value? {
    let decoder = JSONDecoder()
    decoder.userInfo[ContentAddressedStore.key] = side
    return FileManager.default.contents(atPath: "\(path)/\(name).json")
      .flatMap { try? decoder.decode(Value.self, from: $0) }
  }

  /// The folder for large parts of tasks and results.
  private var side: ContentAddressedStore { ContentAddressedStore("\(path)/side") }
}

extension RenderError {
  static func noFolder(_ reason: any Error) -> RenderError {
    RenderError(
      (reason as? SystemError)?.isTransient == true ? .temporary : .failure,
      "cannot write into the folder for temporary files: \(reason); make room there, or set TMPDIR "
        + "to another folder.")
  }
}
