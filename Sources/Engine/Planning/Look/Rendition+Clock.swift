import TesseraMessages
import TesseraPlan
import TesseraRequest
import TesseraSystem
import TesseraTimeline

extension Rendition {
  /// Returns the times that the clock shows, or `nil` if there is no clock. `wallClock` is the
  /// start of the call, since 1970.
  ///
  /// - Throws: ``RenderError`` if the time of day is requested and the start of the call is
  ///   unknown.
  func clockTimes(wallClock: MediaTime?) throws(RenderError) -> CanvasClock? {
    switch overlays.clock {
    case nil: return nil
    case .call: return CanvasClock()
    case .wall(let zone):
      guard let wallClock else {
        throw RenderError(
          .usage,
          "\(option: "clock") wall: the recordings have no time of day; give started-at "
            + "in a session file, or take \(option: "clock") call.")
      }
      let day = MediaTime(nanoseconds: wallClock.nanoseconds % 86_400_000_000_000)
      let start = day + MediaTime(seconds: zone * 60)
      return CanvasClock(start: start, isTimeOfDay: true)
    }
  }
}
