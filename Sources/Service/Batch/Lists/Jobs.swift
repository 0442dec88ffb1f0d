import TesseraDelivery
import TesseraJobs
public import TesseraRequest
import TesseraSystem

/// The jobs of `list`, in its order: a file with a job a line (`.jsonl`), a row (`.csv`) or an item
/// (`.yaml`), or a folder, of which each folder, archive and session file is a job; both may lie in a
/// bucket. It is what `tessera batch` reads.
///
///     let all = RenderRequest([], to: [.file("out/{name}.mp4")])
///     let night = try await Tessera.jobs(of: "night.jsonl", asking: all)
///
/// - Parameters:
///   - list: a path, or an address (`s3://…`).
///   - template: what a job is asked for that does not say otherwise, without inputs; its first
///     output is that of a job that names none. `{id}` and `{name}` in its places and options are the
///     job's.
/// - Returns: the jobs.
/// - Throws: ``RenderError`` where the list cannot be read, has no job, or anything in it is wrong, in
///   sentences with the places of all that is; `CancellationError` where the task was canceled.
public func jobs(
  of list: String, asking template: RenderRequest = RenderRequest([], to: [])
) async throws -> [BatchJob] {
  try await WorkUpdates.value(name: "jobs") { cancellation throws(RenderError) in
    do {
      let reader = JobReader(template)
      let list = try JobList(list, template.means, without: reader.outputs, cancellation)
      var jobs: [BatchJob] = []
      let check = try JobCheck(
        list, reader, try JobFiles(list: list.path), cancellation,
        job: { jobs.append($0) })
      if let unread = check.unread { throw unread }
      return jobs
    } catch {
      throw RenderError(delivering: error)
    }
  }
}
