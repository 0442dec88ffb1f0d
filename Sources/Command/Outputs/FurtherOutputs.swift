import TesseraPlan
import TesseraPlanning

/// What is made beside the main output.
struct FurtherOutputs {
  /// What is rendered, and as what.
  typealias Output = (target: RenderTarget, rendition: Rendition)

  /// Videos, sound and folders for HTTP Live Streaming.
  var outputs: [Output] = []
  /// Pictures of the main output, or of the first one that has pictures.
  var stills: [StillOutput] = []

  /// The files and folders.
  var paths: [String] { outputs.map(\.target.path) + stills.map(\.path) }
}
