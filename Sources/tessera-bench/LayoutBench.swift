internal import TesseraLayout
internal import TesseraTimeline

/// A policy that places people on a 1080p canvas.
struct LayoutCase {
  var name: String
  var policy: any LayoutPolicy

  static let counts = [25, 100]

  /// Every layout of the catalogue, and one of each kind of layout file.
  static func listed() throws(LayoutError) -> [LayoutCase] {
    var cases: [LayoutCase] = []
    for layout in LayoutCatalog.layouts {
      cases.append(LayoutCase(name: layout.name, policy: try LayoutCatalog.policy(layout.name)))
    }
    let regions = try LayoutFile.policy(#"{ "all": { "video_sources": ["person-*"] } }"#)
    let stylesheet = try LayoutFile.policy(
      """
      stream { float: left; width: 10%; height: 10%; object-fit: cover }
      stream.speaker, stream:first-child { width: 20%; border: 2px solid #fff }
      stream:nth-last-child(2) ~ stream { margin: 4px }
      """)
    return cases + [
      LayoutCase(name: "regions", policy: regions),
      LayoutCase(name: "stylesheet", policy: stylesheet),
    ]
  }
}

/// Places people by a policy again and again, the shapes of a quarter of them changing.
struct LayoutBench {
  private let policy: any LayoutPolicy
  private let contexts: [LayoutContext]
  private var engine: LayoutEngine
  private var next = 0

  init(_ item: LayoutCase, count: Int) throws(LayoutError) {
    policy = item.policy
    let ratios = [16.0 / 9.0, 4.0 / 3.0, 9.0 / 16.0]
    let canvas = Size(width: 1920, height: 1080)
    contexts = ratios.map { first in
      let shapes = [first] + ratios
      let people = (0..<count).map { Self.person($0, aspectRatio: shapes[$0 % shapes.count]) }
      return LayoutContext(canvas: canvas, gap: 6, items: people)
    }
    engine = try LayoutEngine(policy: policy, canvas: canvas, gap: 6, maximumTiles: count)
    for _ in ratios { place() }
  }

  private static func person(_ index: Int, aspectRatio: Double) -> LayoutItem {
    LayoutItem(
      id: index, sources: ["person-\(index)"], classes: index % 7 == 0 ? ["speaker"] : [],
      aspectRatio: aspectRatio, isLocal: index == 0, isFocused: index == 1,
      lastSpoke: index % 5 == 0 ? MediaTime(seconds: index) : nil)
  }

  /// Prepares the policy and asks what is seen.
  mutating func prepare() {
    next = (next + 1) % contexts.count
    let context = contexts[next]
    let arrangement = policy.prepare(context)
    let offset = policy.targetContentOffset(forProposed: .zero, of: arrangement, in: context)
    let seen = policy.attributes(
      in: context.canvas.bounds.translated(by: offset), of: arrangement)
    precondition(!seen.isEmpty)
  }

  /// Lets an engine do the same, from the people present to what is drawn.
  mutating func place() {
    next = (next + 1) % contexts.count
    engine.place(contexts[next].items)
  }
}
