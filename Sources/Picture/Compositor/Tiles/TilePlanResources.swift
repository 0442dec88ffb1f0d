internal import TesseraPixels

/// The parts that tile plans share. Each is computed once, which also keeps the CPU caches small.
struct TilePlanResources: ~Copyable {
  private var planner: ResamplePlanner
  private var softs = WeakCache<TilePlan.PictureShape, BlurPlan>()
  private var coverages = WeakCache<TileCoverage.TileShape, TileCoverage>()

  init(kernels: PixelKernels) {
    planner = ResamplePlanner(kernels: kernels)
  }

  /// Returns the plan that scales pictures of `geometry`.
  mutating func resample(_ geometry: PictureScalePlan.Geometry) -> PictureScalePlan {
    planner.plan(geometry)
  }

  /// Returns the plan that scales the chroma of pictures of `geometry` to their luma.
  mutating func chromaAtLuma(_ geometry: PictureScalePlan.Geometry) -> PlaneScalePlan {
    planner.chromaAtLuma(geometry)
  }

  /// Returns the coverage of tiles of `shape`.
  mutating func coverage(_ shape: TileCoverage.TileShape) -> TileCoverage {
    coverages.object(shape) { TileCoverage(shape) }
  }

  /// Returns the plan for blurred copies of pictures of `shape`.
  mutating func soft(_ shape: TilePlan.PictureShape) -> BlurPlan {
    softs.object(shape) { BlurPlan(shape, planner: &planner) }
  }
}
