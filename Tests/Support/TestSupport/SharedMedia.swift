import Foundation

/// The folder of real recordings beside the project's folder, which is not part of the project.
public enum SharedMedia {
  private static let folder = SourceTree.shared.appending(path: "media")

  /// True if the folder exists.
  public static let isPresent = FileManager.default.fileExists(atPath: folder.path)

  /// The reason for skipping tests that need the folder.
  public static let absence = "needs the real recordings in ../shared/media"

  /// Returns the path of `name`, such as `clean/foreman_cif_h264_annexb.264`.
  public static func path(_ name: String) -> String { folder.appending(path: name).path }

  /// Returns the paths of all files in the part `name`, in bytewise order of their names.
  public static func all(_ name: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path(name))) ?? []
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { path("\(name)/\($0)") }
  }
}
