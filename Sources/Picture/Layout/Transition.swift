public import TesseraTimeline

/// How long a change of the layout takes and how it moves.
public struct Transition: Hashable, Sendable, Codable {
  /// How long it takes; 0 cuts.
  public var duration: MediaTime
  /// How it moves.
  package var curve: UnitCurve

  /// A transition of the given duration.
  package init(duration: MediaTime, curve: UnitCurve = .easeInOut) {
    self.duration = duration
    self.curve = curve
  }

  /// Half a second, ease-in-out.
  public static let standard = Transition(duration: MediaTime(nanoseconds: 500_000_000))
  /// No transition.
  public static let cut = Transition(duration: .zero)

  /// How far the change has come, 0...1, when `elapsed` has passed since it began: a multiple of
  /// 2^-16, finer than a sixteenth of a pixel, so that a last bit of the curve never shows.
  public func progress(elapsed: MediaTime) -> Double {
    guard elapsed < duration else { return 1 }
    let time = Double(elapsed.nanoseconds) / Double(duration.nanoseconds)
    return (curve.value(at: time) * 65536).rounded() / 65536
  }
}

extension LayoutAttributes {
  /// The attributes on the way to `target`: 0 gives these, 1 gives `target`.
  ///
  /// What can stand between two values does; the rest is the target's. An item that is hidden at
  /// one end only is shown on the way. Where the fit changes, it is how much of the picture is
  /// shown that goes evenly from one end to the other.
  public func interpolated(to target: LayoutAttributes, progress: Double) -> LayoutAttributes {
    guard progress < 1 else { return target }
    guard progress > 0 else { return self }
    func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * progress }
    var result = target
    result.frame = Rect(
      left: mix(frame.x, target.frame.x), top: mix(frame.y, target.frame.y),
      right: mix(frame.maxX, target.frame.maxX), bottom: mix(frame.maxY, target.frame.maxY))
    result.alpha = mix(alpha, target.alpha)
    result.scale = mix(scale, target.scale)
    // What lay over something stays there for the first half of the way.
    result.zIndex = progress < 0.5 ? zIndex : target.zIndex
    result.isHidden = isHidden && target.isHidden
    if let aspectRatio = target.aspectRatio, let shown, let end = target.shown,
      coverage != target.coverage
    {
      result.coverage = Fit.coverage(
        aspectRatio: aspectRatio, in: result.frame.size,
        showing: Size(width: mix(shown.width, end.width), height: mix(shown.height, end.height)))
    }
    if let cornerRadius, let end = target.cornerRadius {
      result.cornerRadius = mix(cornerRadius, end)
    }
    return result
  }
}

extension LayoutAttributes {
  /// How much of the picture's width and height is shown, 1 for all of it; nil where its shape is
  /// not known.
  fileprivate var shown: Size? {
    guard let aspectRatio, let coverage else { return nil }
    return Fit.Placement(aspectRatio: aspectRatio, in: frame, coverage: coverage).crop.size
  }
}
