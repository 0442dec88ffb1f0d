public import TesseraTimeline

/// An opaque 8-bit sRGB color (gamma-encoded R'G'B').
public struct Color: Hashable, Sendable {
  public var red: UInt8
  public var green: UInt8
  public var blue: UInt8

  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Creates the color `0xRRGGBB`.
  public init(rgb: UInt32) {
    self.init(
      red: UInt8(truncatingIfNeeded: rgb >> 16), green: UInt8(truncatingIfNeeded: rgb >> 8),
      blue: UInt8(truncatingIfNeeded: rgb))
  }

  /// Parses `#RRGGBB`, `#RGB` or one of the basic CSS color names, in any case; returns `nil` for
  /// any other text.
  public init?(_ text: String) {
    if let rgb = Self.values[text.lowercased()] {
      self.init(rgb: rgb)
      return
    }
    let digits = text.dropFirst()
    guard text.hasPrefix("#"), digits.utf8.count == 3 || digits.utf8.count == 6,
      digits.allSatisfy({ $0.isASCII && $0.isHexDigit }), let value = UInt32(digits, radix: 16)
    else { return nil }
    guard digits.utf8.count == 3 else {
      self.init(rgb: value)
      return
    }
    let spread = (value & 0xf00) << 8 | (value & 0x0f0) << 4 | value & 0x00f
    self.init(rgb: spread * 0x11)
  }

  /// The color names that ``init(_:)`` accepts, sorted.
  package static var names: [String] { values.keys.sorted() }

  public static let black = Color(rgb: 0x000000)
  public static let white = Color(rgb: 0xffffff)

  /// The basic color keywords of CSS (CSS Color Module Level 3, section 4.1).
  private static let values: [String: UInt32] = [
    "black": 0x000000, "silver": 0xc0c0c0, "gray": 0x808080, "grey": 0x808080,
    "white": 0xffffff, "maroon": 0x800000, "red": 0xff0000, "purple": 0x800080,
    "fuchsia": 0xff00ff, "green": 0x008000, "lime": 0x00ff00, "olive": 0x808000,
    "yellow": 0xffff00, "navy": 0x000080, "blue": 0x0000ff, "teal": 0x008080, "aqua": 0x00ffff,
    "orange": 0xffa500,
  ]

  /// The color on a canvas: BT.709 limited Y'CbCr, each component rounded half up.
  package var canvasSample: (luma: UInt8, blue: UInt8, red: UInt8) {
    Self.canvasSample(
      red: Double(red) / 255, green: Double(green) / 255, blue: Double(blue) / 255)
  }

  /// Returns the color's 8-bit Y'CbCr samples in a picture of `space`.
  package func numbers(in space: ColorSpace) -> (luma: Int, blue: Int, red: Int) {
    let (r, g, b) = (Double(red) / 255, Double(green) / 255, Double(blue) / 255)
    let (kr, kb, isFull) = (space.matrix.red, space.matrix.blue, space.range == .full)
    let y = kr * r + (1 - kr - kb) * g + kb * b
    let (luma, chroma) = (isFull ? 255.0 : 219, isFull ? 255.0 : 224)
    func chromaNumber(_ difference: Double, _ weight: Double) -> Int {
      min(255, Int(128.5 + chroma * difference / (2 * (1 - weight))))
    }
    return (Int((isFull ? 0.5 : 16.5) + luma * y), chromaNumber(b - y, kb), chromaNumber(r - y, kr))
  }

  /// Returns the canvas samples for R'G'B' components in `0...1`.
  static func canvasSample(
    red r: Double, green g: Double, blue b: Double
  ) -> (luma: UInt8, blue: UInt8, red: UInt8) {
    let matrix = ColorSpace.canvas.matrix
    let y = matrix.red * r + (1 - matrix.red - matrix.blue) * g + matrix.blue * b
    let cb = (b - y) / (2 * (1 - matrix.blue))
    let cr = (r - y) / (2 * (1 - matrix.red))
    return (UInt8(16.5 + 219 * y), UInt8(128.5 + 224 * cb), UInt8(128.5 + 224 * cr))
  }
}

extension Color: TextCodable {
  public static let textForm = "a color, such as #1b2f4a or navy"

  /// The color as `#rrggbb`.
  public var description: String {
    let value = UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
    let digits = String(value, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.utf8.count) + digits
  }
}
