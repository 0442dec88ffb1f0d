import Foundation
import TesseraCodecs
import TesseraJobs
import TesseraMessages
package import TesseraPlan
import TesseraRecordings
import TesseraRequest
package import TesseraSystem
import TesseraTimeline

/// Makes plans: reads the recordings of a call and decides everything about its renditions.
///
/// ``PlanningStages`` makes each plan in eight stages, one file each in `Stages`.
package enum Planner {
  /// Returns the plan for `rendition` of `call`. Recordings that cannot be read become cards, and
  /// their errors become losses. Voices that planning had to decode are added to `analyses`.
  ///
  /// - Throws: ``RenderError`` if no input can be rendered at all, or if the request contradicts
  ///   itself.
  package static func plan(
    _ rendition: Rendition, of call: CallRequest, cancellation: Cancellation = Cancellation(),
    analyses: VoiceAnalyses? = nil
  ) throws(RenderError) -> Plan {
    var session = PlanningSession(call, cancellation)
    return try session.makePlans([rendition], analyses: analyses)[0]
  }

  /// Returns the plans for `renditions` (at least one) of `call`. Recordings are read and decoded
  /// once. Each plan equals the result of ``plan(_:of:cancellation:analyses:)`` for its rendition
  /// alone.
  ///
  /// - Throws: ``RenderError`` if no input can be rendered at all, or if a request contradicts
  ///   itself.
  package static func plans(
    _ renditions: [Rendition], of call: CallRequest, cancellation: Cancellation = Cancellation()
  ) throws(RenderError) -> [Plan] {
    precondition(!renditions.isEmpty)
    var session = PlanningSession(call, cancellation)
    return try session.makePlans(renditions)
  }
}
