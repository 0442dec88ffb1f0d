import ArgumentParser
import TesseraJobs
import TesseraMedia
import TesseraPixels
import TesseraPlan
import TesseraPlanning
import TesseraRendering
import TesseraTimeline

/// How a rendered call is encoded.
struct EncodingOptions: ParsableArguments {
  @Option(
    help: "libavcodec's name of the video encoder (libx264; libvpx-vp9 for a .webm).",
    completion: .list(VideoEncoderSettings.knownEncoders))
  var encoder: String?

  @Option(help: "The encoder's point between fast and small (libx264: veryfast).")
  var preset: String?

  @Option(
    parsing: .unconditional, help: "The encoder's constant quality; lower is better (libx264: 23).")
  var crf: Int?

  @Option(
    name: .customLong("encoder-option"),
    help: ArgumentHelp("A further option of the encoder; may be repeated.", valueName: "k=v"))
  var encoderOptions: [EncoderOption] = []

  @OptionGroup(title: "Sound")
  var sound: SoundOptions

  @Option(help: "The title that the file carries.")
  var title: String?

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      """
      Captions that players can turn on and off: WebVTT or SubRip, or what is said (transcript); \
      once for each language, by its three letters.
      """, valueName: "file.vtt|.srt|transcript[:language=…,title=…]"),
    completion: .file(extensions: ["vtt", "srt"]))
  var captionsTrack: [CaptionTrackFile] = []

  /// The files that are read.
  var files: [String] { captionsTrack.filter { !$0.isTranscript }.map(\.path) }

  func validate() throws {
    guard preset != "" else {
      throw ValidationError("--preset is empty; name one, such as veryfast, or leave it out.")
    }
    let encoder = encoder ?? OutputContainer.mp4.videoEncoder
    guard let crf, let range = VideoEncoderSettings.qualities(of: encoder), !range.contains(crf)
    else { return }
    throw ValidationError(
      "--crf takes \(range.lowerBound) to \(range.upperBound) for \(encoder).")
  }

  /// What the encoder is asked for; `output` is the kind of file that is made, nil where nobody
  /// knows.
  func settings(
    size: PixelSize, frameRate: FrameRate, output: OutputKind?
  ) -> VideoEncoderSettings {
    let container = output?.container ?? .mp4
    let encoder = encoder ?? container.videoEncoder
    let defaults = Self.defaults[encoder]
    let options = Dictionary(encoderOptions.map { ($0.key, $0.value) }) { $1 }
    return VideoEncoderSettings(
      encoder: encoder, preset: preset ?? defaults?.preset, quality: crf ?? defaults?.quality,
      options: options.merging(defaults?.options ?? [:]) { own, _ in own }, size: size,
      frameRate: frameRate)
  }

  /// Asks for the sound and captions that are named here.
  func apply(to rendition: inout Rendition, output: OutputKind?) throws(RenderError) {
    try sound.apply(to: &rendition, output: output)
    if let output, !output.container.hasPictures, !captionsTrack.isEmpty {
      throw .captionsInSound(output.name)
    }
    for file in captionsTrack { rendition.captionTracks.append(try file.track(&rendition.notes)) }
  }

  /// What encoders are asked for where nobody says otherwise.
  private static let defaults: [String: (preset: String, quality: Int, options: [String: String])] =
    [
      "libx264": ("veryfast", 23, [:]),
      "libvpx-vp9": ("good", 33, ["cpu-used": "5"]),
    ]
}
