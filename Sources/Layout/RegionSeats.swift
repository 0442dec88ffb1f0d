import Timeline

/// Which cell of a ``Region`` each source of a recording has: one for its whole life.
///
/// The rules are hisui's, which are modelled on Twilio's.
struct RegionSeats {
  /// A source of the region, with the time for which its track runs.
  private struct Source {
    let id: LayoutItem.ID
    let start: Int64
    let stop: Int64
  }

  let grid: RegionGrid
  private let reuse: Region.Reuse
  /// The sources in the order in which they come, with their cells.
  private let seated: [(id: LayoutItem.ID, cell: Int)]

  /// Deals out the cells of `region` to those of `cast` that it shows. Who has no known presence is
  /// taken to be there all the time.
  init(_ region: Region, cast: [LayoutItem], canvas: Size) {
    let sources = cast.filter { region.shows($0.sources) }
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

  /// Who is seen in which cell while the items of `present` are there.
  func seen(_ present: Set<LayoutItem.ID>) -> [(id: LayoutItem.ID, cell: Int)] {
    var cells: [Int: LayoutItem.ID] = [:]
    for (id, cell) in seated where present.contains(id) {
      if reuse == .showNewest || cells[cell] == nil { cells[cell] = id }
    }
    return cells.sorted { $0.key < $1.key }.map { ($0.value, $0.key) }
  }

  /// The largest number of sources that are there while one of them is, ends included.
  private static func mostAtOnce(_ sources: [Source]) -> Int {
    sources.map { source in
      sources.count { $0.start <= source.stop && source.start <= $0.stop }
    }.max() ?? 0
  }

  /// Gives each source the first free cell; if there is none, and cells are reused, the one that is
  /// free soonest.
  private static func deal(
    _ cells: [Int], to sources: [Source], reuse: Region.Reuse
  ) -> [(id: LayoutItem.ID, cell: Int)] {
    var stops = [Int64?](repeating: nil, count: cells.count)
    var seated: [(id: LayoutItem.ID, cell: Int)] = []
    for source in sources {
      let free = stops.firstIndex { stop in
        stop.map { reuse != .none && $0 < source.start } ?? true
      }
      let soonest = stops.indices.min { (stops[$0] ?? .min, $0) < (stops[$1] ?? .min, $1) }
      guard let cell = free ?? (reuse == .none ? nil : soonest) else { continue }
      stops[cell] = max(stops[cell] ?? .min, source.stop)
      seated.append((source.id, cells[cell]))
    }
    return seated
  }
}
