public import ArgumentParser
import TesseraCodecs
import TesseraDelivery
public import TesseraLayout
import TesseraPixels
public import TesseraRequest
import TesseraSystem
public import TesseraTimeline

extension MediaTime: ExpressibleByArgument {}

extension ProposedSize: ExpressibleByArgument {
  /// Reads `1280x720`, `1280xauto` or `autox720`.
  public init?(argument: String) { self.init(argument) }

  public var defaultValueDescription: String { description }
}

/// The value of `--cpu`: the instruction set of the pixel kernels.
enum InstructionSetArgument: ExpressibleByArgument {
  case auto
  case level(PixelKernels.InstructionSet)

  init?(argument: String) {
    guard argument != "auto" else {
      self = .auto
      return
    }
    guard let level = PixelKernels.InstructionSet(rawValue: argument) else { return nil }
    self = .level(level)
  }

  var defaultValueDescription: String {
    switch self {
    case .auto: "auto"
    case .level(let level): level.rawValue
    }
  }

  static var allValueStrings: [String] {
    ["auto"] + PixelKernels.InstructionSet.allCases.map(\.rawValue)
  }
}

/// Video container formats, named by their usual file extensions.
enum ContainerArgument: String, ExpressibleByArgument, CaseIterable {
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

extension ExecutionOptions.Executor: ExpressibleByArgument {
  public init?(argument: String) { self.init(option: argument) }

  public static var defaultCompletionKind: CompletionKind {
    .list(["processes", "threads", "slurm"])
  }

  public var defaultValueDescription: String { optionText }
}
