import TesseraSystem

/// A cascade of classifiers by local binary patterns that distinguishes faces from other things, as OpenCV
/// trains it (Liao and others, "Learning Multi-scale Block Local Binary Patterns for Face
/// Recognition", 2007). All numbers are integers, so that the same faces are found on every machine.
package struct FaceCascade: Sendable {
  /// Three by three blocks of one size within the window.
  struct Feature: Hashable, Sendable {
    /// The first column and row of the first block.
    var x: Int, y: Int
    /// The columns and rows of a block.
    var width: Int, height: Int
  }

  /// One pattern, and what it says for and against a face.
  struct Test: Sendable {
    /// The number of its feature.
    var feature: Int
    /// A bit for each of 256 patterns.
    var patterns: [UInt32]
    /// What it adds where the pattern's bit is set, and where it is not, in 2^-24.
    var set: Int, clear: Int
  }

  /// Some tests whose sum has to reach a threshold.
  struct Stage: Sendable {
    var tests: [Test]
    /// In 2^-24.
    var threshold: Int
  }

  /// The side of the window.
  static let side = 24

  private(set) var stages: [Stage] = []
  private(set) var features: [Feature] = []

  /// Where Debian's `opencv-data` installs the one for faces from the front.
  package static let path = "/usr/share/opencv4/lbpcascades/lbpcascade_frontalface.xml"
  /// The package that has it.
  package static let packageName = "opencv-data"
  private static let longestFile = 4 << 20
  /// How much less than its threshold a stage's sum may be, in 2^-24: a hundred-thousandth.
  private static let slack = 168

  /// The installed one, read when it is first asked for; nil where it is not there.
  package static let installed: FaceCascade? = {
    guard let bytes = try? RegularFile.bytes(path, atMost: longestFile) else { return nil }
    return FaceCascade(bytes)
  }()

  /// Reads a cascade from XML; nil for anything but one with a window of 24 by 24 pixels.
  package init?(_ xml: [UInt8]) {
    guard let text = String(validating: xml, as: UTF8.self) else { return nil }
    var (stages, tests, nodes) = ([Stage](), [Test](), [Int]())
    for (name, content) in Self.elements(of: text) {
      let words = content.split(whereSeparator: \.isWhitespace)
      switch name {
      case "width", "height": guard words == ["\(Self.side)"] else { return nil }
      case "stageThreshold":
        guard let threshold = words.first.flatMap(Self.number) else { return nil }
        stages.append(Stage(tests: [], threshold: threshold - Self.slack))
      case "internalNodes": nodes = words.compactMap { Int($0) }
      case "leafValues":
        let leaves = words.compactMap(Self.number)
        guard nodes.count == 11, leaves.count == 2, nodes[2] >= 0, !stages.isEmpty else {
          return nil
        }
        tests.append(
          Test(
            feature: nodes[2], patterns: nodes[3...].map { UInt32(truncatingIfNeeded: $0) },
            set: leaves[0], clear: leaves[1]))
        stages[stages.count - 1].tests.append(tests[tests.count - 1])
      case "rect":
        let numbers = words.prefix(4).compactMap { Int($0) }
        guard numbers.count == 4, let feature = Self.feature(numbers) else { return nil }
        features.append(feature)
      default: break
      }
    }
    guard !stages.isEmpty, stages.count <= 64, tests.count <= 4096,
      tests.allSatisfy({ $0.feature < features.count })
    else { return nil }
    self.stages = stages
  }

  private static func feature(_ numbers: [Int]) -> Feature? {
    let limits = 0...side
    guard numbers.allSatisfy(limits.contains), numbers[2] > 0, numbers[3] > 0,
      numbers[0] + 3 * numbers[2] <= side, numbers[1] + 3 * numbers[3] <= side
    else { return nil }
    return Feature(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }

  /// A decimal number in 2^-24.
  private static func number(_ text: Substring) -> Int? {
    guard let value = Double(text), value.magnitude < 1_048_576 else { return nil }
    return Int((value * Double(1 << 24)).rounded())
  }

  /// The elements of `text` that hold nothing but text, in their order.
  private static func elements(of text: String) -> [(name: Substring, content: Substring)] {
    var (rest, found) = (text[...], [(name: Substring, content: Substring)]())
    while let open = rest.firstIndex(of: "<") {
      rest = rest[open...].dropFirst()
      guard !rest.hasPrefix("!--") else {
        guard let end = rest.firstRange(of: "-->") else { break }
        rest = rest[end.upperBound...]
        continue
      }
      guard let close = rest.firstIndex(of: ">") else { break }
      let name = rest[..<close]
      rest = rest[close...].dropFirst()
      guard !name.hasPrefix("/"), let end = rest.firstIndex(of: "<"),
        rest[end...].hasPrefix("</")
      else { continue }
      found.append((name, rest[..<end]))
    }
    return found
  }
}
