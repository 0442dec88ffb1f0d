import TesseraDocuments
import TesseraMessages
import TesseraTimeline

/// Reads and validates the paths in a session file.
struct SessionPathValidator {
  let isPresent: ((String) -> Bool)?
  let known: [String]
  let mayLeaveFolder: Bool
  /// True if recordings may be missing. Images must always exist.
  let allowsMissing: Bool

  /// Takes the path of a file.
  ///
  /// - Throws: if the path leads out of the folder or the file does not exist, unless that is
  ///   allowed.
  func path(
    _ key: String, of cursor: inout DocumentMemberReader, isRecording: Bool = false
  ) throws(DocumentError) -> String? {
    guard let path = try cursor.text(key) else { return nil }
    guard !path.isEmpty, !path.unicodeScalars.contains("\0") else {
      throw cursor.invalid(key, "a path")
    }
    let parts = path.pathParts
    guard mayLeaveFolder || !path.isAbsolutePath && !parts.contains("..") else {
      throw cursor.wrong(key, "leads out of the folder, which a recording must not")
    }
    guard let isPresent, !isPresent(path), !(isRecording && allowsMissing) else { return path }
    let hint = path.nearest(among: known).map { ": did you mean \"\($0)\"?" } ?? ""
    throw cursor.wrong(key, "names the file \(file: path), which does not exist\(hint)")
  }

  /// Takes the list of overlays.
  func overlays(_ cursor: inout DocumentMemberReader) throws(DocumentError) -> [Overlay] {
    var overlays: [Overlay] = []
    for var item in try cursor.objects("overlays") ?? [] {
      let start = try item.timelineTime("from") ?? .zero
      let end = try item.timelineTime("to")
      if let end, end <= start { throw item.wrong("to", "must be later than \"from\"") }
      let text = try item.text("text")
      let image = try path("image", of: &item)
      let place = try item.choice("place", of: Overlay.Position.self) ?? .bottom
      let content: Overlay.Content
      switch (text, image) {
      case (let text?, nil): content = .text(text)
      case (nil, let image?): content = .image(image)
      default: throw item.wrong("text", "or \"image\" is required, and not both")
      }
      try item.finish()
      overlays.append(Overlay(from: start, to: end, content, at: place))
    }
    return overlays
  }
}
