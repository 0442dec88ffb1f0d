public import TesseraTimeline

/// The duration and easing curve of a layout change.
public struct LayoutTransition: Hashable, Sendable, Codable {
  /// The duration of the change; 0 is a cut.
  public var duration: MediaTime
  /// The easing curve of the change.
  package var curve: EasingCurve

  package init(duration: MediaTime, curve: EasingCurve = .easeInOut) {
    self.duration = duration
    self.curve = curve
  }

  /// The default transition: 0.5 s, ease-in-out.
  public static let standard = LayoutTransition(duration: MediaTime(nanoseconds: 500_000_000))
  /// A change without a transition.
  public static let cut = LayoutTransition(duration: .zero)

  /// Returns the progress of the change, `0...1`, when `elapsed` has passed since its start.
  ///
  /// The result is a multiple of 2^-16, finer than a sixteenth of a pixel, so that a last bit of
  /// the curve never shows.
  public func progress(elapsed: MediaTime) -> Double {
    guard elapsed < duration else { return 1 }
    let time = Double(elapsed.nanoseconds) / Double(duration.nanoseconds)
    return (curve.value(at: time) * 65536).rounded() / 65536
  }
}

extension LayoutAttributes {
  /// Returns the attributes at `progress` of the way to `target`: 0 gives these attributes, 1 gives
  /// `target`.
  ///
  /// Values that can be interpolated are; all others are those of `target`. An item hidden at one
  /// end only is visible on the way. If the fit changes, the visible part of the picture is
  /// interpolated.
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
    // A tile that was in front of another stays there for the first half of the way.
    result.zIndex = progress < 0.5 ? zIndex : target.zIndex
    result.isHidden = isHidden && target.isHidden
    if let aspectRatio = target.aspectRatio, let shown, let end = target.shown,
      coverage != target.coverage
    {
      result.coverage = PictureFit.coverage(
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
  /// The visible fractions of the picture's width and height, `0...1`; `nil` if its aspect ratio is
  /// unknown.
  fileprivate var shown: Size? {
    guard let aspectRatio, let coverage else { return nil }
    return PictureFit.Placement(aspectRatio: aspectRatio, in: frame, coverage: coverage).crop.size
  }
}
