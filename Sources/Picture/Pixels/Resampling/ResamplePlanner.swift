/// Makes plans: those with equal axes, like the columns and the rows of a grid, share them, so that
/// their weights are computed once and stay in the caches.
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

  private let kernels: Kernels
  private var horizontals = SharedObjects<HorizontalKey, HorizontalAxis>()
  private var verticals = SharedObjects<VerticalKey, VerticalAxis>()

  /// A planner for the level of `kernels`.
  package init(kernels: Kernels) {
    self.kernels = kernels
  }

  /// The plan of `geometry`.
  package mutating func plan(_ geometry: ResamplePlan.Geometry) -> ResamplePlan {
    ResamplePlan(geometry, planner: &self)
  }

  /// How the chroma planes of pictures of `geometry` are scaled to its luma samples.
  package mutating func chromaAtLuma(_ geometry: ResamplePlan.Geometry) -> PlanePlan {
    ResamplePlan.chromaAtLuma(geometry, planner: &self)
  }

  /// The axis of the columns that lie as `mapping` says.
  mutating func horizontal(_ mapping: AxisMapping, _ filter: ResampleFilter) -> HorizontalAxis {
    horizontals.object(HorizontalKey(mapping: mapping, filter: filter)) {
      HorizontalAxis(mapping, HorizontalAxis.weights(mapping, filter: filter), kernels: kernels)
    }
  }

  /// The axis of the rows that lie as `mapping` says.
  mutating func vertical(
    _ mapping: AxisMapping, _ filter: ResampleFilter, batch: Int
  ) -> VerticalAxis {
    verticals.object(VerticalKey(mapping: mapping, filter: filter, batch: batch)) {
      VerticalAxis(mapping, VerticalAxis.weights(mapping, filter: filter), batch: batch)
    }
  }
}
