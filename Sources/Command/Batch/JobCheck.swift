import ArgumentParser
import Foundation
import TesseraJobs
import TesseraSystem

/// Reads a list of jobs from beginning to end before anything starts, and says all that is wrong
/// with it at once.
///
/// Of each job it keeps hashes of its id and outputs, and its priority.
struct JobCheck {
  /// How many jobs are meant.
  private(set) var count = 0
  /// The priorities of the jobs, each once.
  private(set) var priorities: Set<Int> = []
  private var problems: [String] = []
  private var problemCount = 0
  private var ids: [Key: Int32] = [:]
  private var outputs: [Key: Int32] = [:]
  /// Options that were found to be right together.
  private var checked: Set<Key> = []

  /// How many problems are told.
  private static let mostTold = 20
  /// How many rounds are made over a list.
  private static let mostPriorities = 64

  private struct Key: Hashable {
    let high, low: UInt64

    init(_ text: String) {
      let bytes = SHA256.digest(Array(text.utf8))
      func word(_ first: Int) -> UInt64 {
        bytes[first..<(first + 8)].reduce(0) { $0 << 8 | UInt64($1) }
      }
      (high, low) = (word(0), word(8))
    }
  }

  /// Notes an entry, which is done where it `isMeant`.
  mutating func add(_ result: Result<BatchJob, JobReader.Problems>, place: String, isMeant: Bool) {
    switch result {
    case .failure(let found): for sentence in found.sentences { add(found.place, sentence) }
    case .success(let job):
      let number = Int32(clamping: job.number)
      if let first = ids.updateValue(number, forKey: Key(job.id)) {
        add(place, "the id \"\(job.id)\" is that of job \(first + 1), too: ids are unique.")
      }
      for output in job.outputFiles + job.besides {
        let path = URL(fileURLWithPath: output).standardizedFileURL.path
        let name = output.contains("://") ? output : path
        if let first = outputs.updateValue(number, forKey: Key(name)) {
          add(place, "the output \(output) is that of job \(first + 1), too.")
        }
      }
      if job.outputs.count > 1, !Self.hasSeveralOutputs {
        add(place, "it has \(job.outputs.count) outputs: name one, and a job for each other one.")
      }
      if let sentence = wrongOption(job) { add(place, sentence) }
      guard isMeant else { return }
      count += 1
      priorities.insert(job.priority)
    }
  }

  /// Whether render makes several outputs of a call.
  private static let hasSeveralOutputs = OptionTable(of: RenderCommand.self)["also"] != nil

  private mutating func add(_ place: String, _ sentence: String) {
    problemCount += 1
    if problems.count < Self.mostTold { problems.append("\(place): \(sentence)") }
  }

  /// - Throws: where anything is wrong, with all of it.
  func finish(_ list: String) throws(RenderError) {
    var lines = problems
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
    let key = Key(words.joined(separator: "\u{0}"))
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
