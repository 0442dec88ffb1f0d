import Foundation
package import TesseraTimeline

extension Playlist {
  /// The path of what a line of the playlist at `path` names; nil where that leads out of its
  /// folder.
  ///
  /// Addresses are taken by their last part, and so is what `isPresent` does not find: prefixes of
  /// buckets are gone where somebody has fetched the files.
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

  /// When its first segment begins, since 1970, where something says so.
  package var date: MediaTime? { segments.first?.date }
  /// The length of its segments, as it says it.
  package var length: MediaTime {
    MediaTime(nanoseconds: segments.reduce(0) { $0 +| $1.length.nanoseconds })
  }
}
