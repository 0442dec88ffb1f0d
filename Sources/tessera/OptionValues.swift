public import ArgumentParser
public import Layout
public import Pixels
public import Timeline

extension FrameRate: ExpressibleByArgument {}
extension MediaTime: ExpressibleByArgument {}
extension ResampleFilter: ExpressibleByArgument {}
extension Fit: ExpressibleByArgument {}

extension Color: ExpressibleByArgument {
  /// Reads `#101418`, `#fff` or a basic colour name.
  public init?(argument: String) { self.init(argument) }
}

extension ProposedSize: ExpressibleByArgument {
  /// Reads `1280x720`, `1280xauto` or `autox720`, with sides from 16 to 8192 pixels.
  public init?(argument: String) {
    guard let size = ProposedSize(argument),
      [size.width, size.height].allSatisfy({ $0.map { (16...8192).contains($0) } ?? true })
    else { return nil }
    self = size
  }

  public var defaultValueDescription: String { description }
}

/// The `WxH` of a canvas.
struct CanvasSize: ExpressibleByArgument {
  let size: PixelSize

  init(_ size: PixelSize) { self.size = size }

  init?(argument: String) {
    let sides = argument.split(separator: "x", omittingEmptySubsequences: false)
    guard sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]) else {
      return nil
    }
    size = PixelSize(width: width, height: height)
  }

  var defaultValueDescription: String { "\(size.width)x\(size.height)" }

  /// Why no canvas can have this size, or nil.
  var problem: String? {
    let sides = [size.width, size.height]
    guard sides.allSatisfy({ (16...8192).contains($0) }) else {
      return "--size takes sides from 16 to 8192 pixels."
    }
    guard sides.allSatisfy({ $0.isMultiple(of: 2) }) else {
      return "--size takes even sides only, as 4:2:0 video needs: "
        + "\(size.width & ~1)x\(size.height & ~1) would do."
    }
    return nil
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
