import TesseraCodecs
import TesseraLayout
import TesseraLettering
package import TesseraPixels
package import TesseraPlan
package import TesseraPlanning
import TesseraRecordings
package import TesseraRendering
import TesseraRequest
package import TesseraSystem
import TesseraTimeline

/// Files of a constant rate, without drift, for each camera, screen and voice of a call, as long as
/// the call: editors lay them at zero.
package struct Conform {
  /// A camera's or screen's file, and what is rendered into it.
  package struct Picture: Sendable {
    package var slot: SlotID
    /// The path.
    package var file: String
    package var rendition: Rendition
  }

  /// The cameras and screens, in the order of the plan.
  package private(set) var pictures: [Picture] = []
  /// The files of voices.
  package let voices: [ParticipantID: String]
  /// Everybody's sound, and the folder with a file of each voice.
  package let mix: (file: String, rendition: Rendition)
  package let stems: StemFolder

  /// The constant quality of libx264: nothing is seen of it.
  private static let quality = 16

  /// The files in `folder` of what `plan` shows, which `rendition` asked for.
  package init(_ plan: Plan, _ rendition: Rendition, in folder: String) {
    stems = StemFolder(folder)
    voices = Dictionary(
      stems.files(of: plan).map { ($0.participant.id, $0.path) }, uniquingKeysWith: { $1 })
    var sound = Rendition(output: OutputFormat(video: rendition.output.video))
    (sound.only, sound.excluded) = (rendition.only, rendition.excluded)
    (sound.hasPictures, sound.hasChapters) = (false, false)
    mix = ("\(folder)/mix.m4a", sound)
    var names = FileNames()
    for slot in plan.slots {
      guard let owner = slot.participant,
        let person = plan.participants.first(where: { $0.id == owner })
      else { continue }
      let shown = Set(
        slot.contents.all.compactMap { change -> TrackID? in
          if case .track(let id) = change.value { id } else { nil }
        })
      let size = plan.tracks.filter { shown.contains($0.id) }.map(\.pixelSize).max {
        $0.width * $0.height < $1.width * $1.height
      }
      guard let size else { continue }
      let title = person.name + (slot.kind == .screen ? " screen" : "")
      let name = names.name(for: title, else: slot.kind == .screen ? "screen" : "camera")
      pictures.append(
        Picture(
          slot: slot.id, file: "\(folder)/\(name).mp4",
          rendition: Self.rendition(slot, owner, title, size, rendition)))
    }
  }

  /// One slot on a canvas of its size, with its person's voice.
  private static func rendition(
    _ slot: Slot, _ owner: ParticipantID, _ title: String, _ size: PixelSize, _ main: Rendition
  ) -> Rendition {
    var style = TileStyle()
    (style.showsNames, style.highlightsSpeaker, style.cornerRadius) = (false, false, 0)
    style.blursBars = false
    style.theme.badge.isShown = false
    var format = OutputFormat(
      video: VideoEncoderSettings(
        quality: quality, size: size, frameRate: main.output.video.frameRate), style: style,
      filter: main.output.filter, fit: .contain, title: title)
    format.background = .black
    var own = Rendition(output: format, layout: ShotLayout(shot: .one(slot.id)))
    (own.only, own.excluded) = (main.only, main.excluded)
    (own.hidden, own.tiles) = (main.hidden, main.tiles)
    own.onlySound = [owner.rawValue]
    own.transition.duration = .zero
    own.hasChapters = false
    return own
  }

  /// `call` without what is drawn over it and cut of it.
  package static func bare(_ call: CallRequest) -> CallRequest {
    var call = call
    var recording = call.input.recording
    (recording.overlays, recording.outputs, recording.transcripts) = ([], [], [])
    (recording.edits, recording.trimsIdle, recording.chapters) = (Edits(), false, [])
    call.input.recording = recording
    (call.trimsIdle, call.wantsTurns, call.transcriber) = (false, false, nil)
    (call.transcripts, call.wantsTranscript) = ([], false)
    return call
  }
}

extension Conform {
  /// Renders all files, of `call` as ``bare(_:)`` makes it, by `settings`.
  ///
  /// - Throws: ``RenderError`` where one of them cannot be made.
  package func render(
    _ call: CallRequest, _ settings: RenderSettings, _ kernels: Kernels,
    _ cancellation: Cancellation, progress: (RenderProgress) -> Void
  ) throws(RenderError) -> RenderReport {
    let plans = try Planner.plans(
      [mix.rendition] + pictures.map(\.rendition), of: call, cancellation: cancellation)
    var settings = settings
    settings.stems = stems
    do throws(SystemError) {
      try FileSystem.makeFolder(stems.path)
    } catch {
      throw RenderError(error)
    }
    let report = try Renderer(
      plans, kernels: kernels, settings: settings, cancellation: cancellation
    ).render(to: [mix.file] + pictures.map(\.file), progress: progress)
    if let failed = report.withOthers.first(where: { $0.error != nil }) {
      throw RenderError(.failure, "\(failed.output) is not made: \(failed.error ?? "")")
    }
    return report
  }
}

extension Plan.Track {
  /// The size of its pictures as displayed, both sides even and of a canvas.
  fileprivate var pixelSize: PixelSize {
    let sides = ProposedSize.canvasSides
    let coded = source.track.stream.video
    let shape = aspectRatio.isFinite && aspectRatio > 0 ? aspectRatio : 16.0 / 9
    // A turned picture is as many pixels.
    let area = Double(coded?.size.width ?? 1280) * Double(coded?.size.height ?? 720)
    let height = (area / shape).squareRoot()
    func even(_ side: Double) -> Int {
      min(sides.upperBound, max(sides.lowerBound, Int(saturating: (side / 2).rounded()) *| 2))
    }
    return PixelSize(width: even(height * shape), height: even(height))
  }
}
