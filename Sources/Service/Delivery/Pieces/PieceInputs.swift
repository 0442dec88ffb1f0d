import Foundation
import TesseraCodecs
package import TesseraPlan
package import TesseraRendering
package import TesseraRequest
import TesseraSoundtrack
package import TesseraStorage
import TesseraSystem

/// What jobs read of the recordings: whole ones from the cache, and of others the parts that are
/// needed, which arrive while workers read.
package struct PieceInputs {
  /// Where the plan's files are on this machine, as far as they are read.
  package private(set) var places: [String: String] = [:]
  private var parts: [PartialDownloads.Part] = []
  private let secrets: Secrets

  /// From which share of a recording on all of it is fetched, so that other tasks of this machine
  /// find it.
  private static let whole = 0.6

  /// The folder of the inputs in a work folder.
  package static func place(in folder: String) -> String { "\(folder)/inputs" }

  /// What `jobs` of `work` read, in files below `folder`; `sources` says where that lies.
  package init(
    _ jobs: [RenderJob], _ work: WorkPlan, _ sources: PlanSources, _ fetch: ExecutionOptions,
    _ store: Store, _ folder: String
  ) throws {
    secrets = try fetch.readSecrets()
    let needs = jobs.reduce(into: [String: RequiredRange]()) { needs, job in
      for (path, need) in work.needs(of: job) { needs[path, default: .parts([])].add(need) }
    }
    let wanted = needs.sorted { $0.key < $1.key }.compactMap { path, need in
      sources.objects[path].map { (path: path, object: $0, need: need) }
    }
    var total = 0
    try? FileManager.default.removeItem(atPath: Self.place(in: folder))
    for (number, (path, object, need)) in wanted.enumerated() {
      let name = URL(fileURLWithPath: path).lastPathComponent
      let own = "\(Self.place(in: folder))/\(number)"
      let place = "\(own)/\(name)"
      try FileSystem.makeFolder(own, private: true)
      places[path] = place
      if case .parts(let ranges) = need, object.hasRanges, store.whole(object) == nil,
        Double(ranges.reduce(0) { $0 + $1.count }) < Self.whole * Double(object.size)
      {
        parts.append(PartialDownloads.Part(object, path: place, ranges: ranges))
        total += ranges.reduce(0) { $0 + $1.count }
      } else {
        total += object.size
        guard total <= fetch.limits.inputSize else { continue }
        let file = try store.fetch([object], address: secrets.address)
        try FileSystem.link(file[0], at: place)
      }
    }
    guard total <= fetch.limits.inputSize else {
      throw StorageError(
        .usage,
        "the parts of the plan's files to read have \(total) bytes, more than the limit for fetching; raise "
          + "that with \(option: "max-input-size").")
    }
  }

  /// Begins to fetch the parts; `failed` is called once where one does not arrive.
  package func begin(
    _ store: Store, failed: @escaping @Sendable () -> Void
  ) throws -> PartialDownloads { try store.fetch(parts, address: secrets.address, failed: failed) }
}

/// What is read of a file.
package enum RequiredRange: Hashable {
  case whole
  /// These bytes, as far as that is known before.
  case parts([Range<Int>])

  /// Reads the other one, too.
  package mutating func add(_ other: RequiredRange) {
    if case .parts(let own) = self, case .parts(let more) = other {
      self = .parts((own + more).merged)
    } else {
      self = .whole
    }
  }
}

extension WorkPlan {
  /// What a job reads, by file. Sound lies between the pictures all over a file.
  package func needs(of job: RenderJob) -> [(path: String, need: RequiredRange)] {
    switch job {
    case .sound(let numbers):
      return numbers.flatMap { number in
        renditions(ofSoundPiece: number).flatMap {
          rendition -> [(path: String, need: RequiredRange)] in
          let samples = renditions[rendition].soundPieces.decoded(of: number)
          return renditions[rendition].plan.soundInput().voices.map { voice in
            (voice.source.path, .parts(voice.source.bytes(for: samples)))
          }
        }
      }
    case .soundtrack:
      return renditions.flatMap(\.plan.voices).map { ($0.source.path, .whole) }
    case .together(let jobs): return jobs.flatMap(needs)
    case .segments(let numbers):
      return renditions.indices.flatMap { number -> [(path: String, need: RequiredRange)] in
        let rendition = renditions[number]
        let own = segments(of: number, in: numbers)
        guard !own.isEmpty else { return [] }
        return rendition.plan.input(for: rendition.shown(in: own)).tracks.map {
          ($0.source.path, .parts($0.bytes))
        }
      }
    }
  }
}
