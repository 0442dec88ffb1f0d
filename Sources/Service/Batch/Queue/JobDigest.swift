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

/// What a job's output is made from: its inputs as they are now, its options and this build. Found
/// without opening a recording; whatever changes it has the job done again.
struct JobDigest {
  private let job: BatchJob
  private let store: Store?
  private let outputs: Set<Location>
  private let own: OwnOutputs
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
    (self.job, self.store, own) = (job, store, OwnOutputs(job.request.places))
    outputs = Set((job.outputFiles + job.besides).compactMap { try? Location($0) })
  }

  private mutating func add() {
    guard let request = try? job.request.makingPictures.document() else { return isWhole = false }
    facts.append(request.json(isIndented: false))
    for path in job.request.inputs where !addRemote(path) { add(path) }
    for path in job.request.optionFiles where !addRemote(path) { addFile(path) }
  }

  /// Adds what lies in a bucket or at an address; false for a path.
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
    guard !FileSystem.isFolder(path) else { return addFolder(path) }
    addFile(path)
    guard CallInput.isManifest(path) else { return }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let files: [String]
    if let session = SessionAddresses(path) {
      files = session.paths
    } else if let call = CallInput.imported(path, format: job.request.call.format) {
      // Manifests beside this one can be part of it.
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
    let real = FileSystem.realName(folder)
    for name in FileSystem.names(in: folder) where !name.hasPrefix(".") {
      let path = "\(folder)/\(name)"
      if FileSystem.isFolder(path) {
        if !name.hasSuffix(".tessera") { addFolder(path) }
      } else if !own.contains("\(real)/\(name)") {
        addFile(path)
      }
    }
  }

  /// A copy of a file is as good as the file; one that was written to again is not.
  private mutating func addFile(_ path: String) {
    let identity = FileIdentity(path).map { "\($0.byteCount) \($0.modified) \($0.ends)" }
    facts.append("\(path) \(identity ?? "missing")")
  }
}

extension RenderRequest {
  /// It without all that changes no picture and no sound; of the main output the ending is left.
  fileprivate var makingPictures: RenderRequest {
    var request = self
    let means = request.means
    request.means = RequestMeans()
    request.means.root = means.root
    (request.means.isStrict, request.means.refusesNotes) = (means.isStrict, means.refusesNotes)
    (request.sidecars.report, request.sidecars.page) = (nil, nil)
    (request.sidecars.pageVideo, request.sidecars.pageThumbnails) = (nil, nil)
    request.sidecars.pageAudience = nil
    for index in request.outputs.indices.prefix(1) {
      request.outputs[index].place =
        URL(fileURLWithPath: request.outputs[index].place).pathExtension
    }
    // An address without its signature, which is another one each time.
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
  /// What an earlier run made of this job.
  ///
  /// - Parameters:
  ///   - digest: what it is made from now.
  ///   - store: what knows of remote outputs, where it has any.
  /// - Returns: nil where its outputs are not what they would be now.
  func finished(_ digest: String?, _ store: Store?) -> MadeFrom? {
    guard let digest, let main = request.places.first else { return nil }
    // The names of clips are unknown here: they are there with the main output.
    let others = request.places.dropFirst().filter {
      !$0.name.contains(RequestedOutput.titleMark)
    }
    let found =
      main.name.contains(RequestedOutput.titleMark)
      ? Self.madeClips(main.name, digest) : main.made(store)
    guard let made = found, made.digest == digest,
      others.allSatisfy({ $0.isThere(store) })
    else { return nil }
    return made
  }

  /// The provenance of the clips that the template `place` was made into from `digest`; nil if there
  /// are none, a render of them has not ended, or they are in a bucket. All clips get their names at the
  /// end of a render, and then its work folder goes.
  private static func madeClips(_ place: String, _ digest: String) -> MadeFrom? {
    let folder = place.folderPath
    let name = place.dropFirst(folder.count)
    guard !place.contains("://"), !folder.contains("{"), let start = name.firstIndex(of: "{"),
      let end = name.lastIndex(of: "}")
    else { return nil }
    let names = FileSystem.names(in: folder.isEmpty ? "." : folder).filter {
      $0.hasPrefix(name[..<start])
    }
    guard !names.contains(where: { $0.hasSuffix(".tessera") }) else { return nil }
    let clips = names.filter { $0.hasSuffix(name[end...].dropFirst()) }
      .compactMap { MadeFrom(of: folder + $0) }.filter { $0.digest == digest }
    return clips.first(where: \.hasLosses) ?? clips.first
  }
}

extension Place {
  /// What the output says that it was made from.
  fileprivate func made(_ store: Store?) -> MadeFrom? {
    guard location != nil else { return MadeFrom(of: name) }
    return lastObject.flatMap { try? store?.made($0) }.flatMap(MadeFrom.init(text:))
  }

  /// Whether it was made; of a folder without an entry that cannot be told in a bucket.
  fileprivate func isThere(_ store: Store?) -> Bool {
    guard let object = lastObject, !isFolder || entry != nil else {
      return location != nil || FileSystem.exists(name)
    }
    return (try? store?.holds(object)) == true
  }
}
