import Foundation
package import TesseraDocuments
import TesseraJobs
import TesseraMessages
package import TesseraPlan
import TesseraRecordings
import TesseraSystem
import TesseraTimeline

extension ImportedCall {
  /// Returns the recording as the document of a session file at `path`.
  ///
  /// Paths of its files become relative to that file's folder, which must exist. `name` returns the
  /// name of a file that is stored elsewhere, or `nil` for local files.
  package func session(
    at path: String, name: (_ path: String) -> String? = { _ in nil }
  ) -> DocumentValue {
    let target = FileOperations.followingLinks(path)
    let folder = Self.realFolder(of: target)
    var moved = recording
    moved.mapPaths { file in
      let whole = self.path(of: file)
      if let name = name(whole) { return name }
      let last = URL(fileURLWithPath: whole).lastPathComponent
      return Self.relative("\(Self.realFolder(of: whole))/\(last)", to: folder)
    }
    moved.messages = moved.messages.map { note in
      note.named { name(self.path(of: $0)) ?? $0 }
    }
    return SessionFile.document(moved)
  }

  /// Returns the call with the shots of `plan`, so that users can edit them in a session file.
  package func directed(as plan: Plan) -> ImportedCall {
    var input = self
    input.recording.layout = .named("cuts")
    input.recording.shots = plan.shots.map { shot in
      let content: ShotStart.Subject =
        switch shot.content {
        case .everybody: .everybody
        case .screen(let id, let withSpeaker): .screen(id.rawValue, withSpeaker: withSpeaker)
        case .people(let ids):
          ids.count == 2
            ? .people(ids[0].rawValue, ids[1].rawValue) : .person(ids.first?.rawValue ?? "")
        }
      return ShotStart(shot.time, content)
    }
    return input
  }

  /// The paths of the recording's files that do not exist, each once, in order.
  package var missingFiles: [String] { files.filter { !FileOperations.exists($0) } }

  /// Returns the resolved folder of `path`. With an unresolved symbolic link in it, `..` would lead
  /// elsewhere.
  private static func realFolder(of path: String) -> String {
    let folder = URL(fileURLWithPath: path).standardizedFileURL.deletingLastPathComponent().path
    return FileOperations.realPath(folder) ?? folder
  }

  /// Returns the absolute `path` relative to the absolute `folder`.
  private static func relative(_ path: String, to folder: String) -> String {
    let (parts, base) = (path.pathParts, folder.pathParts)
    let common = zip(parts, base).prefix { $0 == $1 }.count
    let up = Array(repeating: "..", count: base.count - common)
    return (up + parts.dropFirst(common).map(String.init)).joined(separator: "/")
  }
}
