import Foundation
import TesseraCodecs
package import TesseraJobs
package import TesseraPlan
import TesseraSoundtrack
package import TesseraSystem

/// Where a render keeps what is finished until the output is whole.
///
///     plan.json          what is rendered, and beside it the plan's own files
///     segments/D.tseg    the finished segments, by what they are made from, wherever they are in the
///                        output; those of renditions beside the main one have a mark of their
///                        rendition: D-MARK.tseg
///     soundtrack.tsnd    the finished sound, or soundtrack-MARK.tsnd
///     sound/D.tsnd       the finished pieces of its mix, by what they are made from, until it is encoded
///     losses/N.json      what a section has to do without, because it brought workers down
///     notes/             what workers are doing, and what they said
///     lock               held by the one render that works here
package struct WorkFolder: Hashable, Sendable {
  /// The folder.
  package let path: String

  /// The folder at `path`; nothing is made yet.
  package init(_ path: String) { self.path = path }

  /// The folder that belongs to an output unless another one is named.
  package init(output: String) {
    var output = output
    while output.count > 1, output.hasSuffix("/") { output.removeLast() }
    let url = URL(fileURLWithPath: output)
    var name = url.lastPathComponent
    // What is added to the name has to fit what file systems allow.
    while name.utf8.count > 200 { name.removeLast() }
    path =
      name == url.lastPathComponent
      ? output + ".tessera" : url.deletingLastPathComponent().path + "/\(name).tessera"
  }

  /// The plan.
  package var planPath: String { "\(path)/plan.json" }
  /// The finished sound of a rendition.
  package func soundtrackPath(of rendition: RenditionPlan) -> String {
    "\(path)/soundtrack\(rendition.mark).tsnd"
  }
  /// A finished piece of the sound of a rendition.
  package func soundPiecePath(_ number: Int, of rendition: RenditionPlan) -> String {
    "\(path)/sound/\(rendition.soundPieceName(of: number)).tsnd"
  }
  /// What became of the output where a job of a cluster has joined it.
  package var reportPath: String { "\(path)/report.json" }
  /// A finished segment of a rendition.
  package func segmentPath(_ number: Int, of rendition: RenditionPlan) -> String {
    "\(path)/segments/\(rendition.pieceName(of: number))\(rendition.mark).tseg"
  }
  /// What workers are doing, and what they lost.
  package var jobs: JobFolder { JobFolder(path) }

  private static let folders = ["segments", "sound"] + JobFolder.folders
  /// What is removed with the folder; the plan's own files lie beside the plan.
  private static let allFolders = folders + ["plan.json.parts"]

  /// Makes the folder where it is missing.
  package func make() throws(RenderError) {
    do throws(SystemError) {
      for folder in Self.folders { try FileSystem.makeFolder("\(path)/\(folder)") }
    } catch {
      throw RenderError(
        error.mayPass ? .temporary : .failure,
        "cannot make the work folder \(path): \(error.reason); name another folder.")
    }
  }

  /// Makes the folder and keeps every other render out of it; removes what a render that was
  /// killed left half-finished.
  package func enter() throws(RenderError) -> FolderLock {
    try make()
    let lock: FolderLock?
    do throws(SystemError) {
      lock = try FolderLock.take(path)
    } catch {
      throw RenderError(
        error.mayPass ? .temporary : .failure,
        "cannot lock the work folder \(path): \(error.reason).")
    }
    guard let lock else {
      throw RenderError(
        .temporary,
        "another render works in \(path); wait for it, or give \(option: "work-dir") another folder."
      )
    }
    removeRemains()
    return lock
  }

  /// Removes what no render goes on with: files that nobody makes any more, and notes.
  private func removeRemains() {
    for folder in [path] + Self.folders.map({ "\(path)/\($0)" }) {
      TemporaryFile.removeAbandoned(in: folder)
    }
    jobs.removeNotes()
  }

  /// Removes the pieces that do not belong to `work`, which an earlier plan had.
  package func removePieces(notOf work: WorkPlan) {
    let segments = work.renditions.flatMap { rendition in
      rendition.segments.indices.map { segmentPath($0, of: rendition) }
    }
    let sound = work.soundtracks.map { work.renditions[$0] }.flatMap { rendition in
      [soundtrackPath(of: rendition)] + soundPiecePaths(of: rendition)
    }
    let pieces = Set(segments + sound)
    for folder in [path, "\(path)/segments", "\(path)/sound"] {
      for name in FileSystem.names(in: folder)
      where Self.isPiece(name) && !pieces.contains("\(folder)/\(name)") {
        FileSystem.remove("\(folder)/\(name)")
      }
    }
  }

  private static func isPiece(_ name: String) -> Bool {
    name.hasSuffix(".tseg") || name.hasSuffix(".tsnd")
  }

  /// The pieces of the sound of a rendition; none where it is made as a whole.
  func soundPiecePaths(of rendition: RenditionPlan) -> [String] {
    let count = rendition.soundPieces.count
    return count > 1 ? (0..<count).map { soundPiecePath($0, of: rendition) } : []
  }

  /// Removes the folder with all that a render has put there, but nothing else.
  package func remove() {
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
    ["plan.json", "lock", "jobs.json", "report.json"].contains(name) || isPiece(name)
      || name.hasSuffix(".part")
      || name.hasSuffix(".tplan") || name.hasSuffix(".sh") || name.hasSuffix(".log")
  }

  /// The bytes of all that is in it.
  package var byteCount: Int { FileSystem.byteCount(below: path) }

  /// What a section was made without, as recorded.
  package func losses(of number: Int) -> [CrashLoss] { jobs.losses(of: "\(number)") }

  /// What the sound was made without, as recorded.
  package var soundLosses: [CrashLoss] { jobs.losses(of: "soundtrack") }

  /// Records that a job has to do without a track from a packet on; where that was not enough
  /// before, without all of it.
  package func record(_ loss: CrashLoss, for job: RenderJob) throws(RenderError) {
    switch job {
    case .segments(let numbers): try jobs.record(loss, of: "\(numbers.lowerBound)")
    case .sound, .soundtrack: try jobs.record(loss, of: "soundtrack")
    // A worker that dies of several jobs is replaced by one for each.
    case .together: break
    }
  }

  /// Whether the files of a section of `work`, or those of the sound, are there.
  func hasFiles(of work: WorkPlan, _ section: Int?) -> Bool {
    guard let section else {
      return work.soundtracks.allSatisfy {
        FileSystem.exists(soundtrackPath(of: work.renditions[$0]))
      }
    }
    return zip(work.sections[section].segments, work.renditions).allSatisfy { numbers, rendition in
      numbers.allSatisfy { FileSystem.exists(segmentPath($0, of: rendition)) }
    }
  }

  /// Whether a finished segment of `rendition` is there that was made without `losses`, of files
  /// that were all there.
  package func hasSegment(
    _ number: Int, of rendition: RenditionPlan, _ losses: [CrashLoss]
  ) -> Bool {
    let digest = rendition.digest(of: number, losses: losses)
    guard let text = Self.note(segmentPath(number, of: rendition), digest) else { return false }
    return SegmentNote(text)?.isMakeshift == false
  }

  /// True if the finished sound of `rendition` is there, made without `losses` and from files that were all present.
  package func hasSoundtrack(of rendition: RenditionPlan, _ losses: [CrashLoss]) -> Bool {
    Self.holdsSound(soundtrackPath(of: rendition), rendition.soundtrackDigest(losses: losses))
  }

  /// True if a finished piece of the sound of `rendition` is there, made without `losses` and from files that were all
  /// present.
  package func hasSoundPiece(
    _ number: Int, of rendition: RenditionPlan, _ losses: [CrashLoss]
  ) -> Bool {
    Self.holdsSound(
      soundPiecePath(number, of: rendition),
      rendition.digest(ofSoundPiece: number, losses: losses))
  }

  private static func holdsSound(_ path: String, _ digest: String) -> Bool {
    note(path, digest).flatMap { SoundNote($0) }?.isMakeshift == false
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
