import TesseraDelivery
import TestSupport
import Testing

/// Display names in place of paths.
@Suite(.timed) struct PlaceNamesTests {
  @Test("JSON contains no path, whatever characters the path has")
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
