import Foundation
import TesseraCodecs
import TesseraDelivery
import TesseraDocuments
import TesseraPlan
import TesseraPlanning
import TesseraRendering
import TesseraRequest
import TesseraStorage
import TesseraSystem
import TesseraTimeline

/// Computes the digest of a job: its inputs in their current state, its options and this build.
///
/// The digest needs no recording to be opened. A job is rendered again if its digest changed.
struct JobDigester {
  private let job: BatchJob
  private let store: ObjectStore?
  private let outputs: Set<Location>
  private let own: OwnOutputDetector
  private var facts = [WorkPlan.build]
  /// False if the state of an input is unknown; then the job has no digest.
  private var isWhole = true

  /// Returns the digest of a job.
  ///
  /// - Parameters:
  ///   - job: The job.
  ///   - store: Access to remote inputs; `nil` if the job has none.
  /// - Returns: 64 hexadecimal digits, or `nil` if the state of an input cannot be determined.
  static func text(of job: BatchJob, _ store: ObjectStore?) -> String? {
    var digest = JobDigester(job, store)
    digest.add()
    guard digest.isWhole else { return nil }
    return SHA256.digest(Array(digest.facts.joined(separator: "\n").utf8)).hexadecimal
  }

  private init(_ job: BatchJob, _ store: ObjectStore?) {
    (self.job, self.store, own) = (job, store, OwnOutputDetector(job.request.places))
    outputs = Set((job.outputFiles + job.besides).compactMap { try? Location($0) })
  }

  private mutating func add() {
    guard let request = try? job.request.makingPictures.document() else { return isWhole = false }
    facts.append(request.json(isIndented: false))
    for path in job.request.inputs where !addRemote(path) { add(path) }
    for path in job.request.optionFiles where !addRemote(path) { addFile(path) }
  }

  /// Adds an input in a bucket or at an address, and returns true. Returns false for a local path.
  private mutating func addRemote(_ text: String) -> Bool {
    guard let location = try? Location(text) else {
      isWhole = false
      return true
    }
    guard location.isRemote else { return false }
    add(location, isNamedByUser: true)
    return true
  }

  private mutating func add(_ location: Location, isNamedByUser: Bool) {
    let lines = try? store?.identity(of: location, isNamedByUser: isNamedByUser, except: outputs)
    guard let lines else { return isWhole = false }
    facts += lines
  }

  private mutating func add(_ path: String) {
    facts.append(path)
    guard !FileOperations.isFolder(path) else { return addFolder(path) }
    addFile(path)
    guard ImportedCall.isManifest(path) else { return }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let files: [String]
    if let session = SessionFileAddresses(path) {
      files = session.paths
    } else if let call = ImportedCall.imported(path, format: job.request.call.format) {
      // A format may read further manifests beside this one, so the digest covers the imported
      // recording.
      facts.append(call.digest)
      files = call.files
    } else {
      return addFolder(folder)
    }
    for file in Set(files).sorted() {
      if !Location.isAddress(file) {
        addFile(file.isAbsolutePath ? file : "\(folder)/\(file)")
      } else if !job.isListed {
        guard let location = try? Location(file) else { return isWhole = false }
        add(location, isNamedByUser: false)
      }
    }
  }

  private mutating func addFolder(_ folder: String) {
    let real = FileOperations.realName(folder)
    for name in FileOperations.names(in: folder) where !name.hasPrefix(".") {
      let path = "\(folder)/\(name)"
      if FileOperations.isFolder(path) {
        if !name.hasSuffix(".tessera") { addFolder(path) }
      } else if !own.contains("\(real)/\(name)") {
        addFile(path)
      }
    }
  }

  /// Adds a file's size, modification time and a hash of its ends. A copy of a file with its times
  /// kept counts as unchanged.
  private mutating func addFile(_ path: String) {
    let identity = FileIdentity(path).map { "\($0.byteCount) \($0.modified) \($0.ends)" }
    facts.append("\(path) \(identity ?? "missing")")
  }
}

