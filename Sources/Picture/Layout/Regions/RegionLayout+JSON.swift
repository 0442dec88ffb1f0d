import TesseraDocuments
import TesseraMessages

extension RegionLayout {
  /// Reads Twilio's `video_layout`, or hisui's layout file that contains one. Comments are skipped.
  ///
  /// The value ranges are Twilio's. Other keys of hisui's file, such as `audio_sources` and
  /// `video_codec`, go to ``ignoredKeys``.
  package init(json text: String) throws(LayoutError) {
    do throws(DocumentError) {
      try self.init(document: try DocumentValue(text, .jsonc, file: Self.file))
    } catch {
      throw LayoutError(error)
    }
    guard !regions.isEmpty else { throw .invalidFile(reason: "it names no region") }
  }

  private static let file = "the layout file"

  private init(document: DocumentValue) throws(DocumentError) {
    var file = try DocumentMemberReader(document, file: Self.file, kind: "a layout file")
    var (resolution, ignored) = (Size?.none, [String]())
    if let layout = try file.object("video_layout") {
      if let text = try file.text("resolution") {
        guard let size = ProposedSize(text), let width = size.width, let height = size.height
        else { throw file.invalid("resolution", "a size such as 1280x720") }
        resolution = Size(width: width, height: height)
      }
      (ignored, file) = (file.keys, layout)
    }
    var regions: [LayoutRegion] = []
    for key in file.keys.sorted() {
      guard let object = try file.object(key) else { continue }
      regions.append(try LayoutRegion(name: key, object))
    }
    self.init(regions: regions, resolution: resolution)
    ignoredKeys = ignored
  }
}

extension LayoutRegion {
  /// Reads the region `name`.
  fileprivate init(name: String, _ object: DocumentMemberReader) throws(DocumentError) {
    var object = object
    let sources = try object.texts("video_sources")
    self.init(name: name, sources: try object.required(sources, "video_sources"))
    excludedSources = try object.texts("video_sources_excluded") ?? []
    x = try object.integer("x_pos", in: 0...16384) ?? 0
    y = try object.integer("y_pos", in: 0...16384) ?? 0
    z = try object.integer("z_pos", in: -99...99) ?? 0
    width = try Self.extent("width", "cell_width", &object)
    height = try Self.extent("height", "cell_height", &object)
    maxColumns = try Self.limit("max_columns", &object)
    maxRows = try Self.limit("max_rows", &object)
    excludedCells = Set(try object.integers("cells_excluded", in: 0...999_999) ?? [])
    border = (try object.integer("border_pixels", in: 0...1024) ?? 2) & ~1
    if let reuse = try object.choice("reuse", of: Reuse.self) { self.reuse = reuse }
    try object.finish()
  }

  /// Reads the extent of the region or of its cells. 0 means the same as a missing key, as in older
  /// files.
  private static func extent(
    _ key: String, _ cellKey: String, _ object: inout DocumentMemberReader
  ) throws(DocumentError) -> Extent {
    let region = try length(key, &object)
    let cell = try length(cellKey, &object)
    if region != nil, cell != nil {
      throw DocumentError(
        file: object.file, path: object.name(cellKey),
        reason: "cannot be combined with \"\(key)\": remove one of them")
    }
    return region.map(Extent.region) ?? cell.map(Extent.cell) ?? .remaining
  }

  private static func length(
    _ key: String, _ object: inout DocumentMemberReader
  ) throws(DocumentError) -> Int? {
    guard let length = try object.integer(key, in: 0...16384), length > 0 else { return nil }
    guard length >= 16 else { throw object.invalid(key, "a whole number from 16 to 16384") }
    return length
  }

  private static func limit(
    _ key: String, _ object: inout DocumentMemberReader
  ) throws(DocumentError) -> Int? {
    guard let limit = try object.integer(key, in: 0...1000), limit > 0 else { return nil }
    return limit
  }
}
