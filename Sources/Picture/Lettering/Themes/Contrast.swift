internal import Glibc
package import TesseraPixels

extension Color {
  /// The relative luminance of the color (WCAG 2.1), from 0 (black) to 1 (white).
  package var relativeLuminance: Double {
    func linear(_ component: UInt8) -> Double {
      let value = Double(component) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  /// Returns the contrast ratio of two colors (WCAG 2.1), from 1 to 21.
  package func contrast(to other: Color) -> Double {
    let (one, two) = (relativeLuminance, other.relativeLuminance)
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
  }

  /// Returns this color mixed with the fraction `share` (`0...1`) of `other`.
  package func mixed(with other: Color, share: Double) -> Color {
    func mix(_ from: UInt8, _ to: UInt8) -> UInt8 {
      UInt8(max(0, min(255, Double(from) + (Double(to) - Double(from)) * share + 0.5)))
    }
    return Color(
      red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
  }
}
