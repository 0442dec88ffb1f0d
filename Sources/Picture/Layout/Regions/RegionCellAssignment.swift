import TesseraTimeline

/// The assignment of the cells of a ``LayoutRegion`` to sources, fixed for each source's whole
/// life.
///
/// The rules are hisui's, which are modelled on Twilio's.
struct RegionCellAssignment {
  /// A source of the region, with the start and end of its track in nanoseconds.
  private struct Source {
    let id: LayoutItem.ID
    let start: Int64
    let stop: Int64
  }

  let grid: RegionGrid
  private let reuse: LayoutRegion.Reuse
  /// The sources with their cells, in the order of arrival.
  private let seated: [(id: LayoutItem.ID, cell: Int)]

  /// Assigns the cells of `region` to the items of `allItems` that it shows. An item without a
  /// known presence counts as always present.
  init(_ region: LayoutRegion, allItems: [LayoutItem], canvas: Size) {
    let sources = allItems.filter { region.shows($0.sources) }
      .map { item in
        Source(
          id: item.id, start: item.presence?.start.nanoseconds ?? .min,
          stop: item.presence?.end.nanoseconds ?? .max)
      }
      .enumerated()
      .sorted {
        ($0.element.start, $0.element.stop, $0.offset)
          < ($1.element.start, $1.element.stop, $1.offset)
      }.map(\.element)
    let count = region.reuse == .none ? sources.count : Self.mostAtOnce(sources)
    grid = RegionGrid(region, count: count, canvas: canvas)
    reuse = region.reuse
    let cells = (0..<grid.columns * grid.rows).filter { !region.excludedCells.contains($0) }
    seated = Self.deal(cells, to: sources, reuse: region.reuse)
  }

  /// Returns the visible items and their cells, in the order of the cells.
  ///
  /// `indexes` maps the identifier of each present item to its index, which the result contains.
  func seen(_ indexes: [LayoutItem.ID: Int]) -> [(index: Int, cell: Int)] {
    var cells = [Int?](repeating: nil, count: grid.columns * grid.rows)
    for (id, cell) in seated {
      guard let index = indexes[id] else { continue }
      if reuse == .showNewest || cells[cell] == nil { cells[cell] = index }
    }
    return cells.enumerated().compactMap { cell, index in index.map { ($0, cell) } }
  }

  /// Returns the largest number of `sources`, given in the order of arrival, that are present
  /// during the life of one of them, ends included.
  private static func mostAtOnce(_ sources: [Source]) -> Int {
    let stops = sources.map(\.stop).sorted()
    return sources.map { source in
      let come = sources.partitioningIndex { $0.start > source.stop }
      return come - stops.partitioningIndex { $0 >= source.start }
    }.max() ?? 0
  }

  /// Assigns each source the first free cell. If there is none and `reuse` permits it, the source
  /// shares the cell that becomes free soonest.
  private static func deal(
    _ cells: [Int], to sources: [Source], reuse: LayoutRegion.Reuse
  ) -> [(id: LayoutItem.ID, cell: Int)] {
    var stops = [Int64?](repeating: nil, count: cells.count)
    var seated: [(id: LayoutItem.ID, cell: Int)] = []
    for source in sources {
      let free = stops.firstIndex { stop in
        stop.map { reuse != .none && $0 < source.start } ?? true
      }
      guard let cell = free ?? (reuse == .none ? nil : soonestFree(stops)) else { continue }
      stops[cell] = max(stops[cell] ?? .min, source.stop)
      seated.append((source.id, cells[cell]))
    }
    return seated
  }

  /// Returns the index of the cell that becomes free soonest; `nil` if there are no cells.
  private static func soonestFree(_ stops: [Int64?]) -> Int? {
    stops.indices.min { (stops[$0] ?? .min, $0) < (stops[$1] ?? .min, $1) }
  }
}
