import TesseraDelivery
import TesseraMessages
import TesseraPlan
import TesseraRendering
import TesseraStorage
import TesseraSystem
import TesseraTimeline

extension PieceOptions {
  /// Makes a piece of the plan in this process. If the work folder is in a bucket, a
  /// ``BucketPieceRenderer`` makes the piece in worker processes.
  func make(_ worker: WorkerOptions, _ job: (WorkPlan) throws -> RenderJob) throws {
    guard let place = try bucket else {
      let work = try WorkPlan.read(plan)
      return try worker.setup(in: folder).printPieces(of: try job(work), work)
    }
    InterruptHandler.install()
    try BucketPieceRenderer(self, worker, place).run(job)
  }

  /// The bucket prefix of the work folder; `nil` for a folder of this machine.
  ///
  /// - Throws: an error if an address is invalid or cannot have a work folder.
  var bucket: Location? {
    get throws {
      let planPlace = try Location(plan)
      guard let workFolder else {
        guard case .object(let bucket, let key) = planPlace else { return nil }
        let folder = key.folderPath
        return .object(bucket: bucket, key: folder)
      }
      let place = try Location(workFolder)
      if case .object = place { return place }
      guard !planPlace.isRemote, !place.isRemote else {
        throw StorageError(
          .usage,
          "a plan in a bucket has its work folder there, too; give --work-dir s3://bucket/prefix/, or "
            + "none for the plan's own.")
      }
      return nil
    }
  }

  /// Reads the plan, and fetches a remote plan into `folder`. Returns it with the locations of its
  /// inputs.
  func readPlan(
    into folder: WorkFolder, with store: ObjectStore
  ) throws -> (work: WorkPlan, sources: PlanInputLocations) {
    let place = try Location(plan)
    return place.isRemote
      ? try BucketWorkFolder.fetchPlan(place, with: store, to: folder.planPath)
      : (try WorkPlan.read(plan), PlanInputLocations())
  }
}
