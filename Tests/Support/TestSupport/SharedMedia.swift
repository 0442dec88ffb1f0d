import Foundation

/// The folder of real recordings that lies beside the package on the developers' machines.
public enum SharedMedia {
  private static let folder = SourceTree.shared.appending(path: "media")

  /// Whether it is there.
  public static let isPresent = FileManager.default.fileExists(atPath: folder.path)

  /// What to say where a test needs it.
  public static let absence = "needs the real recordings in ../shared/media"

  /// The path of `name`, such as `clean/foreman_cif_h264_annexb.264`.
  public static func path(_ name: String) -> String { folder.appending(path: name).path }

  /// The paths of all files in the part `name`, in bytewise order of their names.
  public static func all(_ name: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path(name))) ?? []
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { path("\(name)/\($0)") }
  }
}
