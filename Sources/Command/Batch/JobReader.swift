import Foundation
import TesseraBatch
import TesseraDocuments
import TesseraPlanning
import TesseraSystem
import TesseraTimeline

/// Makes jobs of the entries of a list.
struct JobReader {
  /// What render is asked for in all jobs that do not say otherwise.
  let defaults: [JobSetting]
  /// What a job makes that does not say so.
  let output: String?
  /// Where the reports go of jobs that do not say so; nil where nowhere.
  let reports: String?
  /// Where the pages go of jobs that do not say so; nil where nowhere.
  let pages: String?

  /// What the list of all pages is called, without its ending.
  static let index = "index"

  private static let own = ["id", "input", "inputs", "output", "outputs", "priority"]

  /// The keys that a job can have.
  private var keys: [String] {
    Self.own + JobOption.names
  }

  /// The job that `entry` is, or all that is wrong with it.
  func job(_ entry: JobLines.Entry) -> Result<BatchJob, Problems> {
    let members: Document.Members
    switch entry.members {
    case .success(let found): members = found
    case .failure(let problem): return .failure(Problems(place: entry.place, [problem.sentence]))
    }
    var problems = Problems(place: entry.place, [])
    for key in members.keys where !isKnown(key) {
      let hint = key.nearest(among: keys).map { ": did you mean \"\($0)\"?" }
      problems.add("the key \"\(key)\" is unknown\(hint ?? ".")")
    }
    let inputs = paths(members, ["input", "inputs"], &problems)
    if inputs.isEmpty { problems.add("no input is named: add input, a path or a list.") }
    let id = members["id"]?.identifier ?? inputs.first.map(BatchJob.name) ?? ""
    var job = BatchJob(id, RenderRequest(inputs, to: []))
    (job.number, job.isListed) = (entry.number, entry.isListed)
    if job.id.isEmpty { problems.add("it has no id.") }
    if let priority = members["priority"] {
      job.priority = (priority.identifier).flatMap { Int($0) } ?? 0
      if priority.identifier.flatMap({ Int($0) }) == nil {
        problems.add("priority is a whole number; jobs with a higher one begin before others.")
      }
    }
    var outputs = paths(members, ["output", "outputs"], &problems)
    if outputs.isEmpty, let output { outputs = [BatchJob.plain(job.filling(output))] }
    if outputs.isEmpty {
      problems.add("no output is named: add output, or give the command --output '{name}.mp4'.")
    }
    let settings = settings(members, job, &problems)
    guard problems.sentences.isEmpty else { return .failure(problems) }
    do throws(RenderError) {
      job.request = try RenderRequest(inputs, to: outputs, settings)
    } catch {
      problems.add(error.commandLine)
      return .failure(problems)
    }
    return .success(job)
  }

  /// What is wrong with an entry.
  struct Problems: Error {
    var place: String
    private(set) var sentences: [String]

    init(place: String, _ sentences: [String]) {
      (self.place, self.sentences) = (place, sentences)
    }

    mutating func add(_ sentence: String) { sentences.append(sentence) }
  }

  private func isKnown(_ key: String) -> Bool {
    Self.own.contains(key) || JobOption(key) != nil
  }

  private func paths(
    _ members: Document.Members, _ keys: [String], _ problems: inout Problems
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

  // MARK: Options

  private func settings(
    _ members: Document.Members, _ job: BatchJob, _ problems: inout Problems
  ) -> [JobSetting] {
    var settings = defaults.map { setting in
      JobSetting(name: setting.name, value: setting.value.map(job.filling))
    }
    for member in members.all where !Self.own.contains(member.key) && isKnown(member.key) {
      guard let entry = JobOption(member.key), member.value != .null else { continue }
      let names = [entry.name, entry.opposite].compactMap { $0 }
      settings.removeAll { names.contains($0.name) }
      settings += words(entry, member.value, &problems)
    }
    let name = job.fileName
    for (option, folder, ending) in [("report", reports, "json"), ("page", pages, "html")] {
      guard let folder, !settings.contains(where: { $0.name == option }) else { continue }
      if option == "page", name == Self.index {
        problems.add("its page would be the list of all pages: give it another id, or a page.")
      }
      settings.append(JobSetting(name: option, value: "\(folder)/\(name).\(ending)"))
    }
    return settings
  }

  private func words(
    _ entry: JobOption, _ value: Document, _ problems: inout Problems
  ) -> [JobSetting] {
    if entry.isFlag {
      guard let isOn = Self.truth(value) else {
        problems.add("\(entry.name) is true or false.")
        return []
      }
      if isOn { return [JobSetting(name: entry.name, value: nil)] }
      return entry.opposite.map { [JobSetting(name: $0, value: nil)] } ?? []
    }
    let values = value.list ?? [value]
    guard values.count == 1 || entry.isRepeating else {
      problems.add("\(entry.name) takes one value.")
      return []
    }
    return values.compactMap { value in
      guard let text = value.identifier ?? value.bool.map({ $0 ? "on" : "off" }) else {
        problems.add("\(entry.name) takes what --\(entry.name) takes in a command: a text.")
        return nil
      }
      return JobSetting(name: entry.name, value: text)
    }
  }

  /// What a flag is set to; cells of a table are texts.
  private static func truth(_ value: Document) -> Bool? {
    if let bool = value.bool { return bool }
    switch value.text {
    case "true", "on", "yes": return true
    case "false", "off", "no": return false
    default: return nil
    }
  }
}

/// An option of render with its value, as a batch has it; nil for a flag.
struct JobSetting: Hashable, Sendable {
  var name: String
  var value: String?

