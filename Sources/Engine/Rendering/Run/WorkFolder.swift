import Foundation
import TesseraCodecs
package import TesseraJobs
import TesseraMessages
package import TesseraPlan
import TesseraSoundtrack
package import TesseraSystem

/// The folder in which a render stores finished pieces until the output is complete.
///
///     plan.json          the plan, with its side files in plan.json.parts
///     segments/D.tseg    finished segments, named by the digest of their recipe, not by number;
///                        D-MARK.tseg, with the rendition's mark, except for the main rendition
///     soundtrack.tsnd    the finished soundtrack, or soundtrack-MARK.tsnd
///     sound/D.tsnd       finished pieces of the mix, by digest, until the soundtrack is encoded
///     losses/N.json      the crash losses that apply to section N
///     notes/             crash notes and logs of workers
///     lock               locked by the render that uses the folder
package struct WorkFolder: Hashable, Sendable {
  package let path: String

  /// Refers to the folder at `path`. Creates no files.
  package init(_ path: String) { self.path = path }

  /// Refers to the default folder of an output: `OUTPUT.tessera`.
  package init(output: String) {
    let output = OutputFolderKind.withoutSlash(output)
    let url = URL(fileURLWithPath: output)
    var name = url.lastPathComponent
    // The extended name has to fit into the 255 bytes that file systems allow.
    while name.utf8.count > 200 { name.removeLast() }
    path =
      name == url.lastPathComponent
      ? output + ".tessera" : url.deletingLastPathComponent().path + "/\(name).tessera"
  }

  package var planPath: String { "\(path)/plan.json" }
  /// Returns the path of a rendition's finished soundtrack.
  package func soundtrackPath(of rendition: RenditionPlan) -> String {
    "\(path)/soundtrack\(rendition.mark).tsnd"
  }
  /// Returns the path of a finished piece of a rendition's sound.
  package func soundPiecePath(_ number: Int, of rendition: RenditionPlan) -> String {
    "\(path)/sound/\(rendition.soundPieceName(of: number)).tsnd"
  }
  /// The path of the report that a cluster job writes after stitching the output.
  package var reportPath: String { "\(path)/report.json" }
  /// Returns the path of a rendition's finished segment.
  package func segmentPath(_ number: Int, of rendition: RenditionPlan) -> String {
    "\(path)/segments/\(rendition.pieceName(of: number))\(rendition.mark).tseg"
  }
  /// Crash notes, logs and recorded losses.
  package var jobs: JobRecordFolder { JobRecordFolder(path) }

  private static let folders = ["segments", "sound"] + JobRecordFolder.folders
  /// The folders that ``remove()`` empties: all subfolders, and the plan's side files.
  private static let allFolders = folders + ["plan.json.parts"]

  /// Creates the folder and its subfolders if they do not exist.
  package func make() throws(RenderError) {
    do throws(SystemError) {
      for folder in Self.folders { try FileOperations.makeFolder("\(path)/\(folder)") }
    } catch {
      throw RenderError(
        error.isTransient ? .temporary : .failure,
        "cannot make the work folder \(file: path): \(error.reason); name another folder.")
    }
  }

  /// Creates the folder, locks it against other renders, and removes temporary files that a killed
  /// render left behind.
  ///
  /// - Throws: ``RenderError``, of kind `temporary` if another render holds the lock.
  package func enter() throws(RenderError) -> FolderLock {
    try make()
    let lock: FolderLock?
    do throws(SystemError) {
      lock = try FolderLock.take(path)
    } catch {
      throw RenderError(
        error.isTransient ? .temporary : .failure,
        "cannot lock the work folder \(file: path): \(error.reason).")
    }
    guard let lock else {
      throw RenderError(
        .temporary,
        "another render works in \(file: path); wait for it, or give \(option: "work-dir") another folder."
      )
    }
    removeRemains()
    return lock
  }

  /// Removes temporary files of dead processes, and notes of earlier workers.
  private func removeRemains() {
    for folder in [path] + Self.folders.map({ "\(path)/\($0)" }) {
      TemporaryFile.removeAbandoned(in: folder)
    }
    jobs.removeNotes()
  }

  /// Removes the pieces of an earlier plan that do not belong to `work`.
  package func removePieces(notOf work: WorkPlan) {
    let segments = work.renditions.flatMap { rendition in
      rendition.segments.indices.map { segmentPath($0, of: rendition) }
    }
    let sound = work.soundtracks.map { work.renditions[$0] }.flatMap { rendition in
      [soundtrackPath(of: rendition)] + soundPiecePaths(of: rendition)
    }
    let pieces = Set(segments + sound)
    for folder in [path, "\(path)/segments", "\(path)/sound"] {
      for name in FileOperations.names(in: folder)
      where Self.isPiece(name) && !pieces.contains("\(folder)/\(name)") {
        FileOperations.remove("\(folder)/\(name)")
      }
    }
  }

  private static func isPiece(_ name: String) -> Bool {
    name.hasSuffix(".tseg") || name.hasSuffix(".tsnd")
  }

  /// Returns the paths of all sound pieces of a rendition; empty if its sound is mixed as a whole.
  func soundPiecePaths(of rendition: RenditionPlan) -> [String] {
    let count = rendition.soundPieces.count
    return count > 1 ? (0..<count).map { soundPiecePath($0, of: rendition) } : []
  }

  /// Removes all files that renders put into the folder, and the folder itself if it is empty then.
  package func remove() {
    for folder in Self.allFolders {
      for name in FileOperations.names(in: "\(path)/\(folder)") {
        FileOperations.remove("\(path)/\(folder)/\(name)")
      }
      FileOperations.removeEmptyFolder("\(path)/\(folder)")
    }
    for name in FileOperations.names(in: path) where Self.isOwn(name) {
      FileOperations.remove("\(path)/\(name)")
    }
    FileOperations.removeEmptyFolder(path)
  }

  private static func isOwn(_ name: String) -> Bool {
    ["plan.json", "lock", "jobs.json", "report.json"].contains(name) || isPiece(name)
      || name.hasSuffix(".part")
      || name.hasSuffix(".tplan") || name.hasSuffix(".sh") || name.hasSuffix(".log")
  }

  /// Total size of all files in the folder.
  package var byteCount: Int { FileOperations.byteCount(below: path) }

  /// Returns the recorded crash losses that apply to section `number`.
  package func losses(of number: Int) -> [CrashedTrackLoss] { jobs.losses(of: "\(number)") }

  /// The recorded crash losses that apply to the sound.
  package var soundLosses: [CrashedTrackLoss] { jobs.losses(of: "soundtrack") }

  /// Records that a job continues without a track from a time on. If the track already has a loss,
  /// the job continues without all of it.
  package func record(_ loss: CrashedTrackLoss, for job: RenderJob) throws(RenderError) {
    switch job {
    case .segments(let numbers): try jobs.record(loss, of: "\(numbers.lowerBound)")
    case .sound, .soundtrack: try jobs.record(loss, of: "soundtrack")
    // After a death, the combined jobs run one by one, so that no loss refers to this job.
    case .together: break
    }
  }

  /// True if the files of section `section` of `work` exist, or those of the sound if `section` is
  /// nil.
  func hasFiles(of work: WorkPlan, _ section: Int?) -> Bool {
    guard let section else {
      return work.soundtracks.allSatisfy {
        FileOperations.exists(soundtrackPath(of: work.renditions[$0]))
      }
    }
    return zip(work.sections[section].segments, work.renditions).allSatisfy { numbers, rendition in
      numbers.allSatisfy { FileOperations.exists(segmentPath($0, of: rendition)) }
    }
  }

  /// True if a finished segment of `rendition` exists, rendered with exactly these crash losses and
  /// from complete files.
  package func hasSegment(
    _ number: Int, of rendition: RenditionPlan, _ losses: [CrashedTrackLoss]
  ) -> Bool {
    let digest = rendition.digest(of: number, losses: losses)
    guard let text = Self.note(segmentPath(number, of: rendition), digest) else { return false }
    return SegmentReport(text)?.isMakeshift == false
  }

  /// True if the finished soundtrack of `rendition` exists, made with exactly these crash losses
  /// and from complete files.
  package func hasSoundtrack(of rendition: RenditionPlan, _ losses: [CrashedTrackLoss]) -> Bool {
    Self.holdsSound(soundtrackPath(of: rendition), rendition.soundtrackDigest(losses: losses))
  }

  /// True if a finished piece of the sound of `rendition` exists, made with exactly these crash
  /// losses and from complete files.
  package func hasSoundPiece(
    _ number: Int, of rendition: RenditionPlan, _ losses: [CrashedTrackLoss]
  ) -> Bool {
    Self.holdsSound(
      soundPiecePath(number, of: rendition),
      rendition.digest(ofSoundPiece: number, losses: losses))
  }

  private static func holdsSound(_ path: String, _ digest: String) -> Bool {
    note(path, digest).flatMap { SoundReport($0) }?.isMakeshift == false
  }

  /// Returns the note at the end of the complete piece at `path`; nil if the piece's digest is not
  /// `digest`.
  private static func note(_ path: String, _ digest: String) -> String? {
    do throws(PacketFile.OpenError) {
      return try PacketFileReader(path, digest: digest).tail.note
    } catch {
      return nil
    }
  }
}
