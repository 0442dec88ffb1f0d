internal import TesseraPixels

/// What plans of tiles have in common: computed once, and in the caches for all of them.
struct TilePlanParts: ~Copyable {
  private var planner: ResamplePlanner
  private var softs = SharedObjects<TilePlan.Shape, SoftPlan>()
  private var coverages = SharedObjects<TileCoverage.Shape, TileCoverage>()

  init(kernels: Kernels) {
    planner = ResamplePlanner(kernels: kernels)
  }

  /// How pictures of this geometry are scaled.
  mutating func resample(_ geometry: ResamplePlan.Geometry) -> ResamplePlan {
    planner.plan(geometry)
  }

  /// How the chroma of pictures of this geometry is scaled to their luma.
  mutating func chromaAtLuma(_ geometry: ResamplePlan.Geometry) -> PlanePlan {
    planner.chromaAtLuma(geometry)
  }

  /// What tiles of this shape cover.
  mutating func coverage(_ shape: TileCoverage.Shape) -> TileCoverage {
    coverages.object(shape) { TileCoverage(shape) }
  }

  /// How pictures of this shape become blurred copies.
  mutating func soft(_ shape: TilePlan.Shape) -> SoftPlan {
    softs.object(shape) { SoftPlan(shape, planner: &planner) }
  }
}
