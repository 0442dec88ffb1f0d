/// The computed style of one element.
struct ElementStyle: Hashable, Sendable {
  /// A CSS length: `auto`, pixels or a percentage.
  enum Length: Hashable, Sendable {
    case auto
    case pixels(Double)
    /// A percentage of the canvas: of its width for horizontal lengths, of its height for vertical
    /// ones.
    case percent(Double)

    /// Returns the length in pixels on a canvas side of `extent` pixels; `nil` for ``auto``.
    func pixels(of extent: Double) -> Double? {
      switch self {
      case .auto: nil
      case .pixels(let pixels): pixels
      case .percent(let percent): extent * percent / 100
      }
    }
  }

  struct Edges: Hashable, Sendable {
    var top: Length
    var right: Length
    var bottom: Length
    var left: Length

    init(_ length: Length) { (top, right, bottom, left) = (length, length, length, length) }
  }

  enum Position: String, Hashable, Sendable, CaseIterable {
    case `static`
    case relative
    case absolute
  }

  var isDisplayed = true
  var isFloating = false
  var clearsFloats = false
  var position = Position.static
  var offset = Edges(.auto)
  var width = Length.auto
  var height = Length.auto
  var margin = Edges(.pixels(0))
  var padding = Edges(.pixels(0))
  var zIndex = 0
  var fit = PictureFit.contain
  var border: LayoutAttributes.Border?
  var radius = Length.pixels(0)
}
