import TesseraPlan
import TesseraPlanning

/// What is made beside the main output.
struct FurtherOutputs {
  /// What is rendered, and as what.
  typealias Rendition = (target: RenderTarget, request: RenderRequest)

  /// Videos, sound and folders for HTTP Live Streaming.
  var renditions: [Rendition] = []
  /// Pictures of the main output, or of the first one that has pictures.
  var stills: [StillOutput] = []

  /// The files and folders.
  var paths: [String] { renditions.map(\.target.path) + stills.map(\.path) }
}
