import ArgumentParser
import TesseraMedia

/// What kind of file is made.
struct OutputKind {
  /// What messages call it.
  let name: String
  /// The format.
  let container: OutputContainer

  /// That of the file `path`.
  init(path: String) {
    name = path
    container = OutputContainer(path: path) ?? .mp4
  }

  /// A video of that format, whatever it will be called.
  init(_ choice: ContainerChoice) {
    (name, container) = ("--container \(choice.rawValue)", choice.container)
  }
}

/// The formats of videos by their usual endings.
enum ContainerChoice: String, ExpressibleByArgument, CaseIterable {
  case mp4
  case webm
  case mkv

  var container: OutputContainer {
    switch self {
    case .mp4: .mp4
    case .webm: .webm
    case .mkv: .matroska
    }
  }
}
