import Foundation
import TesseraCodecs
import TesseraMessages
package import TesseraPlan
package import TesseraRendering
package import TesseraRequest
import TesseraSoundtrack
package import TesseraStorage
import TesseraSystem

/// The recordings that jobs read: complete files from the cache, or partial files whose needed
/// ranges arrive while workers read.
package struct PieceInputFiles {
  /// The local paths of the files that the jobs read, by their paths in the plan.
  package private(set) var places: [String: String] = [:]
  private var parts: [RangeDownloader.ObjectRanges] = []
  private let secrets: FetchSecrets

  /// The needed share of a recording from which all of it is fetched into the cache, where other
  /// tasks of this machine find it.
  private static let whole = 0.6

  /// The folder of the inputs in a work folder.
  package static func place(in folder: String) -> String { "\(folder)/inputs" }

  /// Fetches complete inputs of `jobs` into `folder` and prepares partial ones for ``begin``.
  ///
  /// - Throws: a usage error if the bytes exceed the limit for fetching, or an error of fetching.
  package init(
    _ jobs: [RenderJob], _ work: WorkPlan, _ sources: PlanInputLocations, _ fetch: ExecutionOptions,
    _ store: ObjectStore, _ folder: String
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
      try FileOperations.makeFolder(own, private: true)
      places[path] = place
      if case .parts(let ranges) = need, object.hasRanges, store.whole(object) == nil,
        Double(ranges.reduce(0) { $0 + $1.count }) < Self.whole * Double(object.size)
      {
        parts.append(RangeDownloader.ObjectRanges(object, path: place, ranges: ranges))
        total += ranges.reduce(0) { $0 + $1.count }
      } else {
        total += object.size
        guard total <= fetch.limits.inputSize else { continue }
        let file = try store.fetch([object], address: secrets.address)
        try FileOperations.link(file[0], at: place)
      }
    }
    guard total <= fetch.limits.inputSize else {
      throw StorageError(
        .usage,
        "the parts of the plan's files to read have \(total) bytes, more than the limit for fetching; raise "
          + "that with \(option: "max-input-size").")
    }
  }

  /// Starts fetching the partial files. `failed` is called once if a range does not arrive.
  package func begin(
    _ store: ObjectStore, failed: @escaping @Sendable () -> Void
  ) throws -> RangeDownloader { try store.fetch(parts, address: secrets.address, failed: failed) }
}

/// The part of a file that a job reads.
package enum RequiredRange: Hashable {
  case whole
  /// Byte ranges, as far as they are known in advance.
  case parts([Range<Int>])

  /// Extends the range by `other`.
  package mutating func add(_ other: RequiredRange) {
    if case .parts(let own) = self, case .parts(let more) = other {
      self = .parts((own + more).merged)
    } else {
      self = .whole
    }
  }
}

extension WorkPlan {
  /// Returns the ranges that a job reads, by file. The soundtrack needs whole files, because sound
  /// is interleaved with the pictures.
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
