internal import Synchronization

/// Immutable 8-bit coverage: 0 leaves what is below, 255 covers it.
public final class Mask: Sendable {
  private let image: Image
  /// A number that no other mask of this process has.
  public let identity: UInt64

  /// A mask that takes over an image of coverage.
  public init(_ image: consuming Image) {
    precondition(image.format == .gray8)
    self.image = image
    self.identity = Self.count.add(1, ordering: .relaxed).newValue
  }

  /// The number of columns and rows.
  public var size: PixelSize { image.size }

  /// The coverage, valid while the mask lives.
  public var plane: Plane { image[plane: 0].readOnly }

  private static let count = Atomic<UInt64>(0)
}

extension Mask: Hashable {
  /// Whether both are the same mask.
  public static func == (one: Mask, other: Mask) -> Bool {
    one === other
  }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(identity)
  }
}
