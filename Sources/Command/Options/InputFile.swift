import ArgumentParser
import TesseraCaptions
import TesseraJobs
import TesseraLettering
import TesseraPlan
import TesseraPlanning
import TesseraRecordings
import TesseraRendering
import TesseraSystem

/// Files that options name.
enum InputFile {
  /// The bytes of the file at `path`, which is called `what` in messages; a byte more than any of
  /// them may have at most.
  static func read(_ path: String, _ what: String) throws(RenderError) -> [UInt8] {
    do throws(SystemError) {
      return try RegularFile.bytes(path, atMost: CaptionFile.maximumSize + 1)
    } catch {
      throw RenderError(
        .usage, "cannot read the \(what) file \(path): \(error.reason); check its name.")
    }
  }

  /// The captions in the file at `path`; what is left out of them is added to `notes`.
  static func captions(
    _ path: String, _ notes: inout [String]
  ) throws(RenderError) -> [CaptionCue] {
    let bytes = try read(path, "captions")
    do throws(CaptionFileError) {
      let file = try CaptionFile(bytes, name: path)
      notes += file.notes
      return file.cues
    } catch {
      throw RenderError(.usage, "\(error)")
    }
  }
}

/// A path with options after it: `logo.png:corner=top-right,height=0.1`.
protocol PathWithOptions: ExpressibleByArgument {
  init(path: String)

  /// Takes an option; false where there is none of that name or the value does not suit it.
  mutating func take(_ key: String, _ value: String) -> Bool
}

extension PathWithOptions {
  /// nil where there is no path, or what follows the colon is not made of options.
  init?(argument: String) {
    let (path, rest) = OutputWish.split(argument)
    let options = rest.dropFirst().split(separator: ",").map {
      $0.split(separator: "=", maxSplits: 1).map(String.init)
    }
    guard !path.isEmpty else { return nil }
    self.init(path: path)
    for option in options {
      guard option.count == 2, take(option[0], option[1]) else { return nil }
    }
  }
}

/// Captions for a track of their own: `call.vtt:language=eng,title=English`, or `transcript` for
/// what is said.
struct CaptionTrackFile: PathWithOptions {
  let path: String
  private var language: String?
  private var title: String?

  init(path: String) { self.path = path }

  mutating func take(_ key: String, _ value: String) -> Bool {
    switch key {
    case "language":
      // ISO 639-2, as MP4 has it.
      guard value.utf8.count == 3, value.utf8.allSatisfy({ 97...122 ~= $0 }) else { return false }
      language = value
    case "title": title = value
    default: return false
    }
    return true
  }

  /// Whether it is not a file, but what is said.
  var isTranscript: Bool { path == TranscriptOption.word }

  /// The captions in the file; what is left out of them is added to `notes`.
  func track(_ notes: inout [String]) throws(RenderError) -> CaptionTrack {
    guard !isTranscript else { return .transcript(language: language, title: title) }
    return CaptionTrack(
      try InputFile.captions(path, &notes), name: path, language: language, title: title)
  }
}
