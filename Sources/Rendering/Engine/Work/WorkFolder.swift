import Foundation
import TesseraMedia
public import TesseraSystem

/// Where a render keeps what is finished until the output is whole.
///
///     plan.json          what is rendered, and beside it the plan's own files
///     segments/N.tseg    the finished segments
///     soundtrack.tsnd    the finished sound
///     losses/N.json      what a segment has to do without, because it brought workers down
///     notes/             what workers are doing, and what they said
///     lock               held by the one render that works here
public struct WorkFolder: Hashable, Sendable {
  /// The folder.
  public let path: String

  /// The folder at `path`; nothing is made yet.
  public init(_ path: String) { self.path = path }

  /// The folder that belongs to an output unless another one is named.
  public init(output: String) {
    let url = URL(fileURLWithPath: output)
    var name = url.lastPathComponent
    // What is added to the name has to fit what file systems allow.
    while name.utf8.count > 200 { name.removeLast() }
    path =
      name == url.lastPathComponent
      ? output + ".tessera" : url.deletingLastPathComponent().path + "/\(name).tessera"
  }

  /// The plan.
  public var planPath: String { "\(path)/plan.json" }
  /// The finished sound.
  public var soundtrackPath: String { "\(path)/soundtrack.tsnd" }
  /// What became of the output where a job of a cluster has joined it.
  public var reportPath: String { "\(path)/report.json" }
  /// A finished segment.
  public func segmentPath(_ number: Int) -> String { "\(path)/segments/\(number).tseg" }
  /// What a segment has to do without.
  public func lossesPath(_ number: Int) -> String { "\(path)/losses/\(number).json" }
  /// What the sound has to do without.
  public var soundLossesPath: String { "\(path)/losses/soundtrack.json" }
  /// What a job's worker is doing.
  public func notePath(_ job: RenderJob) -> String { "\(path)/notes/\(job.fileName).note" }
  /// What a job's worker said on standard error.
  public func logPath(_ job: RenderJob) -> String { "\(path)/notes/\(job.fileName).log" }

  private static let folders = ["segments", "losses", "notes"]
  /// What is removed with the folder; the plan's own files lie beside the plan.
  private static let allFolders = folders + ["plan.json.parts"]

  /// Makes the folder where it is missing.
  public func make() throws(RenderError) {
    do throws(SystemError) {
      for folder in Self.folders { try FileSystem.makeFolder("\(path)/\(folder)") }
    } catch {
      throw RenderError(
        .failure, "cannot make the work folder \(path): \(error.reason); name another folder.")
    }
  }

  /// Makes the folder and keeps every other render out of it; removes what a render that was
  /// killed left half-finished.
  public func enter() throws(RenderError) -> FolderLock {
    try make()
    let lock: FolderLock?
    do throws(SystemError) {
      lock = try FolderLock.take(path)
    } catch {
      throw RenderError(.failure, "cannot lock the work folder \(path): \(error.reason).")
    }
    guard let lock else {
      throw RenderError(
        .failure,
        "another render works in \(path); wait for it, or give --work-dir another folder.")
    }
    removeRemains()
    return lock
  }

  /// Removes what no render goes on with: files that nobody makes any more, and notes.
  private func removeRemains() {
    for folder in [path] + Self.folders.map({ "\(path)/\($0)" }) {
      TemporaryFile.removeAbandoned(in: folder)
    }
    for name in FileSystem.names(in: "\(path)/notes") {
      FileSystem.remove("\(path)/notes/\(name)")
    }
  }

  /// Removes the segments from `count` on, which an earlier plan had.
  public func removeSegments(from count: Int) {
    for name in FileSystem.names(in: "\(path)/segments") where name.hasSuffix(".tseg") {
      guard let number = Int(name.dropLast(5)), number < count else {
        FileSystem.remove("\(path)/segments/\(name)")
        continue
      }
    }
  }

