import Foundation
package import TesseraCodecs
package import TesseraJobs
import TesseraSoundtrack
package import TesseraSystem
import TesseraTimeline

/// All that is made of one call, with all that is decided about making it. What workers read.
package struct WorkPlan: Sendable, Codable {
  /// The program that wrote it: no other reads it.
  package let build: String
  /// What is made, each as if it were made alone; the first one is the main one.
  package var renditions: [RenditionPlan]
  /// The parts of the timeline that are made one by one, for all renditions.
  package let sections: [Section]

  /// A part of the timeline.
  package struct Section: Hashable, Sendable, Codable {
    /// The numbers of each rendition's segments that belong to it; there may be none.
    package let segments: [Range<Int>]
    /// What making all of them is expected to cost.
    package let cost: Runs.Cost
  }

  /// Decides how `renditions` are made together.
  package init(_ renditions: [RenditionPlan]) {
    (build, self.renditions) = (Self.build, renditions)
    sections = Self.sections(renditions)
  }

  /// Decides how `plan` is rendered alone.
  package init(_ plan: Plan, container: OutputContainer = .mp4) {
    self.init([RenditionPlan(plan, container: container)])
  }

  /// The sections begin where the segments of the rendition begin that has the most, and where others
  /// begin far from there; the segments of all others belong to the section in which their middle lies.
  private static func sections(_ renditions: [RenditionPlan]) -> [Section] {
    let starts = starts(renditions)
    return starts.indices.compactMap { number in
      let end = number + 1 < starts.count ? starts[number + 1] : nil
      let segments = renditions.map { rendition in
        let middles = rendition.segments.map { rendition.middle(of: $0) }
        let first = number == 0 ? 0 : middles.partitioningIndex { $0 >= starts[number] }
        return first..<(end.map { end in middles.partitioningIndex { $0 >= end } } ?? middles.count)
      }
      guard segments.contains(where: { !$0.isEmpty }) else { return nil }
      return Section(segments: segments, cost: cost(of: segments, renditions))
    }
  }

  /// Where sections begin, in order.
  private static func starts(_ renditions: [RenditionPlan]) -> [MediaTime] {
    guard let finest = renditions.max(by: { $0.segments.count < $1.segments.count }) else {
      return []
    }
    var starts = finest.starts
    for start in renditions.flatMap(\.starts).sorted() {
      let place = starts.partitioningIndex { $0 >= start }
      let isFar =
        (place == starts.count || starts[place] - start >= Segmentation.shortestLength)
        && (place == 0 || start - starts[place - 1] >= Segmentation.shortestLength)
      if isFar { starts.insert(start, at: place) }
    }
    return starts
  }

  /// What is decoded is decoded once for all.
  private static func cost(
    of segments: [Range<Int>], _ renditions: [RenditionPlan]
  ) -> Runs.Cost {
    var (decoded, drawn, preroll) = (0.0, 0.0, 0.0)
    for (numbers, rendition) in zip(segments, renditions) {
      let costs = rendition.costs[numbers]
      decoded = max(decoded, costs.reduce(0) { $0 + $1.decoded })
      drawn += costs.reduce(0) { $0 + $1.drawn }
      preroll = max(preroll, costs.first?.preroll ?? 0)
    }
    return Runs.Cost(work: decoded + drawn, preroll: preroll)
  }

  /// The numbers of a rendition's segments that belong to some sections.
  package func segments(of rendition: Int, in numbers: Range<Int>) -> Range<Int> {
    guard let first = numbers.first, let last = numbers.last else { return 0..<0 }
    return sections[first].segments[rendition]
      .lowerBound..<sections[last].segments[rendition].upperBound
  }

  /// How many frames of all renditions are made in a section.
  package func frameCount(ofSection number: Int) -> Int {
    zip(sections[number].segments, renditions).reduce(0) { sum, pair in
      sum + pair.1.segments[pair.0].reduce(0) { $0 + $1.count }
    }
  }

  /// How many frames of all renditions are made.
  package var frameCount: Int { sections.indices.reduce(0) { $0 + frameCount(ofSection: $1) } }

  /// The rendition with whose sound `rendition` shares a file: the first one with equal sound.
  package func soundtrack(of rendition: Int) -> Int {
    let digest = renditions[rendition].soundtrackDigest
    return renditions.firstIndex { $0.soundtrackDigest == digest } ?? rendition
  }

  /// The renditions that have a file of sound of their own.
  package var soundtracks: [Int] { renditions.indices.filter { soundtrack(of: $0) == $0 } }

  /// The number of jobs for the pieces of sound: those with the same number of all renditions are made together. 0 where
  /// each sound is made as a whole.
  package var soundPieceCount: Int {
    let count = soundtracks.map { renditions[$0].soundPieces.count }.max() ?? 0
    return count > 1 ? count : 0
  }

  /// The renditions whose sound has a piece of that number; of several with the same one, the first.
  package func renditions(ofSoundPiece number: Int) -> [Int] {
    var names: Set<String> = []
    return soundtracks.filter { rendition in
      let count = renditions[rendition].soundPieces.count
      return count > 1 && number < count
        && names.insert(renditions[rendition].soundPieceName(of: number)).inserted
    }
  }

  /// Has all renditions read their files where `place` says.
  package mutating func relocate(_ place: (String) -> String) {
    for index in renditions.indices { renditions[index].plan.relocate(place) }
  }

  /// The files that pictures and sound are read from, each once, in order.
  package var sources: [String] {
    var seen: Set<String> = []
    return renditions.flatMap(\.plan.sources).filter { seen.insert($0).inserted }
  }

  /// All files that rendering reads or that were named, each once, in order.
  package var files: [String] {
    var seen: Set<String> = []
    return renditions.flatMap(\.plan.files).filter { seen.insert($0).inserted }
  }

  /// This program: its version, its libraries and its own size, which hardly ever is another
  /// build's.
  package static let build: String = {
    let libraries = LibraryVersions.all.map { "\($0.name) \($0.version)" }
    let size = FileSystem.byteCount(of: "/proc/self/exe")
    return (["tessera \(TesseraVersion.current) \(size)"] + libraries).joined(separator: ", ")
  }()

  /// Reads the plan at `path`.
  package static func read(_ path: String) throws(RenderError) -> WorkPlan {
    guard let data = try? FileSystem.map(path) else {
      throw RenderError(.failure, "cannot read the plan \(path); check its name.")
    }
    struct Build: Decodable { var build: String }
    guard let build = try? JSONDecoder().decode(Build.self, from: data) else {
      throw RenderError(.failure, "\(path) is not a plan; make one with \"tessera plan\".")
    }
    guard build.build == Self.build else {
      throw RenderError(
        .failure,
        "the plan \(path) was made by another build (\(build.build)); write it again with this one."
      )
    }
    do {
      let decoder = JSONDecoder()
      decoder.userInfo[SideFolder.key] = JSONFile.sideFolder(of: path)
      return try decoder.decode(WorkPlan.self, from: data)
    } catch let error as SideFolder.Lack {
      throw RenderError(
        .failure,
        "the plan \(path) lacks its part \(error.path), or that is damaged: copy the plan with its "
          + "folder \(path).parts, or write it again.")
    } catch {
      throw RenderError(.failure, "the plan \(path) is damaged; write it again.")
    }
  }

  /// Writes the plan to `path` in a folder of Tessera's own, whole or not at all.
  package func write(to path: String) throws(RenderError) { try JSONFile.write(self, to: path) }

  /// Writes the plan as `file`, whole or not at all.
  package func write(as file: inout OutputFile) throws(RenderError) {
    try JSONFile.write(self, as: &file)
  }
}
