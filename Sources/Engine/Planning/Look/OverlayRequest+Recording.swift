import TesseraCaptions
import TesseraRecordings
import TesseraRequest

extension OverlayRequest {
  /// Returns the request with the overlays of `recording` added; `input` resolves their paths.
  func adding(_ recording: Recording, of input: ImportedCall) -> OverlayRequest {
    var overlays = self
    overlays.rows += recording.overlays.map { overlay in
      let (content, height): (TimedOverlay.Content, Double) =
        switch overlay.content {
        case .text(let text): (.text(text), 0.03)
        case .image(let path): (.image(input.path(of: path)), 0.12)
        }
      return TimedOverlay(
        content, at: overlay.place.anchor, from: overlay.start, to: overlay.end, height: height)
    }
    return overlays
  }

  /// Returns the request with the transcript added as captions, if it asks for them.
  func adding(_ transcript: @autoclosure () -> Transcript) -> OverlayRequest {
    guard drawsTranscript else { return self }
    var overlays = self
    overlays.captions = transcript().cues()
    return overlays
  }
}
