import Foundation
import TesseraCodecs
import TesseraJobs
import TesseraMessages
package import TesseraPlan
import TesseraRecordings
import TesseraRequest
package import TesseraSystem

/// Makes plans: reads the recordings of a call and decides everything about its renditions.
///
/// ``PlanningStages`` makes each plan in eight stages, one file each in `Stages`.
package enum Planner {
  /// Returns the plan for `rendition` of `call`. Recordings that cannot be read become cards, and
  /// their errors become losses.
  ///
  /// - Throws: ``RenderError`` if no input can be rendered at all, or if the request contradicts
  ///   itself.
  package static func plan(
    _ rendition: Rendition, of call: CallRequest, cancellation: Cancellation = Cancellation()
  ) throws(RenderError) -> Plan {
    try plan(rendition, of: call, cancellation: cancellation, analyses: nil)
  }

  /// Returns the plans for `renditions` (at least one) of `call`. Recordings are read and decoded
  /// once. Each plan equals the result of ``plan(_:of:cancellation:)`` for its rendition alone.
  ///
  /// - Throws: ``RenderError`` if no input can be rendered at all, or if a request contradicts
  ///   itself.
  package static func plans(
    _ renditions: [Rendition], of call: CallRequest, cancellation: Cancellation = Cancellation()
  ) throws(RenderError) -> [Plan] {
    try plans(renditions, of: call, cancellation: cancellation, analyses: nil)
  }

  /// Returns the plan for `rendition`, as ``plan(_:of:cancellation:)`` does. Voices that planning
  /// had to decode are added to `analyses`.
  package static func plan(
    _ rendition: Rendition, of call: CallRequest, cancellation: Cancellation,
    analyses: VoiceAnalyses?
  ) throws(RenderError) -> Plan {
    try plans([rendition], of: call, cancellation: cancellation, analyses: analyses)[0]
  }

  /// Returns the plans for `renditions`. Voices that planning the first rendition had to decode are
  /// added to `analyses`.
  private static func plans(
    _ renditions: [Rendition], of call: CallRequest, cancellation: Cancellation,
    analyses: VoiceAnalyses?
  ) throws(RenderError) -> [Plan] {
    precondition(!renditions.isEmpty)
    var session = PlanningSession(call, cancellation)
    return try session.makePlans(renditions, analyses: analyses)
  }
}