  /// It as one word of a command line.
  var word: String { value.map { "--\(name)=\($0)" } ?? "--\(name)" }
}

extension RenderRequest {
  /// `inputs`, rendered into `outputs`, of which those after the first may have options, as
  /// `settings` say.
  ///
  /// - Throws: where a value is wrong, or one contradicts another.
  init(
    _ inputs: [String], to outputs: [String], _ settings: [JobSetting]
  ) throws(RenderError) {
    func values(_ name: String) -> [String] {
      settings.filter { $0.name == name }.compactMap(\.value)
    }
    var others = OutputsOptions()
    others.also = []
    for text in outputs.dropFirst() + values("also") {
      guard let output = AlsoOutput(argument: text) else {
        throw RenderError(.usage, "the output \(text) cannot be read: write file:option=value,….")
      }
      others.also.append(output)
    }
    (others.hls, others.outputs) = (nil, values("outputs").last)
    if let text = values("hls").last {
      guard let sizes = StreamSizes(option: text) else {
        throw RenderError(.usage, "--hls takes \(StreamSizes.expected).")
      }
      others.hls = sizes
    }
    self.init(inputs, to: try others.requested(besides: outputs.first ?? ""))
    if let problem = self.outputs[0].placeProblem { throw RenderError(.usage, problem) }
    do throws(OptionError) {
      for (name, texts) in Self.texts(of: settings) where Self.option(name) != nil {
        try set(name, texts)
      }
      if let problem { throw problem }
    } catch {
      throw RenderError(.usage, "--\(error)")
    }
  }

  /// The values of each option, in the order in which they are first said.
  private static func texts(of settings: [JobSetting]) -> [(name: String, texts: [String])] {
    var options: [(name: String, texts: [String])] = []
    for setting in settings {
      let option = JobOption(setting.name)
      let isDenial = option?.isFlag == true && RenderRequest.option(setting.name) == nil
      let name = isDenial ? option?.opposite ?? setting.name : setting.name
      let texts = isDenial ? ["off"] : [setting.value].compactMap(\.self)
      if let known = options.firstIndex(where: { $0.name == name }) {
        options[known].texts += texts
      } else {
        options.append((name, texts))
      }
    }
    return options
  }
}

extension BatchJob {
  /// `text` with this job's `{id}` and `{name}`.
  func filling(_ text: String) -> String {
    guard text.contains("{") else { return text }
    let name = request.inputs.first.map(Self.name) ?? id
    return text.replacing("{id}", with: fileName).replacing(
      "{name}", with: name.asFileName ?? fileName)
  }

  /// What files of its own are called, without their endings.
  var fileName: String { id.asFileName ?? "job-\(number + 1)" }
}

/// An option of render as a list of jobs has it: by its name without dashes.
struct JobOption {
  let name: String
  /// Whether it has no value.
  let isFlag: Bool
  /// Whether it may have several values.
  let isRepeating: Bool
  /// The flag that says the contrary, where there is one.
  let opposite: String?

  /// What render has beside the options of a request.
  private static let others: Set = ["hls", "outputs"]
  /// What is of the whole batch.
  private static let reserved: Set = ["executor"]

  /// The names of all.
  static let names = (RenderRequest.optionNames + others).filter { !reserved.contains($0) }

  /// The option of that name; nil where there is none.
  init?(_ name: String) {
    let denied = name.hasPrefix("no-") ? String(name.dropFirst(3)) : nil
    if let denied, RenderRequest.option(denied)?.row.arity == .deniableFlag {
      (self.name, isFlag, isRepeating, opposite) = (name, true, false, denied)
      return
    }
    guard let arity = RenderRequest.option(name)?.row.arity, !Self.reserved.contains(name) else {
      guard Self.others.contains(name) else { return nil }
      (self.name, isFlag, isRepeating, opposite) = (name, false, false, nil)
      return
    }
    self.name = name
    isFlag = arity == .flag || arity == .deniableFlag
    isRepeating = arity == .several || arity == .repeated
    opposite = arity == .deniableFlag ? "no-\(name)" : nil
  }
}