extension RenderRequest {
  /// The request without all settings that change neither pictures nor sound. The main output is
  /// reduced to its extension.
  fileprivate var makingPictures: RenderRequest {
    var request = self
    let execution = request.execution
    request.execution = ExecutionOptions()
    request.execution.root = execution.root
    (request.execution.isStrict, request.execution.refusesNotes) = (
      execution.isStrict, execution.refusesNotes
    )
    (request.sidecars.report, request.sidecars.page) = (nil, nil)
    (request.sidecars.pageVideo, request.sidecars.pageThumbnails) = (nil, nil)
    request.sidecars.pageAudience = nil
    for index in request.outputs.indices.prefix(1) {
      request.outputs[index].destination =
        URL(fileURLWithPath: request.outputs[index].destination).pathExtension
    }
    // The signature in a signed URL changes each time and is removed.
    let known = { (text: String) in
      text.contains("://") ? (try? Location(text)).map { "\($0)" } ?? text : text
    }
    request.inputs = request.inputs.map(known)
    request.mapFiles(known)
    for index in request.outputs.indices { request.outputs[index].options.mapFiles(known) }
    return request
  }

  /// The files that options name.
  fileprivate var optionFiles: [String] { Array(inputFiles.dropFirst(inputs.count)) }
}

extension BatchJob {
  /// Returns the provenance of this job's finished outputs.
  ///
  /// - Parameters:
  ///   - digest: The job's current digest.
  ///   - store: Access to remote outputs; `nil` if the job has none.
  /// - Returns: The main output's provenance, or `nil` if an output is missing or was made from a
  ///   different digest.
  func finished(_ digest: String?, _ store: ObjectStore?) -> OutputProvenance? {
    guard let digest, let main = request.places.first else { return nil }
    // The names of clips are not known here. They exist if the main output does.
    let others = request.places.dropFirst().filter {
      !$0.name.contains(OutputRequest.titleMark)
    }
    let found =
      main.name.contains(OutputRequest.titleMark)
      ? Self.madeClips(main.name, digest) : main.made(store)
    guard let made = found, made.digest == digest,
      others.allSatisfy({ $0.isThere(store) })
    else { return nil }
    return made
  }

  /// Returns the provenance of the clips made from the template `place` with `digest`.
  ///
  /// Returns `nil` if there are none, if a render of them has not finished, or if they are in a
  /// bucket. A render names all clips at its end and then removes its work folder, so a remaining
  /// work folder means an unfinished render.
  private static func madeClips(_ place: String, _ digest: String) -> OutputProvenance? {
    let folder = place.folderPath
    let name = place.dropFirst(folder.count)
    guard !place.contains("://"), !folder.contains("{"), let start = name.firstIndex(of: "{"),
      let end = name.lastIndex(of: "}")
    else { return nil }
    let names = FileOperations.names(in: folder.isEmpty ? "." : folder).filter {
      $0.hasPrefix(name[..<start])
    }
    guard !names.contains(where: { $0.hasSuffix(".tessera") }) else { return nil }
    let clips = names.filter { $0.hasSuffix(name[end...].dropFirst()) }
      .compactMap { OutputProvenance(of: folder + $0) }.filter { $0.digest == digest }
    return clips.first(where: \.hasLosses) ?? clips.first
  }
}

extension OutputLocation {
  /// Reads the provenance stored in the output; `nil` if there is none.
  fileprivate func made(_ store: ObjectStore?) -> OutputProvenance? {
    guard location != nil else { return OutputProvenance(of: name) }
    return lastObject.flatMap { try? store?.made($0) }.flatMap(OutputProvenance.init(text:))
  }

  /// Returns true if the output exists. A remote folder without a known entry file counts as
  /// existing, since its state cannot be determined.
  fileprivate func isThere(_ store: ObjectStore?) -> Bool {
    guard let object = lastObject, !isFolder || entry != nil else {
      return location != nil || FileOperations.exists(name)
    }
    return (try? store?.holds(object)) == true
  }
}
