/// The plans for drawing all pictures of one shape at one place of the canvas, computed once.
package final class PictureScalePlan: Sendable {
  /// The properties that a plan depends on.
  package struct Geometry: Hashable, Sendable {
    /// The coded size of the picture.
    package var source: PixelSize
    /// The mapping of coded to displayed pixels.
    package var orientation: Orientation
    /// The visible part of the displayed picture, in units of its width and height.
    package var crop: FractionalRect
    /// The rectangle that the visible part fills, in canvas pixels; may be fractional.
    package var destination: FractionalRect
    /// The canvas pixels to draw. Pixels outside `destination` repeat its edge.
    package var area: PixelRect
    package var filter: ResampleFilter
    /// The position of the picture's chroma samples.
    package var chroma: ChromaSiting

    /// Creates a geometry.
    ///
    /// - Precondition: `crop` and `destination` have an area and `area` has pixels.
    package init(
      source: PixelSize, orientation: Orientation, crop: FractionalRect,
      destination: FractionalRect, area: PixelRect,
      filter: ResampleFilter, chroma: ChromaSiting = .left
    ) {
      precondition(crop.width > 0 && crop.height > 0 && !area.isEmpty)
      precondition(destination.width > 0 && destination.height > 0)
      self.source = source
      self.orientation = orientation
      self.crop = crop
      self.destination = destination
      self.area = area
      self.filter = filter
      self.chroma = chroma
    }
  }

  /// A rectangle with fractional edges.
  package struct FractionalRect: Hashable, Sendable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
      self.x = x
      self.y = y
      self.width = width
      self.height = height
    }
  }

  /// The properties that the plan was computed from.
  package let geometry: Geometry
  /// The plan that scales luma to the samples of `geometry.area`.
  package let luma: PlaneScalePlan
  /// The plan that scales either chroma plane to the samples of `geometry.area.chroma`.
  package let chroma: PlaneScalePlan

  /// Computes the plan of `geometry` for the level of `kernels`.
  package convenience init(_ geometry: Geometry, kernels: PixelKernels) {
    var planner = ResamplePlanner(kernels: kernels)
    self.init(geometry, planner: &planner)
  }

  /// Computes the plan of `geometry`. Axes are shared through `planner`.
  init(_ geometry: Geometry, planner: inout ResamplePlanner) {
    self.geometry = geometry
    self.luma = Self.plane(
      geometry, geometry.area, from: Self.everyPixel, to: Self.everyPixel, &planner)
    self.chroma = Self.plane(
      geometry, geometry.area.chroma, from: Self.chroma(geometry.chroma),
      to: Self.chroma(.left), &planner)
  }

  /// Returns the plan that scales either chroma plane to the luma samples of `geometry.area`.
  static func chromaAtLuma(
    _ geometry: Geometry, planner: inout ResamplePlanner
  ) -> PlaneScalePlan {
    plane(geometry, geometry.area, from: chroma(geometry.chroma), to: everyPixel, &planner)
  }

  /// The positions of a plane's samples along columns and rows.
  private typealias Sitings = (columns: AxisMapping.Siting, rows: AxisMapping.Siting)
  private static let everyPixel = Sitings(.luma, .luma)
  private static func chroma(_ siting: ChromaSiting) -> Sitings {
    Sitings(siting.columns, siting.rows)
  }

  private static func plane(
    _ geometry: Geometry, _ area: PixelRect, from source: Sitings, to canvas: Sitings,
    _ planner: inout ResamplePlanner
  ) -> PlaneScalePlan {
    let axes = axes(geometry)
    let turned = geometry.orientation.transposes
    // Coded columns become canvas columns, or canvas rows if the orientation transposes.
    let columns = turned ? (area.y, area.height) : (area.x, area.width)
    let rows = turned ? (area.x, area.width) : (area.y, area.height)
    return PlaneScalePlan(
      columns: AxisMapping(
        axes.columns, first: columns.0, count: columns.1, source: source.columns,
        canvas: turned ? canvas.rows : canvas.columns),
      rows: AxisMapping(
        axes.rows, first: rows.0, count: rows.1, source: source.rows,
        canvas: turned ? canvas.columns : canvas.rows),
      filter: geometry.filter, planner: &planner)
  }

  /// Returns the coded picture's columns and rows, each with the canvas axis along which it is
  /// drawn.
  private static func axes(
    _ geometry: Geometry
  ) -> (columns: AxisMapping.PixelAxis, rows: AxisMapping.PixelAxis) {
    let (crop, destination) = (geometry.crop, geometry.destination)
    let orientation = geometry.orientation
    var columns = AxisMapping.PixelAxis(
      source: geometry.source.width, cropStart: crop.x, cropLength: crop.width,
      destinationStart: destination.x, destinationLength: destination.width,
      mirrored: orientation.mirrorsHorizontally)
    var rows = AxisMapping.PixelAxis(
      source: geometry.source.height, cropStart: crop.y, cropLength: crop.height,
      destinationStart: destination.y, destinationLength: destination.height,
      mirrored: orientation.mirrorsVertically)
    guard orientation.transposes else { return (columns, rows) }
    swap(&columns, &rows)
    (columns.source, rows.source) = (rows.source, columns.source)
    (columns.mirrored, rows.mirrored) = (rows.mirrored, columns.mirrored)
    return (columns, rows)
  }
}
