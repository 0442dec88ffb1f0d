package import TesseraLayout
package import TesseraPlan
package import TesseraPlanning
package import TesseraSystem

/// A request for one rendition of a call.
package struct RenditionRequest {
  package var call: CallRequest
  package var rendition: Rendition

  package init(_ input: ImportedCall, output: OutputFormat, layout: (any LayoutPolicy)? = nil) {
    (call, rendition) = (CallRequest(input), Rendition(output: output, layout: layout))
  }

  package init(
    inputs: [String], output: OutputFormat, layout: (any LayoutPolicy)? = nil
  ) throws(RenderError) {
    self.init(try ImportedCall.open(inputs), output: output, layout: layout)
  }

  package func plan() throws(RenderError) -> Plan { try Planner.plan(rendition, of: call) }
}
