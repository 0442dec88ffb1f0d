import ArgumentParser
import Foundation
import TesseraLettering
import TesseraRendering

/// Files that options name.
enum InputFile {
  /// The bytes of the file at `path`, which is called `what` in messages; a byte more than any of
  /// them may have at most.
  static func read(_ path: String, _ what: String) throws(RenderError) -> [UInt8] {
    do {
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      return Array(try file.read(upToCount: CaptionFile.maximumSize + 1) ?? Data())
    } catch {
      throw RenderError(
        .usage, "cannot read the \(what) file \(path): \(error.systemReason); check its name.")
    }
  }

  /// The captions in the file at `path`.
  static func captions(_ path: String) throws(RenderError) -> [CaptionCue] {
    let bytes = try read(path, "captions")
    do throws(CaptionFileError) {
      return try CaptionFile.cues(bytes, name: path)
    } catch {
      throw RenderError(.usage, "\(error)")
    }
  }
}

/// A path with options after it: `logo.png:corner=top-right,height=0.1`.
struct PathWithOptions {
  let path: String
  private(set) var options: [(key: String, value: String)] = []

  /// nil where there is no path, or what follows the colon is not made of keys and values.
  init?(_ argument: String) {
    var path = argument
    if let colon = argument.lastIndex(of: ":"), argument[colon...].contains("=") {
      path = String(argument[..<colon])
      for part in argument[argument.index(after: colon)...].split(separator: ",") {
        let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
        guard pair.count == 2 else { return nil }
        options.append((pair[0], pair[1]))
      }
    }
    guard !path.isEmpty else { return nil }
    self.path = path
  }
}

/// Captions for a track of their own: `call.vtt:language=eng,title=English`.
struct CaptionTrackFile: ExpressibleByArgument {
  let path: String
  private(set) var language: String?
  private(set) var title: String?

  init?(argument: String) {
    guard let parts = PathWithOptions(argument) else { return nil }
    path = parts.path
    for (key, value) in parts.options {
      switch key {
      case "language":
        // ISO 639-2, as MP4 has it.
        guard value.utf8.count == 3, value.utf8.allSatisfy({ 97...122 ~= $0 }) else { return nil }
        language = value
      case "title": title = value
      default: return nil
      }
    }
  }

  /// The captions in the file.
  func track() throws(RenderError) -> CaptionTrack {
    CaptionTrack(
      try InputFile.captions(path), name: path, language: language, title: title)
  }
}
