import Foundation
import TesseraDocuments
import TesseraMedia
import TesseraPlanning
import TesseraRendering
import TesseraSystem

/// What a job's output is made from: its inputs as they are now, its options and this build. Found
/// without opening a recording; whatever changes it has the job done again.
enum JobDigest {
  /// 64 hexadecimal digits; nil where inputs lie elsewhere, of which nothing is known here.
  static func text(of job: BatchJob) -> String? {
    guard !(job.inputs + job.outputs).contains(where: { $0.contains("://") }) else { return nil }
    var facts = [WorkPlan.build]
    facts += job.outputs.prefix(1).map { URL(fileURLWithPath: $0).pathExtension }
    // Further ones have options of their own.
    facts += job.outputs.dropFirst()
    facts += job.settings.filter { !others.contains($0.name) }.map(\.word)
    for path in job.inputs + job.settings.flatMap(files) { add(path, to: &facts) }
    return SHA256.digest(Array(facts.joined(separator: "\n").utf8)).hexadecimal
  }

  /// Options that change no picture and no sound.
  private static let others: Set = [
    "jobs", "memory", "work-dir", "cache", "no-cache", "cpu", "retry-losses", "accept-losses",
    "report", "page", "page-video", "page-thumbnails", "fetch-cache", "overwrite",
  ]

  /// The files that an option's value may name, which has options of its own after a colon.
  private static func files(_ setting: BatchWords.Setting) -> [String] {
    guard let value = setting.value, !others.contains(setting.name) else { return [] }
    let values = [value] + value.split(separator: "=", maxSplits: 1).dropFirst().map(String.init)
    let names = values.flatMap { [$0, String($0.prefix { $0 != ":" })] }
    return Array(Set(names).sorted().filter { !$0.isEmpty && FileSystem.exists($0) })
  }

  private static func add(_ path: String, to facts: inout [String]) {
    facts.append(path)
    guard !FileSystem.isFolder(path) else { return addFolder(path, to: &facts) }
    addFile(path, to: &facts)
    guard Document.Syntax(fileName: path) != nil else { return }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let named = texts(in: path).map { $0.hasPrefix("/") ? $0 : "\(folder)/\($0)" }
      .filter { FileSystem.exists($0) && !FileSystem.isFolder($0) }
    for file in named { addFile(file, to: &facts) }
    // A manifest that knows identifiers has its recordings beside it.
    if named.isEmpty { addFolder(folder, to: &facts) }
  }

  private static func addFolder(_ folder: String, to facts: inout [String]) {
    for name in FileSystem.names(in: folder) where !name.hasPrefix(".") {
      let path = "\(folder)/\(name)"
      if FileSystem.isFolder(path) {
        if !name.hasSuffix(".tessera") { addFolder(path, to: &facts) }
      } else {
        addFile(path, to: &facts)
      }
    }
  }

  /// A copy of a file is as good as the file; one that was written to again is not.
  private static func addFile(_ path: String, to facts: inout [String]) {
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
  /// What an earlier run made of this job, if its outputs are still what they would be now.
  func finished(_ digest: String?) -> MadeFrom? {
    guard let digest, let output = outputs.first, let made = MadeFrom(of: output),
      made.digest == digest,
      (outputFiles + besides).allSatisfy(FileSystem.exists)
    else { return nil }
    return made
  }
}
