/// Creates resampling plans that share equal axes, such as the columns and rows of a grid. Their
/// weights are then computed once and stay in the CPU caches.
package struct ResamplePlanner: ~Copyable {
  private struct HorizontalKey: Hashable {
    var mapping: AxisMapping
    var filter: ResampleFilter
  }

  private struct VerticalKey: Hashable {
    var mapping: AxisMapping
    var filter: ResampleFilter
    var batch: Int
  }

  private let kernels: PixelKernels
  private var horizontals = WeakCache<HorizontalKey, HorizontalWeights>()
  private var verticals = WeakCache<VerticalKey, VerticalWeights>()

  /// Creates a planner of plans for `kernels`: weights are laid out for their instruction set.
  package init(kernels: PixelKernels) {
    self.kernels = kernels
  }

  package mutating func plan(_ geometry: PictureScalePlan.Geometry) -> PictureScalePlan {
    PictureScalePlan(geometry, planner: &self)
  }

  /// Returns the plan that scales the chroma planes of pictures of `geometry` to its luma samples.
  package mutating func chromaAtLuma(_ geometry: PictureScalePlan.Geometry) -> PlaneScalePlan {
    PictureScalePlan.chromaAtLuma(geometry, planner: &self)
  }

  /// Returns the shared horizontal axis of `mapping`.
  mutating func horizontal(_ mapping: AxisMapping, _ filter: ResampleFilter) -> HorizontalWeights {
    horizontals.object(HorizontalKey(mapping: mapping, filter: filter)) {
      HorizontalWeights(
        mapping, HorizontalWeights.weights(mapping, filter: filter), kernels: kernels)
    }
  }

  /// Returns the shared vertical axis of `mapping`.
  mutating func vertical(
    _ mapping: AxisMapping, _ filter: ResampleFilter, batch: Int
  ) -> VerticalWeights {
    verticals.object(VerticalKey(mapping: mapping, filter: filter, batch: batch)) {
      VerticalWeights(mapping, VerticalWeights.weights(mapping, filter: filter), batch: batch)
    }
  }
}
