import Foundation
package import TesseraJobs
import TesseraLayout
import TesseraLettering
package import TesseraMedia
import TesseraPixels
package import TesseraPlan
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline

/// A plan with all that is decided about rendering it: where it is cut, and from what each piece is
/// made. What workers read.
package struct WorkPlan: Sendable, Codable {
  /// The program that wrote it: no other reads it.
  package var build: String
  /// What is drawn when.
  package var plan: Plan
  /// The frames of each segment, on the plan's timeline.
  package var segments: [Range<Int>]
  /// What each segment is made from, losses aside.
  package var digests: [String]
  /// What the sound is made from, losses aside.
  package var soundtrackDigest: String
  /// What making each segment is expected to cost.
  package var costs: [Runs.Cost]
  /// The format of the output.
  package var container: OutputContainer

  /// Decides how `plan` is rendered; without segments where `container` holds only sound.
  package init(_ plan: Plan, container: OutputContainer = .mp4) {
    self.plan = plan
    self.container = container
    build = Self.build
    soundtrackDigest = Self.soundtrackDigest(plan, losses: [])
    guard container.hasPictures else {
      (segments, digests, costs) = ([], [], [])
      return
    }
    var inputs = SegmentInputs(plan)
    let needs = plan.trackNeeds(inputs.wanted)
    let first = plan.frames.lowerBound
    let video = plan.output.video
    let cut = Segmentation(
      frameCount: plan.frames.count, group: video.keyframeInterval, lead: video.lead,
      tracks: needs.flatMap { $0.segmentation(in: plan.frames) }, isDivisible: video.isRepeatable)
    segments = cut.segments.map { ($0.lowerBound + first)..<($0.upperBound + first) }
    (digests, costs) = ([], [])
    for number in segments.indices {
      digests.append(digest(of: number, losses: [], &inputs))
      costs.append(plan.cost(of: encodedFrames(of: number), needs))
    }
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

  /// Writes the plan to `path`, whole or not at all.
  package func write(to path: String) throws(RenderError) { try JSONFile.write(self, to: path) }
}
