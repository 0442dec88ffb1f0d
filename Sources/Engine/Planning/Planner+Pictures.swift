import TesseraCodecs
package import TesseraJobs
import TesseraLayout
import TesseraLettering
package import TesseraPixels
package import TesseraPlan
package import TesseraSystem
package import TesseraTimeline

extension Planner {
  /// Returns a plan that shows the pictures of the finished output at `path` in the given size,
  /// without its sound.
  ///
  /// - Throws: ``RenderError`` if the output cannot be read.
  package static func pictures(
    of path: String, size: PixelSize, at rate: FrameRate, readers: WorkerProgram?,
    cancellation: Cancellation
  ) throws(RenderError) -> Plan {
    var style = TileStyle(.plain)
    (style.showsNames, style.highlightsSpeaker, style.cornerRadius) = (false, false, 0)
    var call = try CallRequest(inputs: [path])
    call.readers = readers
    var rendition = Rendition(
      output: OutputFormat(
        video: VideoEncoderSettings(size: size, frameRate: rate), style: style, fit: .cover))
    (rendition.gap, rendition.hasChapters) = (0, false)
    // The stills need no sound.
    rendition.excludedSound = ["1"]
    return try plan(rendition, of: call, cancellation: cancellation)
  }
}
