import TesseraDelivery
import TestSupport
import Testing

/// Names that people know in place of paths.
@Suite(.timed) struct PlaceNamesTests {
  @Test("No path is left in JSON, whatever characters it has")
  func json() {
    var names = PlaceNames()
    names.add("/cache/a \"b\"\\c", "s3://calls/1")
    names.add("/cache/a \"b\"\\c/é.webm", "s3://calls/\"é\"")
    #expect(
      names.inJSON(#"{"file": "/cache/a \"b\"\\c/é.webm", "of": "/cache/a \"b\"\\c/x"}"#)
        == #"{"file": "s3://calls/\"é\"", "of": "s3://calls/1/x"}"#)
    #expect(names.known("cannot read /cache/a \"b\"\\c/x.") == "cannot read s3://calls/1/x.")
  }
}
