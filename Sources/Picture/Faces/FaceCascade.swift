import TesseraSystem

/// A cascade of local binary pattern classifiers that separates faces from everything else, in the
/// format that OpenCV trains (Liao and others, "Learning Multi-scale Block Local Binary Patterns
/// for Face Recognition", 2007). All numbers are integers, so that every machine finds the same
/// faces.
package struct FaceCascade: Sendable {
  /// A grid of three by three equal blocks within the window, whose sums a ``Test`` compares.
  struct Feature: Hashable, Sendable {
    /// The column and row of the first block, in pixels of the window.
    var x: Int, y: Int
    /// The width and height of one block, in pixels.
    var width: Int, height: Int
  }

  /// A weak classifier: a local binary pattern and its votes.
  struct Test: Sendable {
    /// The index of the feature in ``FaceCascade/features``.
    var feature: Int
    /// A bit set with one bit for each of the 256 patterns, in eight words.
    var patterns: [UInt32]
    /// The votes for a pattern whose bit is set or clear, in units of 2^-24.
    var set: Int, clear: Int
  }

  /// A group of tests. The window fails if the sum of their votes is below the threshold.
  struct Stage: Sendable {
    var tests: [Test]
    /// The lowest passing sum, in units of 2^-24.
    var threshold: Int
  }

  /// The width and height of the detection window, in pixels.
  static let side = 24

  private(set) var stages: [Stage] = []
  private(set) var features: [Feature] = []

  /// The path of the frontal face cascade in Debian's package `opencv-data`.
  package static let path = "/usr/share/opencv4/lbpcascades/lbpcascade_frontalface.xml"
  /// The Debian package that installs ``path``.
  package static let packageName = "opencv-data"
  private static let longestFile = 4 << 20
  /// The tolerance subtracted from each stage's threshold, in units of 2^-24: a hundred-thousandth.
  private static let slack = 168

  /// The cascade at ``path``, read at first access; `nil` if the file is missing or invalid.
  package static let installed: FaceCascade? = {
    guard let bytes = try? RegularFile.bytes(path, atMost: longestFile) else { return nil }
    return FaceCascade(bytes)
  }()

  /// Parses a cascade from XML; returns `nil` for anything but a cascade with a window of 24 by 24
  /// pixels.
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

  /// Converts a decimal number to units of 2^-24; `nil` if its magnitude is 2^20 or more.
  private static func number(_ text: Substring) -> Int? {
    guard let value = Double(text), value.magnitude < 1_048_576 else { return nil }
    return Int((value * Double(1 << 24)).rounded())
  }

  /// The elements of `text` that contain only text, in document order.
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
