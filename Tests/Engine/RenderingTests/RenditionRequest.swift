import TesseraLayout
import TesseraPlan
import TesseraSystem

@testable import TesseraPlanning

/// A request for one rendition of a call.
struct RenditionRequest {
  var call: CallRequest
  var rendition: Rendition

  init(_ input: CallInput, output: OutputFormat, layout: (any LayoutPolicy)? = nil) {
    (call, rendition) = (CallRequest(input), Rendition(output: output, layout: layout))
  }

  init(
    inputs: [String], output: OutputFormat, layout: (any LayoutPolicy)? = nil
  ) throws(RenderError) {
    self.init(try CallInput.open(inputs), output: output, layout: layout)
  }

  func plan() throws(RenderError) -> Plan { try Planner.plan(rendition, of: call) }
}