  /// Removes the folder with all that a render has put there, but nothing else.
  public func remove() {
    for folder in Self.allFolders {
      for name in FileSystem.names(in: "\(path)/\(folder)") {
        FileSystem.remove("\(path)/\(folder)/\(name)")
      }
      FileSystem.removeEmptyFolder("\(path)/\(folder)")
    }
    for name in FileSystem.names(in: path) where Self.isOwn(name) {
      FileSystem.remove("\(path)/\(name)")
    }
    FileSystem.removeEmptyFolder(path)
  }

  private static func isOwn(_ name: String) -> Bool {
    ["plan.json", "soundtrack.tsnd", "lock", "jobs.json", "report.json"].contains(name)
      || name.hasSuffix(".part")
      || name.hasSuffix(".tplan") || name.hasSuffix(".sh") || name.hasSuffix(".log")
  }

  /// The bytes of all that is in it.
  public var byteCount: Int { FileSystem.byteCount(below: path) }

  /// What a segment was made without, as recorded.
  public func losses(of number: Int) -> [CrashLoss] { Self.read(lossesPath(number)) }

  /// What the sound was made without, as recorded.
  public var soundLosses: [CrashLoss] { Self.read(soundLossesPath) }

  /// Records that a job has to do without a track from a packet on; where that was not enough
  /// before, without all of it.
  public func record(_ loss: CrashLoss, for job: RenderJob) throws(RenderError) {
    let path: String
    var losses: [CrashLoss]
    switch job {
    case .segments(let numbers):
      (path, losses) = (lossesPath(numbers.lowerBound), self.losses(of: numbers.lowerBound))
    case .soundtrack: (path, losses) = (soundLossesPath, soundLosses)
    case .reading: return
    }
    losses.append(loss)
    if losses.dropLast().contains(where: { $0.track == loss.track }) {
      losses[losses.count - 1].time = 0
    }
    try Self.write(losses, to: path)
  }

  /// Forgets all recorded losses, so that what brought workers down is tried again.
  public func forgetLosses() {
    for name in FileSystem.names(in: "\(path)/losses") {
      FileSystem.remove("\(path)/losses/\(name)")
    }
  }

  private static func read(_ path: String) -> [CrashLoss] {
    guard let data = FileManager.default.contents(atPath: path) else { return [] }
    return (try? JSONDecoder().decode([CrashLoss].self, from: data)) ?? []
  }

  /// Where a document's larger parts are: a folder beside it.
  static func sideFolder(of path: String) -> SideFolder { SideFolder("\(path).parts") }

  /// Writes a value as JSON, whole or not at all.
  static func write(_ value: some Encodable, to path: String) throws(RenderError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.userInfo[SideFolder.key] = sideFolder(of: path)
    var file = try OutputFile(path)
    let data: Data
    do {
      data = try encoder.encode(value)
    } catch let error as SystemError where error.isOutOfSpace {
      throw RenderError(error)
    } catch {
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
      throw RenderError(
        .failure,
        "cannot write \(path) and the folder for its parts beside it: name a file in another folder "
          + "than \(folder), or make room there.")
    }
    try file.write(data)
  }

  /// Whether a finished segment is there that was made from `digest`, of files that were all there.
  public func hasSegment(_ number: Int, digest: String) -> Bool {
    guard let text = Self.note(segmentPath(number), digest) else { return false }
    return SegmentNote(text)?.isMakeshift == false
  }

  /// Whether a finished sound is there that was made from `digest`, of files that were all there.
  public func hasSoundtrack(digest: String) -> Bool {
    guard let text = Self.note(soundtrackPath, digest) else { return false }
    return SoundNote(text)?.isMakeshift == false
  }

  /// What is written at the end of a whole piece that was made from `digest`.
  private static func note(_ path: String, _ digest: String) -> String? {
    do throws(PacketFile.Refusal) {
      return try PacketFileReader(path, digest: digest).tail.note
    } catch {
      return nil
    }
  }
}
