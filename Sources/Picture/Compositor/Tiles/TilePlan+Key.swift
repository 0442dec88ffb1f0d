internal import TesseraLayout
internal import TesseraPixels

extension TilePlan {
  /// The properties of a tile that its plan depends on.
  struct Key: Hashable {
    var canvas: PixelSize
    var frame: Rect
    /// The fraction of the frame that the content covers.
    var coverage: Double
    /// The part of the picture that cropping keeps in sight; `nil` if nothing is cropped or
    /// ``PictureFit/cropAbove`` applies.
    var focus: Framing?
    /// True if a blurred copy of the picture fills the rest of the frame.
    var isSoft: Bool
    var alpha: Double
    var cornerRadius: Double
    var borderWidth: Double
    /// The picture's shape; `nil` for a plain color or card.
    var picture: PictureShape?

    init(_ draw: TilePlacement, canvas: PixelSize, picture: PictureShape?) {
      self.canvas = canvas
      self.frame = draw.scale == 1 ? draw.frame : draw.frame.scaled(by: max(0, draw.scale))
      self.alpha = max(0, min(1, draw.alpha))
      self.cornerRadius = max(0, draw.cornerRadius * draw.scale)
      self.borderWidth = max(0, (draw.border?.width ?? 0) * draw.scale)
      self.picture = picture
      // A plain color has the frame's own shape.
      let coverage = picture.map { draw.coverage($0.aspectRatio) } ?? 1
      self.coverage = coverage
      self.focus = coverage > 0 || draw.focus?.zoom != 1 ? draw.focus : nil
      self.isSoft = coverage < 1 && (draw.fit == .blur || draw.blursBars)
    }

    /// The placement of the content in the frame.
    var placement: PictureFit.Placement {
      PictureFit.Placement(
        aspectRatio: picture?.aspectRatio ?? frame.size.aspectRatio, in: frame, coverage: coverage,
        focus: focus)
    }
  }

  /// The properties of a picture that a plan depends on.
  struct PictureShape: Hashable {
    var size: PixelSize
    var orientation: Orientation
    var aspectRatio: Double
    var color: ColorSpace
    var chroma: ChromaSiting

    init(_ picture: Picture) {
      self.size = picture.size
      self.orientation = picture.orientation
      self.aspectRatio = picture.displayAspectRatio
      self.color = picture.color
      self.chroma = picture.chromaSiting
    }
  }
}

extension TilePlacement {
  /// Returns the fraction of the frame that a picture of `aspectRatio` covers.
  fileprivate func coverage(_ aspectRatio: Double) -> Double {
    guard let coverage, coverage.holds(for: aspectRatio) else {
      return fit.coverage(aspectRatio: aspectRatio, in: frame.size)
    }
    return max(0, min(1, coverage.share))
  }
}
