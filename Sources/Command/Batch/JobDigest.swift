import Foundation
import TesseraDelivery
import TesseraDocuments
import TesseraMedia
import TesseraPlan
import TesseraPlanning
import TesseraRendering
import TesseraStorage
import TesseraSystem

/// What a job's output is made from: its inputs as they are now, its options and this build. Found
/// without opening a recording; whatever changes it has the job done again.
struct JobDigest {
  private let job: BatchJob
  private let store: Store?
  private let outputs: Set<Location>
  private var facts = [WorkPlan.build]
  /// Whether all of it is known.
  private var isWhole = true

  /// The digest of a job.
  ///
  /// - Parameters:
  ///   - job: the job.
  ///   - store: what knows of remote inputs, where it has any.
  /// - Returns: 64 hexadecimal digits; nil where what an input is cannot be told.
  static func text(of job: BatchJob, _ store: Store?) -> String? {
    var digest = JobDigest(job, store)
    digest.add()
    guard digest.isWhole else { return nil }
    return SHA256.digest(Array(digest.facts.joined(separator: "\n").utf8)).hexadecimal
  }

  private init(_ job: BatchJob, _ store: Store?) {
    (self.job, self.store) = (job, store)
    outputs = Set((job.outputFiles + job.besides).compactMap { try? Location($0) })
  }

  private mutating func add() {
    facts += job.outputs.prefix(1).map { URL(fileURLWithPath: $0).pathExtension }
    // Further ones have options of their own.
    facts += job.outputs.dropFirst()
    let settings = job.settings.filter { !Self.others.contains($0.name) }
    for setting in settings where !addRemote(setting.word) { facts.append(setting.word) }
    for path in job.inputs where !addRemote(path) { add(path) }
    for path in job.settings.flatMap(Self.files) { add(path) }
  }

  /// Adds a word that names something in a bucket or at an address; false for another word.
  private mutating func addRemote(_ word: String) -> Bool {
    guard word.contains("://"), let words = try? RemoteWords(["render", word]),
      let place = words.places.first
    else { return false }
    facts.append(words.replacing { "\($0.location)" }[1])
    if !place.isOutput { add(place.location, isNamedByUser: true) }
    return true
  }

  private mutating func add(_ location: Location, isNamedByUser: Bool) {
    let lines = try? store?.identity(of: location, isNamedByUser: isNamedByUser, except: outputs)
    guard let lines else { return isWhole = false }
    facts += lines
  }

  /// Options that change no picture and no sound.
  private static let others: Set = [
    "jobs", "memory", "work-dir", "cache", "no-cache", "cpu", "retry-losses", "accept-losses",
    "report", "page", "page-video", "page-thumbnails", "fetch-cache", "overwrite",
  ]

  /// The files that an option's value may name, which has options of its own after a colon.
  private static func files(_ setting: BatchJob.Setting) -> [String] {
    guard let value = setting.value, !others.contains(setting.name) else { return [] }
    let values = [value] + value.split(separator: "=", maxSplits: 1).dropFirst().map(String.init)
    let names = values.flatMap { [$0, String($0.prefix { $0 != ":" })] }
    return Array(Set(names).sorted().filter { !$0.isEmpty && FileSystem.exists($0) })
  }

  private mutating func add(_ path: String) {
    facts.append(path)
    guard !FileSystem.isFolder(path) else { return addFolder(path) }
    addFile(path)
    let addresses = SessionAddresses(path)?.addresses ?? []
    for address in addresses {
      guard let location = try? Location(address) else { return isWhole = false }
      add(location, isNamedByUser: false)
    }
    guard Document.Syntax(fileName: path) != nil else { return }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let named = Self.texts(in: path).map { $0.hasPrefix("/") ? $0 : "\(folder)/\($0)" }
      .filter { FileSystem.exists($0) && !FileSystem.isFolder($0) }
    for file in named { addFile(file) }
    // A manifest that knows identifiers has its recordings beside it.
    if named.isEmpty, addresses.isEmpty { addFolder(folder) }
  }

  private mutating func addFolder(_ folder: String) {
    for name in FileSystem.names(in: folder) where !name.hasPrefix(".") {
      let path = "\(folder)/\(name)"
      if FileSystem.isFolder(path) {
        if !name.hasSuffix(".tessera") { addFolder(path) }
      } else {
        addFile(path)
      }
    }
  }

  /// A copy of a file is as good as the file; one that was written to again is not.
  private mutating func addFile(_ path: String) {
    let identity = FileIdentity(path).map { "\($0.byteCount) \($0.modified) \($0.ends)" }
    facts.append("\(path) \(identity ?? "missing")")
  }

  /// All texts of a session or manifest, of which some are names of files.
  private static func texts(in path: String) -> [String] {
    guard let syntax = Document.Syntax(fileName: path),
      let bytes = try? RegularFile.bytes(path, atMost: Document.maximumSize + 1),
      let document = try? Document(bytes, syntax, file: path)
    else { return [] }
    var (texts, waiting) = (Set<String>(), [document])
    while let value = waiting.popLast() {
      switch value {
      case .text(let text): if text.utf8.count < 1024 { texts.insert(text) }
      case .list(let items): waiting += items
      case .object(let members): waiting += members.all.map(\.value)
      default: break
      }
    }
    return texts.sorted()
  }
}

extension BatchJob {
  /// Whether what it reads or makes lies in a bucket or at an address.
  var isRemote: Bool { (try? RemoteWords(words))?.areRemote ?? false }

  /// What an earlier run made of this job.
  ///
  /// - Parameters:
  ///   - digest: what it is made from now.
  ///   - store: what knows of remote outputs, where it has any.
  /// - Returns: nil where its outputs are not what they would be now.
  func finished(_ digest: String?, _ store: Store?) -> MadeFrom? {
    guard let digest, let output = outputs.first, let words = try? RemoteWords(words) else {
      return nil
    }
    let places = words.places.filter(\.isOutput)
    let made: MadeFrom?
    if let place = places.first(where: { $0.option == "--output" }) {
      made = place.told.flatMap { try? store?.made($0) }.flatMap(MadeFrom.init(text:))
    } else {
      made = MadeFrom(of: output)
    }
    // The names of clips are unknown here: they are there with the main output.
    let isKnown = { (name: String) in !name.contains(RequestedOutput.titleMark) }
    guard let made, made.digest == digest,
      (outputFiles + besides).filter(isKnown).allSatisfy({
        $0.contains("://") || FileSystem.exists($0)
      }),
      places.compactMap(\.told).filter({ isKnown("\($0)") })
        .allSatisfy({ (try? store?.holds($0)) == true })
    else { return nil }
    return made
  }
}

extension RemoteWords.Place {
  /// The object by which it is known that an output is whole; nil where there is none.
  fileprivate var told: Location? {
    if let entry { return location.appending(entry) }
    return isFolder ? nil : location
  }
}
