import Foundation
import TesseraDelivery
import TesseraRequest
package import TesseraSystem

/// Reads a list of jobs from beginning to end before anything starts, and says all that is wrong
/// with it at once.
///
/// Of each job it keeps hashes of its id and files, and its priority.
package struct JobCheck {
  /// How many jobs are meant.
  package private(set) var count = 0
  /// The priorities of the jobs, each once.
  package private(set) var priorities: Set<Int> = []
  private var problems: [Problem] = []
  private var problemCount = 0
  private var ids: [FileKey: Int32] = [:]
  private var files: JobFiles
  /// Folders of outputs that are there, or can be made.
  private var folders: Set<FileKey> = []
  /// Jobs whose outputs have no place, and why, of the first one.
  private var (misplaced, whyMisplaced) = (0, String?.none)

  /// What is wrong, the first place where it is, and how many others have the same.
  private struct Problem {
    var place: String
    var sentence: String
    var others = 0

    var text: String { "\(place)\(others > 0 ? " and \(others) more" : ""): \(sentence)" }
  }

  /// How many problems are reported.
  private static let mostTold = 20
  /// How many rounds are made over a list.
  private static let mostPriorities = 64

  /// The reason that the list could not be read to its end; nil if it was.
  package private(set) var unread: RenderError?

  /// A check of jobs that `files`, those of the batch itself, are not among the files of.
  private init(_ files: JobFiles) { self.files = files }

  /// Reads `list` from its beginning to its end.
  ///
  /// - Parameters:
  ///   - list: the list.
  ///   - reader: makes jobs of its entries.
  ///   - files: those of the batch itself.
  ///   - cancellation: ends reading early.
  ///   - isMeant: whether the job of that number is to be done.
  ///   - job: receives each job that is to be done.
  /// - Throws: where anything in it is wrong, with all of that, or no job of it is meant.
  package init(
    _ list: JobList, _ reader: JobReader, _ files: JobFiles, _ cancellation: Cancellation,
    isMeant: (Int) -> Bool = { _ in true }, job: (BatchJob) -> Void = { _ in }
  ) throws(RenderError) {
    self.init(files)
    add(template: reader.template, list: list.name)
    var lines = try JobLines(list)
    while let entry = lines.next() {
      if cancellation.isCancelled { throw .stopped(cancellation) }
      let (result, isMeant) = (reader.job(entry), isMeant(entry.number))
      add(result, place: entry.place, isMeant: isMeant)
      if isMeant, case .success(let found) = result { job(found) }
    }
    try finish(list.name)
    unread = lines.failure
    guard count > 0 else {
      throw unread
        ?? RenderError(.usage, "\(list.name) has no such job: it has \(lines.count) jobs.")
    }
  }

  /// Notes an entry, which is done where it `isMeant`.
  private mutating func add(
    _ result: Result<BatchJob, JobReader.Problems>, place: String, isMeant: Bool
  ) {
    switch result {
    case .failure(let found): for sentence in found.sentences { add(found.place, sentence) }
    case .success(let job):
      let number = Int32(clamping: job.number)
      if let first = ids.updateValue(number, forKey: FileKey(job.id)) {
        add(place, "the id \"\(job.id)\" is that of job \(first + 1), too: ids are unique.")
      }
      for sentence in files.add(job, place: place) { add(place, sentence) }
      guard isMeant else { return }
      let wrong = job.folders.sorted().compactMap { wrongFolder($0) }
      if !wrong.isEmpty { misplaced += 1 }
      whyMisplaced = whyMisplaced ?? wrong.first
      count += 1
      priorities.insert(job.priority)
    }
  }

  private mutating func add(_ place: String, _ sentence: String) {
    if let known = problems.firstIndex(where: { $0.sentence == sentence }) {
      problems[known].others += 1
      return
    }
    problemCount += 1
    if problems.count < Self.mostTold { problems.append(Problem(place: place, sentence: sentence)) }
  }

  /// Notes what all jobs are asked for: a file that it names has to be there. What single jobs name
  /// is their own matter.
  private mutating func add(template: RenderRequest, list: String) {
    for file in template.files where !file.contains("{") && !file.contains("://") {
      guard !FileSystem.exists(file) else { continue }
      add(list, "an option for all jobs names \(file), which is not there; check its name.")
    }
    do throws(RenderError) { _ = try template.means.kernels() } catch {
      add(list, error.message)
    }
  }

  /// - Throws: where anything is wrong, with all of it.
  private mutating func finish(_ list: String) throws(RenderError) {
    for problem in files.mixed { add(problem.place, problem.sentence) }
    // Where others have their place, those fail alone.
    if let whyMisplaced, misplaced == count { add(list, whyMisplaced) }
    var lines = problems.map(\.text)
    if problemCount > lines.count { lines.append("and \(problemCount - lines.count) more.") }
    if priorities.count > Self.mostPriorities {
      lines.append("\(list) has \(priorities.count) priorities; \(Self.mostPriorities) are enough.")
    }
    guard let first = lines.first else { return }
    guard lines.count > 1 else { throw RenderError(.usage, first) }
    throw RenderError(
      .usage,
      "\(list) has \(problemCount) mistakes, and nothing was begun:\n"
        + lines.map { "  \($0)" }.joined(separator: "\n"))
  }

  // MARK: Folders

  /// Why no file can be written to `folder`.
  private mutating func wrongFolder(_ folder: String) -> String? {
    guard !folders.contains(FileKey(folder)) else { return nil }
    var there = URL(fileURLWithPath: folder)
    while !FileSystem.exists(there.path), there.path != "/" { there.deleteLastPathComponent() }
    guard FileSystem.isFolder(there.path) else {
      return "outputs are to lie in \(there.path), which is not a folder."
    }
    guard FileSystem.isWritable(there.path) else {
      return "outputs are to lie in \(there.path), which may not be written to."
    }
    folders.insert(FileKey(folder))
    return nil
  }
}
