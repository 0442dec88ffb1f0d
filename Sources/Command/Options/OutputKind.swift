import ArgumentParser
import TesseraMedia

/// What kind of file is made.
struct OutputKind {
  /// What messages call it.
  let name: String
  /// The format; nil where it holds only sound, or is not known yet.
  private(set) var container: Container?
  /// The format where it holds nothing but sound.
  private(set) var sound: SoundContainer?

  /// That of the file `path`.
  init(path: String) {
    name = path
    (container, sound) = (Container(path: path), SoundContainer(path: path))
  }

  /// A video of that format, whatever it will be called.
  init(_ choice: ContainerChoice) {
    (name, container) = ("--container \(choice.rawValue)", choice.container)
  }

  /// The encoders whose sound it can carry; the first one is the usual one.
  var soundCodecs: [SoundEncoderSettings.Codec] {
    sound?.codecs ?? (container ?? .mp4).soundCodecs
  }
}

/// The formats of videos by their usual endings.
enum ContainerChoice: String, ExpressibleByArgument, CaseIterable {
  case mp4
  case webm
  case mkv

  var container: Container {
    switch self {
    case .mp4: .mp4
    case .webm: .webm
    case .mkv: .matroska
    }
  }
}
