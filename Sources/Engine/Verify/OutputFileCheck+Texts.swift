import TesseraCodecs
import TesseraMessages
import TesseraProof
import TesseraTimeline

/// Checks of the texts in a file: chapters, title and captions.
extension OutputFileCheck {
  /// Reports chapters that are missing or misplaced, and a different title.
  mutating func compareChapters(_ playback: borrowing FilePlayer, _ proof: OutputProof) {
    let found = playback.chapters.map {
      OutputProof.TimedText(start: $0.start.nanoseconds / 1_000_000, text: $0.title)
    }
    verdict.look(at: .chapters, "\(found.count) chapters")
    guard carriesTexts(playback) else { return }
    compare(found, proof.chapters, .chapters, "chapter")
    if let title = proof.title, playback.title != title {
      verdict.note(.chapters, "the title is \"\(playback.title ?? "")\", not \"\(title)\"")
    }
  }

  /// True if the container stores chapters and captions unchanged: MP4 and Matroska do.
  private func carriesTexts(_ playback: borrowing FilePlayer) -> Bool {
    ["mov", "matroska"].contains { playback.formatName.contains($0) }
  }

  /// Reports captions that are missing or misplaced.
  mutating func compareCaptions(_ playback: borrowing FilePlayer, _ proof: OutputProof) {
    guard proof.pictures != nil, !proof.captions.isEmpty else { return }
    let streams = playback.streams.filter { stream in
      stream.kind == .other && ["mov_text", "subrip", "webvtt"].contains(stream.codec)
    }
    verdict.look(at: .captions, "\(streams.count) streams of captions")
    guard streams.count >= proof.captions.count else {
      return verdict.note(
        .captions,
        "\(proof.captions.count) streams of captions were to be there, not \(streams.count)")
    }
    for (stream, wanted) in zip(streams, proof.captions) {
      compare(captions[stream.index] ?? [], wanted.cues, .captions, "caption")
    }
  }

  /// Matches texts in order and reports the missing and misplaced ones. White space is not
  /// compared.
  private mutating func compare(
    _ found: [OutputProof.TimedText], _ wanted: [OutputProof.TimedText],
    _ subject: VerificationReport.Subject,
    _ what: String
  ) {
    func words(_ text: String) -> String {
      text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    var rest = found[...]
    for mark in wanted {
      let seconds = Double(mark.start) / 1000
      guard let place = rest.firstIndex(where: { words($0.text) == words(mark.text) }) else {
        verdict.note(subject, from: seconds, "the \(what) \"\(mark.text)\" is missing")
        continue
      }
      let offset = Double(rest[place].start - mark.start) / 1000
      if abs(offset) > Limit.text {
        verdict.note(
          subject, from: seconds, "the \(what) \"\(mark.text)\" is not at its time",
          measured: offset, limit: Limit.text)
      }
      rest = rest[(place + 1)...]
    }
  }
}
