import Foundation
package import TesseraDelivery
import TesseraDocuments
import TesseraMessages
import TesseraRecordings
package import TesseraRequest
import TesseraSystem
import TesseraTimeline

/// Converts the entries of a list to jobs.
package struct JobListParser: Sendable {
  /// The request with the defaults of all jobs. Its first output is the output of jobs that name
  /// none. `{id}` and `{name}` in its places and options are replaced by each job's id and name.
  let template: RenderRequest
  /// The folder for the reports of jobs that name no report; `nil` if these jobs write none.
  private let reports: String?
  /// The folder for the pages of jobs that name no page; `nil` if these jobs write none.
  private let pages: String?
  /// The template's options whose texts contain placeholders.
  private let filled: [(name: String, texts: [String])]

  /// The file name, without extension, of the page that lists all pages.
  package static let index = "index"

  private static let own = ["id", "input", "inputs", "output", "outputs", "priority", "hls"]
  /// The option that applies to the whole batch and is not allowed in a job.
  private static let reserved = "executor"

  /// Creates a reader with the defaults of `template` and the folders for reports and pages.
  package init(_ template: RenderRequest, reports: String? = nil, pages: String? = nil) {
    (self.template, self.reports, self.pages) = (template, reports, pages)
    filled = template.givenOptions.filter { $0.texts.contains { $0.contains("{") } }
      .map { ($0.row.name, $0.texts) }
  }

  /// Returns the job described by `entry`, or all problems with the entry.
  package func job(_ entry: JobListReader.Entry) -> Result<BatchJob, Problems> {
    let members: DocumentValue.Members
    switch entry.members {
    case .success(let found): members = found
    case .failure(let problem): return .failure(Problems(sentences: [problem.sentence]))
    }
    var problems = Problems()
    for key in members.keys where !Self.own.contains(key) && Self.option(key) == nil {
      let known = Self.own + RenderRequest.optionNames.filter { $0 != Self.reserved }
      let hint = key.nearest(among: known).map { ": did you mean \"\($0)\"?" }
      problems.add("the key \"\(key)\" is unknown\(hint ?? ".")")
    }
    let inputs = paths(members, ["input", "inputs"], &problems)
    if inputs.isEmpty { problems.add("no input is named: add input, a path or a list.") }
    let id = members["id"]?.identifier ?? inputs.first.map(BatchJob.name) ?? ""
    var job = BatchJob(id, template)
    job.request.inputs = inputs
    (job.number, job.isListed) = (entry.number, entry.isListed)
    if job.id.isEmpty { problems.add("it has no id.") }
    if let priority = members["priority"] {
      job.priority = (priority.identifier).flatMap { Int($0) } ?? 0
      if priority.identifier.flatMap({ Int($0) }) == nil {
        problems.add("priority is a whole number; jobs with a higher priority start first.")
      }
    }
    addOutputs(members, &job, &problems)
    addOptions(members, &job, &problems)
    addSidecars(&job, &problems)
    if let problem = job.request.problem { problems.add("\(problem)") }
    guard !problems.sentences.isEmpty else { return .success(job) }
    problems.job = job
    return .failure(problems)
  }

  /// The outputs of jobs that name none, as patterns for the calls of a folder. ``JobList`` uses
  /// them to exclude the batch's own outputs.
  package var outputs: OwnOutputDetector {
    var members = DocumentValue.Members()
    members.append("id", .text("{id}"))
    members.append("input", .text("{name}"))
    let job = try? job(JobListReader.Entry(number: 0, place: "", members: .success(members))).get()
    return OwnOutputDetector(job?.request.places ?? [])
  }

  /// All problems with one list entry.
  package struct Problems: Error {
    package fileprivate(set) var sentences: [String] = []
    /// The job as far as the entry describes it; `nil` if the entry cannot be read.
    package fileprivate(set) var job: BatchJob?

    mutating func add(_ sentence: String) { sentences.append(sentence) }
  }

  private func paths(
    _ members: DocumentValue.Members, _ keys: [String], _ problems: inout Problems
  ) -> [String] {
    var paths: [String] = []
    for key in keys {
      guard let value = members[key] else { continue }
      let texts = (value.list ?? [value]).map(\.text)
      guard texts.allSatisfy({ $0?.isEmpty == false }) else {
        problems.add("\(key) is a path, or a list of paths.")
        continue
      }
      paths += texts.compactMap { $0.map(BatchJob.plain) }
    }
    return paths
  }

  // MARK: Outputs

  /// Sets the outputs of `job`: its own or the template's first output, followed by the template's
  /// further outputs.
  private func addOutputs(
    _ members: DocumentValue.Members, _ job: inout BatchJob, _ problems: inout Problems
  ) {
    job.request.outputs = []
    let own = paths(members, ["output", "outputs"], &problems)
    var main = template.outputs.first ?? .file("")
    if let first = own.first {
      main.destination = first
    } else if let sentence = Self.unknownPlaceholder(in: main.destination) {
      return problems.add(sentence)
    } else {
      main.destination = BatchJob.plain(job.filling(main.destination))
    }
    if main.destination.isEmpty {
      problems.add("no output is named: add output, or give the command --output '{name}.mp4'.")
      return
    }
    if let value = members["hls"] {
      if let sizes = HLSSizes(option: value.optionTexts?.joined(separator: ",") ?? "") {
        main.kind = .stream(sizes.sides)
      } else {
        problems.add("hls takes \(HLSSizes.expected).")
      }
    }
    main = OutputRequest(main.destination, main.kind, options: main.options)
    if let problem = main.placeProblem { problems.add(problem.description) }
    var outputs = [main]
    do throws(RenderError) {
      for text in own.dropFirst() { outputs.append(try OutputRequest(text: text)) }
    } catch {
      problems.add(error.message)
    }
    for other in template.outputs.dropFirst() {
      if let sentence = Self.unknownPlaceholder(in: other.destination) {
        problems.add(sentence)
        continue
      }
      var output = other
      output.destination = job.filling(other.destination)
      for (row, texts) in other.options.givenOptions
      where texts.contains(where: { $0.contains("{") }) {
        set(row.name, texts.map(job.filling), &output.options, &problems)
      }
      outputs.append(output)
    }
    job.request.outputs = outputs
  }

  /// Returns the sentence about the first name in braces in the output `place` that stands for
  /// nothing; `nil` if there is none.
  private static func unknownPlaceholder(in place: String) -> String? {
    let marks = [
      BatchJob.nameMark, BatchJob.idMark, OutputRequest.titleMark, OutputRequest.numberMark,
    ]
    let found = place.split(separator: "{", omittingEmptySubsequences: false).dropFirst()
      .compactMap { part in part.firstIndex(of: "}").map { "{\(part[...$0])" } }
    guard let unknown = found.first(where: { !marks.contains($0) }) else { return nil }
    let hint = unknown.nearest(among: marks).map { "did you mean \($0)?" }
    return "the output \(place) has the unknown placeholder \(unknown): "
      + (hint ?? "the placeholders are \(marks.joined(separator: ", ")).")
  }

  // MARK: Options

  /// Returns the option named by `key`, or `nil` if there is none. A `no-` prefix denies the
  /// option.
  private static func option(_ key: String) -> (name: String, isDenied: Bool)? {
    if key != reserved, RenderRequest.option(key) != nil { return (key, false) }
    let denied = key.hasPrefix("no-") ? String(key.dropFirst(3)) : ""
    return RenderRequest.option(denied)?.row.arity == .deniableFlag ? (denied, true) : nil
  }

  private func addOptions(
    _ members: DocumentValue.Members, _ job: inout BatchJob, _ problems: inout Problems
  ) {
    for (name, texts) in filled {
      set(name, texts.map(job.filling), &job.request, &problems)
    }
    for member in members.all where !Self.own.contains(member.key) && member.value != .null {
      guard let option = Self.option(member.key) else { continue }
      guard var texts = member.value.optionTexts else {
        problems.add("\(member.key) takes text, a number, true or false, or a list of these.")
        continue
      }
      if option.isDenied {
        switch texts.first {
        case nil, "on", "true", "yes": texts = ["off"]
        case "off", "false", "no": texts = ["on"]
        default: break
        }
      }
      set(option.name, texts, &job.request, &problems)
    }
  }

  private func set<Options: NamedOptions>(
    _ name: String, _ texts: [String], _ options: inout Options, _ problems: inout Problems
  ) {
    do throws(OptionError) {
      try options.set(name, texts)
    } catch {
      problems.add("\(error)")
    }
  }

  /// Sets the report and page of `job` to files in the shared folders, unless the job names its
  /// own.
  private func addSidecars(_ job: inout BatchJob, _ problems: inout Problems) {
    let name = job.fileName
    if let reports, job.request.sidecars.report == nil {
      job.request.sidecars.report = "\(reports)/\(name).json"
    }
    guard let pages, job.request.sidecars.page == nil else { return }
    if name == Self.index {
      problems.add("its page would be the list of all pages: give it another id, or a page.")
    }
    job.request.sidecars.page = "\(pages)/\(name).html"
  }
}

extension BatchJob {
  /// Returns `text` with `{id}` and `{name}` replaced by the job's id and the name of its first
  /// input.
  func filling(_ text: String) -> String {
    guard text.contains("{") else { return text }
    let name = request.inputs.first.map(Self.name) ?? id
    return text.replacing(Self.idMark, with: fileName).replacing(
      Self.nameMark, with: name.asFileName ?? fileName)
  }

  /// The placeholders for a job's id and for the name of its first input.
  fileprivate static let (idMark, nameMark) = ("{id}", "{name}")

  /// The base name of the job's own files, derived from its id, without extension.
  var fileName: String { id.asFileName ?? "job-\(number + 1)" }
}
