import Foundation
package import TesseraTimeline

extension HLSPlaylist {
  /// Returns the path of the file that a URI in the playlist at `path` refers to; `nil` if it is
  /// outside the playlist's folder or absent.
  ///
  /// Of a full address or an absolute path, only the last component counts. Files that are not at
  /// their relative path are also looked for next to the playlist, because downloads drop a
  /// bucket's prefixes.
  package static func path(
    of uri: String, in path: String, isPresent: (String) -> Bool
  ) -> String? {
    var text = uri.prefix { $0 != "?" && $0 != "#" }
    if text.contains("://") || text.isAbsolutePath { text = text.pathParts.last ?? "" }
    let folder = path.folderPath
    let plain = String(text)
    let names = [plain, plain.removingPercentEncoding ?? plain]
    for name in names {
      let parts = name.pathParts.filter { $0 != "." }
      guard let last = parts.last, !parts.contains(".."),
        !name.unicodeScalars.contains(where: { $0.value < 0x20 })
      else { continue }
      let candidates = [folder + parts.joined(separator: "/"), "\(folder)\(last)"]
      if let found = candidates.first(where: isPresent) { return found }
    }
    return nil
  }

  /// The date of the first segment since 1970; `nil` if the playlist has no dates.
  package var date: MediaTime? { segments.first?.date }
  /// The sum of the segments' stated durations.
  package var length: MediaTime {
    MediaTime(nanoseconds: segments.reduce(0) { $0 +| $1.length.nanoseconds })
  }
}
