import Foundation
import TesseraDelivery
import TesseraMessages
import TesseraRequest
package import TesseraSystem

/// Checks a whole list of jobs before anything starts, and reports all mistakes at once.
///
/// For each job, the check stores only its priority and hashes of its id and files.
package struct JobListCheck {
  /// The number of jobs that the batch will run.
  package private(set) var count = 0
  /// The distinct priorities of the jobs.
  package private(set) var priorities: Set<Int> = []
  private var problems: [Problem] = []
  private var problemCount = 0
  private var ids: [ResolvedFileID: Int32] = [:]
  private var files: JobFileConflictDetector
  /// The output folders that exist or can be created.
  private var folders: Set<ResolvedFileID> = []
  /// The number of jobs whose output folders are not writable, and the reason for the first of
  /// these jobs.
  private var (misplaced, whyMisplaced) = (0, String?.none)

  /// A mistake in the list, its first place, and the number of other places with the same mistake.
  private struct Problem {
    var place: String
    var sentence: String
    var others = 0

    var text: String { "\(place)\(others > 0 ? " and \(others) more" : ""): \(sentence)" }
  }

  /// The maximum number of distinct problems reported.
  private static let mostTold = 20
  /// The maximum number of distinct priorities: ``JobPriorityIterator`` reads the list once for
  /// each.
  private static let mostPriorities = 64

  /// The error that ended reading of the list early; `nil` if it was read to its end.
  package private(set) var unread: RenderError?

  /// Creates a check without jobs; `files` contains the batch's own files, which no job may
  /// overwrite.
  private init(_ files: JobFileConflictDetector) { self.files = files }

  /// Reads and checks `list` from its start to its end.
  ///
  /// - Parameters:
  ///   - list: The list of jobs.
  ///   - reader: Converts list entries to jobs.
  ///   - files: The batch's own files.
  ///   - cancellation: Stops reading early.
  ///   - isMeant: Returns true if the job with this index is to be run.
  ///   - job: Receives each job that is to be run.
  /// - Throws: ``RenderError`` that lists all mistakes, or if the list has no job to run.
  package init(
    _ list: JobList, _ reader: JobListParser, _ files: JobFileConflictDetector,
    _ cancellation: Cancellation,
    isMeant: (Int) -> Bool = { _ in true }, job: (BatchJob) -> Void = { _ in }
  ) throws(RenderError) {
    var lines = try JobListReader(list)
    self.init(files)
    self.files.jobName = lines.jobName
    self.files.shared = Set(BatchJob("", reader.template).files.map(BatchJob.plain))
    add(template: reader.template, list: list.name)
    while let entry = lines.next() {
      if cancellation.isCancelled { throw .stopped(cancellation) }
      let (result, isMeant) = (reader.job(entry), isMeant(entry.number))
      add(result, entry, isMeant: isMeant)
      if isMeant, case .success(let found) = result { job(found) }
    }
    try finish(list.name)
    unread = lines.failure
    guard count > 0 else { throw unread ?? Self.nothing(in: list, count: lines.count) }
  }

  /// Returns the error for a list of `count` entries of which none is to be run.
  private static func nothing(in list: JobList, count: Int) -> RenderError {
    switch count {
    case 0 where list.isFolder:
      RenderError(
        .usage,
        "\(file: list.name) has no calls: each folder, archive and session file in it is one.")
    case 0: RenderError(.usage, "\(file: list.name) has no jobs.")
    case 1: RenderError(.usage, "\(file: list.name) has no such job: it has 1 job.")
    default: RenderError(.usage, "\(file: list.name) has no such job: it has \(count) jobs.")
    }
  }

  /// Checks one entry. The entry's id and files always count; its folders and priority only count
  /// if it has no mistakes and `isMeant` to be run.
  private mutating func add(
    _ result: Result<BatchJob, JobListParser.Problems>, _ entry: JobListReader.Entry, isMeant: Bool
  ) {
    let job: BatchJob
    switch result {
    case .success(let found): job = found
    case .failure(let problems):
      for sentence in problems.sentences { add(entry.place, sentence) }
      guard let found = problems.job else { return }
      job = found
    }
    if !job.id.isEmpty {
      let key = ResolvedFileID(job.id)
      if let first = ids[key] {
        let name = files.jobName(Int(first))
        add(entry.place, "the id \"\(job.id)\" is that of \(name), too: ids are unique.")
      } else {
        ids[key] = Int32(clamping: job.number)
      }
    }
    for sentence in files.add(job, place: entry.place) { add(entry.place, sentence) }
    guard isMeant, case .success = result else { return }
    let wrong = job.folders.sorted().compactMap { wrongFolder($0) }
    if !wrong.isEmpty { misplaced += 1 }
    whyMisplaced = whyMisplaced ?? wrong.first
    count += 1
    priorities.insert(job.priority)
  }

  private mutating func add(_ place: String, _ sentence: String) {
    if let known = problems.firstIndex(where: { $0.sentence == sentence }) {
      problems[known].others += 1
      return
    }
    problemCount += 1
    if problems.count < Self.mostTold { problems.append(Problem(place: place, sentence: sentence)) }
  }

  /// Checks the options shared by all jobs: local files that they name must exist. Files named by a
  /// single job are checked when that job runs.
  private mutating func add(template: RenderRequest, list: String) {
    for file in template.files where !file.contains("{") && !file.contains("://") {
      guard !FileOperations.exists(file) else { continue }
      add(list, "an option for all jobs names \(file), which does not exist; check the name.")
    }
    do throws(RenderError) { _ = try template.execution.kernels() } catch {
      add(list, error.message)
    }
  }

  /// - Throws: ``RenderError`` that lists all mistakes found.
  private mutating func finish(_ list: String) throws(RenderError) {
    for problem in files.mixed { add(problem.place, problem.sentence) }
    // If only some jobs lack a writable folder, these jobs fail alone.
    if let whyMisplaced, misplaced == count { add(list, whyMisplaced) }
    var lines = problems.map(\.text)
    if problemCount > lines.count { lines.append("and \(problemCount - lines.count) more.") }
    if priorities.count > Self.mostPriorities {
      lines.append("\(list) has \(priorities.count) priorities; \(Self.mostPriorities) are enough.")
    }
    guard let first = lines.first else { return }
    guard lines.count > 1 else { throw RenderError(.usage, "\(first)") }
    throw RenderError(
      .usage,
      "\(list) has \(problemCount) mistakes, and nothing was begun:\n"
        + lines.map { "  \($0)" }.joined(separator: "\n"))
  }

  // MARK: Folders

  /// Returns the reason that `folder` is not writable, or `nil` if it is or can be created.
  private mutating func wrongFolder(_ folder: String) -> String? {
    guard !folders.contains(ResolvedFileID(folder)) else { return nil }
    var there = URL(fileURLWithPath: folder)
    while !FileOperations.exists(there.path), there.path != "/" { there.deleteLastPathComponent() }
    guard FileOperations.isFolder(there.path) else {
      return "the folder for outputs, \(there.path), is not a folder."
    }
    guard FileOperations.isWritable(there.path) else {
      return "the folder for outputs, \(there.path), is not writable."
    }
    folders.insert(ResolvedFileID(folder))
    return nil
  }
}
