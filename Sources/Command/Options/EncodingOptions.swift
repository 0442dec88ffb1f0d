import ArgumentParser
import TesseraMedia
import TesseraPixels
import TesseraRendering
import TesseraTimeline

/// How a rendered call is encoded.
struct EncodingOptions: ParsableArguments {
  @Option(help: "libavcodec's name of the video encoder.")
  var encoder = "libx264"

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

  func validate() throws {
    guard preset != "" else {
      throw ValidationError("--preset is empty; name one, such as veryfast, or leave it out.")
    }
    guard let crf, let range = VideoEncoderSettings.qualities(of: encoder), !range.contains(crf)
    else { return }
    throw ValidationError(
      "--crf takes \(range.lowerBound) to \(range.upperBound) for \(encoder).")
  }

  /// What the encoder is asked for.
  func settings(size: PixelSize, frameRate: FrameRate) -> VideoEncoderSettings {
    let isDefault = encoder == "libx264"
    return VideoEncoderSettings(
      encoder: encoder, preset: preset ?? (isDefault ? "veryfast" : nil),
      quality: crf ?? (isDefault ? 23 : nil),
      options: Dictionary(encoderOptions.map { ($0.key, $0.value) }) { $1 }, size: size,
      frameRate: frameRate)
  }
}
