public import ArgumentParser
import TesseraJobs
public import TesseraMedia
import TesseraPlan
public import TesseraPlanning
import TesseraRendering
public import TesseraSoundtrack

/// What the call sounds like.
struct SoundOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      The loudness that voices and mix are brought to: off, LUFS from -40 to -8, speech (-16), \
      broadcast (-23) or web (-14).
      """, valueName: "off|lufs|name"))
  var loudness = LoudnessTarget.off

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many decibels the sound of shared screens is turned down while people speak, 0 to 60.",
      valueName: "db"))
  var duck = 0.0

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Only these people are heard; the others keep their tiles.", valueName: "person"))
  var onlySound: [String] = []

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("These people are not heard, but keep their tiles.", valueName: "person"))
  var excludeSound: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      Which sound of files with several tracks of it: a language, a title, a number from 1, or all \
      for all of them, mixed (the one that is meant to be played).
      """, valueName: "track"))
  var audioTrack: AudioTrackChoice?

  @Option(help: "libavcodec's name of the audio encoder (what is usual in the output's format).")
  var audioEncoder: SoundEncoderSettings.Codec?

  @Option(help: "How many channels the sound has: mono or stereo.")
  var audioChannels = AudioChannels.stereo

  @Option(help: "Bits a second of the sound, 32k to 512k for AAC.")
  var audioBitrate = BitRate(128_000)

  func validate() throws {
    guard (0...60).contains(duck) else {
      throw ValidationError("--duck takes 0 to 60 decibels.")
    }
  }

  /// Asks for what is said here; `output` is the kind of file that is made, nil where it is not
  /// known yet.
  func apply(to rendition: inout Rendition, output: OutputKind?) throws(RenderError) {
    (rendition.loudness, rendition.duck) = (loudness, duck)
    (rendition.onlySound, rendition.excludedSound) = (onlySound, excludeSound)
    rendition.output.audio = try settings(for: output)
    rendition.hasPictures = output?.container.hasPictures ?? true
  }

  /// How sound is encoded for the file `output`.
  private func settings(for output: OutputKind?) throws(RenderError) -> SoundEncoderSettings {
    let codecs = (output?.container ?? .mp4).soundCodecs
    let codec = audioEncoder ?? codecs[0]
    guard codecs.contains(codec) else {
      let names = codecs.map(\.rawValue).joined(separator: ", ")
      throw RenderError(
        .usage,
        "\(output?.name ?? "the output"): a file of that kind cannot carry what \(codec.rawValue) makes; "
          + "it can carry what \(names) makes.")
    }
    let settings = SoundEncoderSettings(
      codec: codec, bitRate: audioBitrate.bitsPerSecond, channelCount: audioChannels.count)
    let rates = settings.bitRates
    guard !codec.isLossy || rates.contains(settings.bitRate) else {
      throw RenderError(
        .usage,
        "--audio-bitrate takes \(rates.lowerBound / 1000)k to \(rates.upperBound / 1000)k for "
          + "\(codec.rawValue) in \(audioChannels.rawValue).")
    }
    return settings
  }
}

/// How many channels sound has.
enum AudioChannels: String, ExpressibleByArgument, CaseIterable {
  case mono
  case stereo

  var count: Int { self == .mono ? 1 : 2 }
}

extension SoundEncoderSettings.Codec: ExpressibleByArgument {}

extension AudioTrackChoice: ExpressibleByArgument {
  /// Reads `all`, a language, a title or a number.
  public init?(argument: String) { self.init(argument) }
}

extension LoudnessTarget: ExpressibleByArgument {
  /// Reads `off`, a number of LUFS, `speech`, `broadcast` or `web`.
  public init?(argument: String) { self.init(argument) }

  public static var defaultCompletionKind: CompletionKind { .list(names) }

  public var defaultValueDescription: String {
    switch self {
    case .off: "off"
    case .loudness(let target): "\(target)"
    }
  }
}
