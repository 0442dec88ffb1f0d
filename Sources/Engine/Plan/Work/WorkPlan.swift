// Terms of the engine, used in all of its modules:
//
// - rendition: one output file of a call, or one rung of an HLS folder, with a plan of its own.
// - segment: consecutive frames of a rendition that are encoded into a file of their own. Segments
//   are stitched without encoding again.
// - joint: the frames around a segment boundary, which are encoded for both segments.
// - section: a part of the call's timeline, with the segments of all renditions in it. The command
//   line calls a section a segment.
// - run: consecutive sections that one worker renders, so that decoders can continue.
// - piece: a finished file of a job: a segment, a soundtrack, or a part of the mix.
// - slot: the content of one tile over time (`TileTimeline`). In crash notes, the entry of a track
//   (`CrashNoteSlots`); among jobs, the permission to keep one processor busy
//   (`ProcessorSlotScheduler`).
// - loss: content that is missing from the output (`Loss`); a crash loss is a track that is given
//   up after it crashed workers (`CrashedTrackLoss`).
// - note: a remark in a report that is no loss; the results at the end of a piece's file
//   (`SegmentReport`); a worker's record of what it is decoding, read after a crash (`CrashNote`).

import Foundation
import TesseraCodecs
package import TesseraJobs
import TesseraMessages
import TesseraSoundtrack
package import TesseraSystem
import TesseraTimeline

