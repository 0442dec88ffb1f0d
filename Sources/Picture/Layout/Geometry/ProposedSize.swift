import TesseraTimeline

/// A canvas size of which one side may be left to the layout: `1280x720`, `1280xauto`, `autox720`.
public struct ProposedSize: Hashable, Sendable {
  /// The width in pixels; `nil` leaves it to the layout.
  public var width: Double?
  /// The height in pixels; `nil` leaves it to the layout.
  public var height: Double?

  public init(width: Double?, height: Double?) {
    self.width = width
    self.height = height
  }

  /// Creates a proposal that fixes both sides to those of `size`.
  public init(_ size: Size) { self.init(width: size.width, height: size.height) }

  /// The proposal with its missing side filled in for a 16:9 canvas; 1280x720 if both sides are
  /// `nil`.
  package var widescreen: Size {
    let width = width ?? height.map { $0 * 16 / 9 } ?? 1280
    return Size(width: width, height: height ?? width * 9 / 16)
  }
}

extension ProposedSize: LosslessStringConvertible {
  /// Reads `WIDTHxHEIGHT` in whole pixels above 0, or `720p`; returns `nil` for any other text.
  ///
  /// One of the two sides may be `auto`. `720p` is a height in 16:9, with a width rounded to an
  /// even number.
  public init?(_ description: String) {
    if description.hasSuffix("p") {
      guard let height = Int(description.dropLast()), height > 0, height <= 1 << 20 else {
        return nil
      }
      self.init(width: (Double(height) * 8 / 9).rounded() * 2, height: Double(height))
      return
    }
    let sides = description.split(separator: "x", omittingEmptySubsequences: false)
    guard sides.count == 2, sides.contains(where: { $0 != "auto" }) else { return nil }
    let lengths = sides.map { $0 == "auto" ? nil : Int($0) }
    for (side, length) in zip(sides, lengths) where side != "auto" {
      guard let length, length > 0 else { return nil }
    }
    self.init(width: lengths[0].map { Double($0) }, height: lengths[1].map { Double($0) })
  }

  public var description: String {
    let sides = [width, height].map { side in side.map { "\(Int(saturating: $0))" } ?? "auto" }
    return sides.joined(separator: "x")
  }
}

extension LayoutPolicy {
  /// Returns the canvas size for `items`. A side left to the layout is as long as the content,
  /// rounded up to an even number of pixels.
  package func canvas(
    _ proposal: ProposedSize, items: [LayoutItem], gap: Double = 0
  ) -> Size {
    let content = sizeThatFits(proposal, items: items, gap: gap)
    func even(_ length: Double) -> Double { max(2, (length / 2 - 1e-6).rounded(.up) * 2) }
    return Size(
      width: proposal.width ?? even(content.width),
      height: proposal.height ?? even(content.height))
  }
}

extension LayoutPolicy {
  /// Returns the canvas size for `items` and the gap between neighbors in pixels.
  ///
  /// If `gap` is `nil`, the gap is 0.6 % of the canvas's shorter side, rounded to whole pixels.
  package func measure(
    _ proposal: ProposedSize, items: [LayoutItem], gap: Double?
  ) -> (canvas: Size, gap: Double) {
    let roomy = canvas(proposal, items: items, gap: gap ?? 0)
    let gap = gap ?? (min(roomy.width, roomy.height) * 0.006).rounded()
    return (canvas(proposal, items: items, gap: gap), gap)
  }
}
