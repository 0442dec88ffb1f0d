package import TesseraLayout
import TesseraMessages
import TesseraPlan
import TesseraRecordings
import TesseraSystem
import TesseraTimeline

extension ImportedCall {
  /// The canvas size that the recording's own layout is designed for; `nil` if it adapts to any.
  ///
  /// - Throws: ``RenderError`` if the layout does not exist or its file cannot be read.
  package var layoutResolution: Size? {
    get throws(RenderError) { try recording.layout?.policy(in: self).resolution }
  }
}

extension RequestedLayout {
  /// Returns the layout policy. Paths of layout files are relative to the call's folder.
  ///
  /// - Throws: ``RenderError`` if the layout does not exist or its file cannot be read.
  func policy(in input: ImportedCall) throws(RenderError) -> any LayoutPolicy {
    let contents = try path.map { file throws(RenderError) in
      let path = input.path(of: file)
      let most = LayoutFileParser.maximumSize
      guard let bytes = try? RegularFile.bytes(path, atMost: most + 1), bytes.count <= most,
        let contents = String(file: bytes)
      else {
        throw RenderError(
          .usage,
          "the recording's layout: the layout file cannot be read: the layout file \(file: path) "
            + "cannot be read.")
      }
      return contents
    }
    do throws(LayoutError) {
      switch self {
      case .regions(let json): return try LayoutFileParser.policy(json)
      case .stylesheet(let text): return try StylesheetLayout(text)
      case .named(let text):
        guard let contents else { return try LayoutCatalog.policy(text) }
        return try LayoutFileParser.policy(contents)
      }
    } catch {
      throw RenderError(.usage, "the recording's layout: \(error)")
    }
  }
}