/// Everything that is rendered from one call in one go, and every decision about it: the file
/// `plan.json`, which workers read. Its terms are explained at the top of this file.
package struct WorkPlan: Sendable, Codable {
  /// The program that wrote the plan. Other builds refuse to read it.
  package let build: String
  /// The output files, each independent of the others. The first is the main one.
  package var renditions: [RenditionPlan]
  /// The parts of the timeline that are rendered one by one, for all renditions.
  package let sections: [Section]

  /// A part of the timeline, with the segments of all renditions in it.
  package struct Section: Hashable, Sendable, Codable {
    /// For each rendition, the numbers of its segments in the section; may be empty.
    package let segments: [Range<Int>]
    /// The estimated cost of rendering all segments of the section.
    package let cost: SegmentRunPlanner.Cost
  }

  /// Creates a plan of `renditions` and divides them into common sections.
  package init(_ renditions: [RenditionPlan]) {
    (build, self.renditions) = (Self.build, renditions)
    sections = Self.sections(renditions)
  }

  /// Divides the timeline into sections: at the segment starts of the rendition with the most
  /// segments, and at starts of other segments that are far from those. A segment belongs to the
  /// section that contains its middle.
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

  /// Returns the start times of the sections, in order.
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

  /// Returns the cost of a section. Each picture is decoded once for all renditions, so the
  /// decoding cost is the largest one.
  private static func cost(
    of segments: [Range<Int>], _ renditions: [RenditionPlan]
  ) -> SegmentRunPlanner.Cost {
    var (decoded, drawn, preroll) = (0.0, 0.0, 0.0)
    for (numbers, rendition) in zip(segments, renditions) {
      let costs = rendition.costs[numbers]
      decoded = max(decoded, costs.reduce(0) { $0 + $1.decoded })
      drawn += costs.reduce(0) { $0 + $1.drawn }
      preroll = max(preroll, costs.first?.preroll ?? 0)
    }
    return SegmentRunPlanner.Cost(work: decoded + drawn, preroll: preroll)
  }

  /// Returns the numbers of a rendition's segments in sections `numbers`.
  package func segments(of rendition: Int, in numbers: Range<Int>) -> Range<Int> {
    guard let first = numbers.first, let last = numbers.last else { return 0..<0 }
    return sections[first].segments[rendition]
      .lowerBound..<sections[last].segments[rendition].upperBound
  }

  /// Returns the number of frames in a section, summed over all renditions.
  package func frameCount(ofSection number: Int) -> Int {
    zip(sections[number].segments, renditions).reduce(0) { sum, pair in
      sum + pair.1.segments[pair.0].reduce(0) { $0 + $1.count }
    }
  }

  /// Number of frames of all renditions.
  package var frameCount: Int { sections.indices.reduce(0) { $0 + frameCount(ofSection: $1) } }

  /// Returns the rendition whose soundtrack file `rendition` uses: the first one with equal sound.
  package func soundtrack(of rendition: Int) -> Int {
    let digest = renditions[rendition].soundtrackDigest
    return renditions.firstIndex { $0.soundtrackDigest == digest } ?? rendition
  }

  /// The renditions that have a soundtrack file of their own.
  package var soundtracks: [Int] { renditions.indices.filter { soundtrack(of: $0) == $0 } }

  /// Number of jobs for pieces of the sound; 0 if each soundtrack is mixed as a whole. A job mixes
  /// the pieces with one number of all renditions.
  package var soundPieceCount: Int {
    let count = soundtracks.map { renditions[$0].soundPieces.count }.max() ?? 0
    return count > 1 ? count : 0
  }

  /// Returns the renditions whose piece `number` of the sound has to be mixed. Of renditions with
  /// equal pieces, only the first is included.
  package func renditions(ofSoundPiece number: Int) -> [Int] {
    var names: Set<String> = []
    return soundtracks.filter { rendition in
      let count = renditions[rendition].soundPieces.count
      return count > 1 && number < count
        && names.insert(renditions[rendition].soundPieceName(of: number)).inserted
    }
  }

  /// Replaces the path of every file in all renditions by the one that `place` returns for it.
  package mutating func relocate(_ place: (String) -> String) {
    for index in renditions.indices { renditions[index].plan.relocate(place) }
  }

  /// The files that pictures and sound are read from, without duplicates, in order.
  package var sources: [String] { renditions.flatMap(\.plan.sources).unique }

  /// All files that rendering reads or that the request names, without duplicates, in order.
  package var files: [String] { renditions.flatMap(\.plan.files).unique }

  /// The identity of this program: version, library versions and the size of its executable, which
  /// hardly ever equals another build's.
  package static let build: String = {
    let libraries = LibraryVersions.all.map { "\($0.name) \($0.version)" }
    let size = FileOperations.byteCount(of: "/proc/self/exe")
    return (["tessera \(TesseraVersion.current) \(size)"] + libraries).joined(separator: ", ")
  }()

  /// Reads the plan at `path`.
  ///
  /// - Throws: ``RenderError`` if the file is missing, damaged, or written by another build.
  package static func read(_ path: String) throws(RenderError) -> WorkPlan {
    guard let data = try? FileOperations.map(path) else {
      throw RenderError(.failure, "cannot read the plan \(file: path); check its name.")
    }
    struct Build: Decodable { var build: String }
    guard let build = try? JSONDecoder().decode(Build.self, from: data) else {
      throw RenderError(.failure, "\(file: path) is not a plan; make one with \"tessera plan\".")
    }
    guard build.build == Self.build else {
      throw RenderError(
        .failure,
        "the plan \(file: path) was made by another build (\(build.build)); write it again with this one."
      )
    }
    do {
      let decoder = JSONDecoder()
      decoder.userInfo[ContentAddressedStore.key] = JSONFile.contentStore(of: path)
      return try decoder.decode(WorkPlan.self, from: data)
    } catch let error as ContentAddressedStore.MissingBlob {
      throw RenderError(
        .failure,
        "the part \(file: error.path) of the plan \(file: path) is missing or damaged: copy the plan with its "
          + "folder \(file: path).parts, or write it again.")
    } catch {
      throw RenderError(.failure, "the plan \(file: path) is damaged; write it again.")
    }
  }

  /// Writes the plan to `path` in a folder that Tessera owns, atomically.
  package func write(to path: String) throws(RenderError) { try JSONFile.write(self, to: path) }

  /// Writes the plan as `file`, atomically.
  package func write(as file: OutputFile) throws(RenderError) {
    try JSONFile.write(self, as: file)
  }
}
