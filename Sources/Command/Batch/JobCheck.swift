import ArgumentParser
import Foundation
import TesseraDelivery
import TesseraJobs
import TesseraPlanning
import TesseraSystem

/// Reads a list of jobs from beginning to end before anything starts, and says all that is wrong
/// with it at once.
///
/// Of each job it keeps hashes of its id and files, and its priority.
struct JobCheck {
  /// How many jobs are meant.
  private(set) var count = 0
  /// The priorities of the jobs, each once.
  private(set) var priorities: Set<Int> = []
  private var problems: [Problem] = []
  private var problemCount = 0
  private var ids: [FileKey: Int32] = [:]
  private var files: JobFiles
  /// Options that were found to be right together.
  private var checked: Set<FileKey> = []
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

  /// How many problems are told.
  private static let mostTold = 20
  /// How many rounds are made over a list.
  private static let mostPriorities = 64

  /// A check of jobs that `files`, those of the batch itself, are not among the files of.
  init(_ files: JobFiles) { self.files = files }

  /// Notes an entry, which is done where it `isMeant`.
  mutating func add(_ result: Result<BatchJob, JobReader.Problems>, place: String, isMeant: Bool) {
    switch result {
    case .failure(let found): for sentence in found.sentences { add(found.place, sentence) }
    case .success(let job):
      let number = Int32(clamping: job.number)
      if let first = ids.updateValue(number, forKey: FileKey(job.id)) {
        add(place, "the id \"\(job.id)\" is that of job \(first + 1), too: ids are unique.")
      }
      for sentence in files.add(job, place: place) { add(place, sentence) }
      if let sentence = wrongOption(job) { add(place, sentence) }
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

  /// Notes what render is asked for in all jobs: a file that it names has to be there. What single
  /// jobs name is their own matter.
  mutating func add(defaults: [BatchJob.Setting], list: String) {
    let words = defaults.filter { $0.value?.contains("{") != true }.map(\.word)
    guard let command = try? RenderCommand.parse(words + ["--output=x.mp4", "x"]),
      let request = try? command.request()
    else { return }
    let files = request.files + command.options.others.files
    let missing = files.filter { !$0.contains("://") && !FileSystem.exists($0) }
    for file in missing {
      add(list, "an option for all jobs names \(file), which is not there; check its name.")
    }
    do throws(RenderError) { _ = try request.means.kernels() } catch { add(list, error.message) }
  }

  /// - Throws: where anything is wrong, with all of it.
  mutating func finish(_ list: String) throws(RenderError) {
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

  // MARK: Options

  /// Options that take any text.
  private static let texts: Set = [
    "title", "local", "focus", "people", "report", "speakers", "root",
  ]

  /// What render would say about the options of `job`; what is the same of many jobs is tried once.
  private mutating func wrongOption(_ job: BatchJob) -> String? {
    var words = job.settings.filter { !Self.texts.contains($0.name) || $0.value?.isEmpty != false }
      .map(\.word)
    let endings = job.outputs.map { URL(fileURLWithPath: $0).pathExtension }
    words += ["--output=x.\(endings.first ?? "")", "x"]
    let key = FileKey(words.joined(separator: "\u{0}"))
    guard !checked.contains(key) else { return nil }
    do {
      _ = try RenderCommand.parse(words)
      checked.insert(key)
      return nil
    } catch {
      let text = UsageMessage.text(RenderCommand.fullMessage(for: error))
      let line = text.split(separator: "\n").first.map(String.init) ?? text
      return line.replacing("x.\(endings.first ?? "")", with: job.outputs.first ?? "")
    }
  }
}
