import ArgumentParser

/// Options for the video encoder, and for the title and the caption tracks of the file.
struct VideoOptions: ParsableArguments {
  @Option("for") var `for`: String?
  @Option("encoder") var encoder: String?
  @Option("preset") var preset: String?
  @Option("crf") var crf: String?
  @Option("encoder-option") var encoderOption: [String]
  @Option("title") var title: String?
  @Option("captions-track") var captionsTrack: [String]
}

/// Options for video and audio encoding.
struct EncodingOptions: ParsableArguments {
  @OptionGroup(title: "Encoding")
  var video: VideoOptions

  @OptionGroup(title: "Sound")
  var sound: SoundOptions
}

/// Options for the mix and the audio encoder.
struct SoundOptions: ParsableArguments {
  @Option("loudness") var loudness: String?
  @Option("duck") var duck: String?
  @Option("only-sound") var onlySound: [String]
  @Option("exclude-sound") var excludeSound: [String]
  @Option("audio-track") var audioTrack: String?
  @Option("audio-encoder") var audioEncoder: String?
  @Option("audio-channels") var audioChannels: String?
  @Option("audio-bitrate") var audioBitrate: String?
}
