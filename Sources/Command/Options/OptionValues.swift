public import ArgumentParser
import TesseraJobs
public import TesseraLayout
public import TesseraPixels
import TesseraPlan
import TesseraPlanning
import TesseraRendering
public import TesseraTimeline

extension FrameRate: ExpressibleByArgument {}
extension MediaTime: ExpressibleByArgument {}
extension ResampleFilter: ExpressibleByArgument {}
extension Fit: ExpressibleByArgument {}

extension Color: ExpressibleByArgument {
  /// Reads `#101418`, `#fff` or a basic color name.
  public init?(argument: String) { self.init(argument) }
}

extension ProposedSize: ExpressibleByArgument {
  /// Reads `1280x720`, `1280xauto` or `autox720`.
  public init?(argument: String) { self.init(argument) }

  public var defaultValueDescription: String { description }

  /// Why no canvas can have this size, or nil.
  var problem: String? {
    let limits = Rendition.canvasSides
    let sides = [width, height].compactMap { $0 }
    guard sides.allSatisfy({ (Double(limits.lowerBound)...Double(limits.upperBound)).contains($0) })
    else { return "--size takes sides from \(limits.lowerBound) to \(limits.upperBound) pixels." }
    return nil
  }

  /// Why no video can have this size, or nil.
  var videoProblem: String? {
    if let problem { return problem }
    let even = ProposedSize(
      width: width.map { $0 - $0.remainder(dividingBy: 2).magnitude },
      height: height.map { $0 - $0.remainder(dividingBy: 2).magnitude })
    guard self != even else { return nil }
    return "--size takes even sides only, as 4:2:0 video needs: \(even) would do."
  }

  /// The size in pixels, with the missing side as 16:9 has it.
  var widescreenPixels: PixelSize {
    PixelSize(
      width: Int(widescreen.width / 2) * 2, height: Int(widescreen.height / 2) * 2)
  }
}

/// Bits a second: `128k`, `128000`.
struct BitRate: ExpressibleByArgument {
  let bitsPerSecond: Int

  init(_ bitsPerSecond: Int) { self.bitsPerSecond = bitsPerSecond }

  init?(argument: String) {
    let isKilo = argument.lowercased().hasSuffix("k")
    guard let number = Int(isKilo ? argument.dropLast() : argument[...]), number > 0,
      number < 10_000_000
    else { return nil }
    bitsPerSecond = isKilo ? number * 1000 : number
  }

  var defaultValueDescription: String { "\(bitsPerSecond / 1000)k" }
}

/// An encoder's own option: `key=value`.
struct EncoderOption: ExpressibleByArgument {
  let key: String
  let value: String

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    (key, value) = (String(parts[0]), String(parts[1]))
  }
}

/// Which kernels scale pictures.
enum KernelChoice: ExpressibleByArgument {
  case auto
  case level(Kernels.Level)

  init?(argument: String) {
    guard argument != "auto" else {
      self = .auto
      return
    }
    guard let level = Kernels.Level(rawValue: argument) else { return nil }
    self = .level(level)
  }

  var defaultValueDescription: String {
    switch self {
    case .auto: "auto"
    case .level(let level): level.rawValue
    }
  }

  static var allValueStrings: [String] { ["auto"] + Kernels.Level.allCases.map(\.rawValue) }
}
