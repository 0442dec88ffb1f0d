import TesseraCodecs
import TesseraLayout
import TesseraLettering
import TesseraMessages
package import TesseraPixels
package import TesseraPlan
package import TesseraPlanning
import TesseraRecordings
package import TesseraRendering
import TesseraRequest
package import TesseraSystem
import TesseraTimeline

/// Media files for editors: one per camera, screen and voice, with a constant frame rate and no
/// drift.
///
/// Each file is as long as the call, so that an editor places it at time zero.
package struct ConformExport {
  /// The file of one camera or screen, with the rendition that produces it.
  package struct Picture: Sendable {
    package var slot: SlotID
    package var file: String
    package var rendition: Rendition
  }

  /// The cameras and screens, in the plan's order of slots.
  package private(set) var pictures: [Picture] = []
  /// The paths of the voice files, by participant.
  package let voices: [ParticipantID: String]
  /// The file with the mix of all participants, and the folder of the voice files.
  package let mix: (file: String, rendition: Rendition)
  package let stems: StemFolder

  /// The CRF of libx264: visually lossless.
  private static let quality = 16

  /// Plans the files in `folder` for everything that `plan` shows; `rendition` is the plan's
  /// request.
  package init(_ plan: Plan, _ rendition: Rendition, in folder: String) {
    stems = StemFolder(folder)
    voices = Dictionary(
      stems.files(of: plan).map { ($0.participant.id, $0.path) }, uniquingKeysWith: { $1 })
    var sound = Rendition(output: OutputFormat(video: rendition.output.video))
    (sound.only, sound.excluded) = (rendition.only, rendition.excluded)
    (sound.hasPictures, sound.hasChapters) = (false, false)
    mix = ("\(folder)/mix.m4a", sound)
    var names = UniqueFileNamer()
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

  /// Returns a rendition of one slot on a canvas of its own size, with its participant's voice.
  private static func rendition(
    _ slot: TileTimeline, _ owner: ParticipantID, _ title: String, _ size: PixelSize,
    _ main: Rendition
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

  /// Returns `call` without overlays, cuts, chapters and transcripts.
  package static func bare(_ call: CallRequest) -> CallRequest {
    var call = call
    var recording = call.input.recording
    (recording.overlays, recording.outputs, recording.transcripts) = ([], [], [])
    (recording.edits, recording.trimsIdle, recording.chapters) = (EditList(), false, [])
    call.input.recording = recording
    (call.trimsIdle, call.wantsTurns, call.transcriber) = (false, false, nil)
    (call.transcripts, call.wantsTranscript) = ([], false)
    return call
  }
}

extension ConformExport {
  /// Renders all files from `call`, which has to come from ``bare(_:)``.
  ///
  /// - Throws: ``RenderError`` if any of the files cannot be rendered.
  package func render(
    _ call: CallRequest, _ settings: RenderSettings, _ kernels: PixelKernels,
    _ cancellation: Cancellation, progress: (RenderProgress) -> Void
  ) throws(RenderError) -> RenderReport {
    let plans = try Planner.plans(
      [mix.rendition] + pictures.map(\.rendition), of: call, cancellation: cancellation)
    var settings = settings
    settings.stems = stems
    try RenderError.wrapping { () throws(SystemError) in try FileOperations.makeFolder(stems.path) }
    let report = try Renderer(
      plans, kernels: kernels, settings: settings, cancellation: cancellation
    ).render(to: ([mix.file] + pictures.map(\.file)).map { .file($0) }, progress: progress)
    if let failed = report.allReports.first(where: { $0.error != nil }) {
      throw RenderError(.failure, "\(file: failed.output) is not made: \(failed.failure ?? "")")
    }
    return report
  }
}

extension Plan.Track {
  /// The display size of the track's pictures, with even sides within the limits of a canvas.
  fileprivate var pixelSize: PixelSize {
    let sides = ProposedSize.canvasSides
    let coded = source.track.stream.video
    let shape = aspectRatio.isFinite && aspectRatio > 0 ? aspectRatio : 16.0 / 9
    // Rotation keeps the number of pixels.
    let area = Double(coded?.size.width ?? 1280) * Double(coded?.size.height ?? 720)
    let height = (area / shape).squareRoot()
    func even(_ side: Double) -> Int {
      min(sides.upperBound, max(sides.lowerBound, Int(saturating: (side / 2).rounded()) *| 2))
    }
    return PixelSize(width: even(height * shape), height: even(height))
  }
}
