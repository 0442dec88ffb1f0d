import Foundation
import TesseraCodecs
package import TesseraLayout
import TesseraLettering
import TesseraPixels
package import TesseraPlan
import TesseraPlanning
import TesseraRequest
import TesseraSystem
import TesseraTimeline
package import TestSupport

/// A call of 3 s at 30 frames/s: one person stays, one comes at frame 30, and one leaves at frame
/// 60.
package struct SceneRecordings {
  package let folder: TemporaryFolder
  package var stays: String { folder.path("stays.mkv") }
  package var comes: String { folder.path("comes.mkv") }
  package var leaves: String { folder.path("leaves.mkv") }
  package var all: [String] { [stays, comes, leaves] }

  package init() throws {
    folder = try TemporaryFolder()
    try make("testsrc2=s=160x90:r=30:d=3", ["-g", "30"], stays)
    try make(
      "testsrc=s=120x120:r=30:d=2", ["-f", "lavfi", "-i", "sine=duration=2"],
      ["-c:a", "pcm_s16le"], comes)
    try make("smptebars=s=160x120:r=30:d=2", ["-g", "12"], leaves)
  }

  private func make(
    _ pictures: String, _ sound: [String] = [], _ options: [String] = [], _ path: String
  ) throws {
    try Tool.ffmpeg(
      ["-f", "lavfi", "-i", pictures] + sound + ["-c:v", "libx264"] + options + [path])
  }

  private func make(_ pictures: String, _ options: [String], _ path: String) throws {
    try make(pictures, [], options, path)
  }

  /// Returns the request for a small picture of `inputs`.
  package static func request(
    _ inputs: [String], layout: String = "grid", width: Int = 192, height: Int = 108
  ) throws -> RenditionRequest {
    let video = VideoEncoderSettings(
      size: PixelSize(width: width, height: height), frameRate: .thirty)
    var request = try RenditionRequest(
      inputs: inputs, output: OutputFormat(video: video, style: TileStyle(.plain)),
      layout: try LayoutCatalog.policy(layout))
    for path in Set(inputs) where path.hasSuffix("comes.mkv") {
      request.call.offsets.append(PersonOffset(person: path, time: MediaTime(seconds: 1)))
    }
    request.rendition.gap = 0
    return request
  }

  package static func plan(_ request: RenditionRequest) throws -> Plan { try request.plan() }
}

extension Plan {
  /// Returns the visible tiles in `frame`, farthest back first.
  package func attributes(in frame: Int) -> [LayoutAttributes] {
    scenes.attributes(at: output.video.frameRate.time(ofFrame: frame))
  }

  /// The participants' own slots.
  package var seats: [TileTimeline] { slots.filter { $0.participant != nil } }
  /// The frames in which each participant must be placed.
  package var presences: [[Range<Int>]] { seats.map(\.presence) }
  /// The frames in which each participant's tile is drawn.
  package var visibilities: [[Range<Int>]] { seats.map { visibility(of: $0.id) } }
}
