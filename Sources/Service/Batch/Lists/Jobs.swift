import TesseraDelivery
import TesseraJobs
public import TesseraRequest
import TesseraSystem

/// Reads the jobs of `list`, in its order, as `tessera batch` does.
///
/// The list is a file with one job per line (`.jsonl`), row (`.csv`) or item (`.yaml`), or a folder
/// in which each folder, archive and session file is a job. Lists may be in a bucket.
///
///     let all = RenderRequest([], to: [.file("out/{name}.mp4")])
///     let night = try await Tessera.jobs(of: "night.jsonl", asking: all)
///
/// - Parameters:
///   - list: A path or an address (`s3://…`).
///   - template: The defaults of all jobs, without inputs. Its first output is the output of jobs
///     that name none. `{id}` and `{name}` in its places and options are replaced by each job's id
///     and name.
/// - Returns: The jobs.
/// - Throws: ``RenderError`` if the list cannot be read, is empty or has mistakes (all are reported
///   with their places); `CancellationError` if the task was canceled.
public func jobs(
  of list: String, asking template: RenderRequest = RenderRequest([], to: [])
) async throws -> [BatchJob] {
  try await BackgroundWorkStream.value(name: "jobs") { cancellation throws(RenderError) in
    do {
      let reader = JobListParser(template)
      let list = try JobList(list, template.execution, without: reader.outputs, cancellation)
      var jobs: [BatchJob] = []
      let check = try JobListCheck(
        list, reader, try JobFileConflictDetector(list: list.path), cancellation,
        job: { jobs.append($0) })
      if let unread = check.unread { throw unread }
      return jobs
    } catch {
      throw RenderError(delivering: error)
    }
  }
}
