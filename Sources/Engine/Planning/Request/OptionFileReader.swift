import TesseraCaptions
import TesseraDocuments
package import TesseraLayout
import TesseraLettering
import TesseraMessages
import TesseraPlan
import TesseraRequest
package import TesseraSystem
import TesseraTimeline

/// Reads the files that options name.
enum OptionFileReader {
  /// Reads the file at `path`, called `what` in messages. Reads at most one byte more than
  /// ``CaptionFileReader/maximumSize``, so that parsers can detect larger files.
  static func read(_ path: String, _ what: String) throws(RenderError) -> [UInt8] {
    do throws(SystemError) {
      return try RegularFile.bytes(path, atMost: CaptionFileReader.maximumSize + 1)
    } catch {
      throw RenderError(
        .usage, "cannot read the \(what) file \(file: path): \(error.reason); check its name.")
    }
  }

  /// Reads the captions in the file at `path`. Notes about skipped captions are added to `notes`.
  static func captions(
    _ path: String, _ notes: inout [UserMessage]
  ) throws(RenderError) -> [CaptionCue] {
    let bytes = try read(path, "captions")
    let file = try RenderError.refusing { () throws(CaptionFileError) in
      try CaptionFileReader(bytes, name: path)
    }
    notes += file.notes
    return file.cues
  }
}

extension CaptionTrackOption {
  /// Reads the caption track that this option describes. Notes about skipped captions are added to
  /// `notes`.
  func track(_ notes: inout [UserMessage]) throws(RenderError) -> CaptionTrack {
    var track = CaptionTrack.transcript(language: language, title: title)
    if !isTranscript {
      track = CaptionTrack(
        name: path, cues: try OptionFileReader.captions(path, &notes), language: language,
        title: title)
    }
    track.isDefault = isDefault
    return track
  }
}

extension TranscriptOption {
  /// Reads the transcript file. Notes about skipped lines are added to `notes`.
  func input(_ notes: inout [UserMessage]) throws(RenderError) -> TranscriptInput {
    let bytes = try OptionFileReader.read(path, "transcript")
    let file = try RenderError.refusing { () throws(TranscriptError) in
      try TranscriptFileReader(bytes, name: path)
    }
    notes += file.notes
    return TranscriptInput(file.transcript, name: path, person: person, start: start)
  }
}

extension TesseraRequest.LayoutOption {
  /// Returns the layout policy, reading the layout file if the option names one.
  package func policy() throws(RenderError) -> any LayoutPolicy {
    guard let file else { return try withoutFile() }
    guard
      let contents = String(file: try OptionFileReader.read(file, "layout"))
    else { throw RenderError(.usage, "the layout file \(file: file) is not text in UTF-8.") }
    do throws(LayoutError) {
      return try LayoutFileParser.policy(contents)
    } catch {
      throw RenderError(.usage, "\(file: file): \(error)")
    }
  }
}

extension ThemeOption {
  /// Returns the theme, reading the theme file if the option names one.
  func resolved() throws(RenderError) -> Theme {
    guard let file else { return try withoutFile() }
    let bytes = try OptionFileReader.read(file, "theme")
    return try RenderError.refusing { () throws(DocumentError) in try Theme(bytes, file: file) }
  }
}
