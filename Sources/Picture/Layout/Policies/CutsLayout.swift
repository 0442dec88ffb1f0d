/// Full-frame shots with hard cuts, as a director would choose them: the active speaker, a pair in
/// dialog, everybody, a shared screen.
///
/// The shots are planned with knowledge of the whole call, by their ``Costs``. Each shot is a
/// ``ShotLayout``.
package struct CutsLayout: LayoutPolicy, Hashable {
  /// The costs of one second of each kind of shot and of a cut, and the limits of shot lengths in
  /// seconds. ``init(options:)`` documents each under the option of its name.
  package struct Costs: Hashable, Sendable {
    package var (wrong, two, all) = (25.0, 4.0, 8.0)
    package var (aside, screen, still) = (10.0, 2.0, 12.0)
    package var (card, listener) = (5.0, 2.0)
    package var (cut, word, long) = (6.0, 3.0, 1.0)
    package var (longest, shortest) = (20.0, 2.5)

    package init() {}
  }

  /// The costs by which shots are chosen.
  package var costs = Costs()

  /// Creates the layout with the default costs.
  package init() {}

  init(options: inout LayoutOptionParser) throws(LayoutError) {
    let cost = 0.0...1000
    let rows: [(String, WritableKeyPath<Costs, Double>, ClosedRange<Double>, String)] = [
      ("wrong", \.wrong, cost, "each second of a silent participant while another one speaks"),
      ("two", \.two, cost, "each second of two participants in a dialog"),
      (
        "all", \.all, cost,
        "each second of all participants; in the first 4 s, and while several speak for more than 2 s "
          + "or three laugh, each second of a single participant instead"
      ),
      (
        "aside", \.aside, cost,
        "each second of participants alone while a shared screen has changed in the last 5 s"
      ),
      ("screen", \.screen, cost, "each second of such a screen without its speaker"),
      ("still", \.still, cost, "each second of a screen that has not changed"),
      (
        "card", \.card, cost,
        "an additional cost for each second of a participant without a picture"
      ),
      (
        "listener", \.listener, cost,
        "a discount for each second of the previous speaker, 8 s into a monologue and every 20 s"
      ), ("cut", \.cut, cost, "each cut, except at a splice"),
      ("word", \.word, cost, "an additional cost for a cut within a word whose time is known"),
      ("long", \.long, cost, "each second of a shot beyond `longest`"),
      ("longest", \.longest, 2...600, "the length in seconds from which a shot is long"),
      ("shortest", \.shortest, 0.5...30, "the minimum length of a shot in seconds"),
    ]
    for (name, path, range, meaning) in rows {
      costs[keyPath: path] = try options.number(
        name, in: range, else: costs[keyPath: path], meaning)
    }
  }

  package var followsSpeaker: Bool { true }
  package var overflow: OverflowRule { .everyone }

  /// Shows the active speaker alone, for use without planned shots.
  package func prepare(_ context: LayoutContext) -> LayoutArrangement {
    let large = context.largeIndex(followsSpeaker: true).map { context.items[$0].id }
    return ShotLayout(shot: large.map { .one($0) } ?? .everybody).prepare(context)
  }
}

/// The picture between two cuts.
package enum DirectorShot: Hashable, Sendable {
  /// One item alone.
  case one(LayoutItem.ID)
  /// Two people side by side.
  case two(LayoutItem.ID, LayoutItem.ID)
  /// Everybody, in a grid.
  case everybody
  /// A shared screen, with the active speaker in a corner.
  case screenWithSpeaker(LayoutItem.ID)
}

/// The layout of one shot of ``CutsLayout``.
package struct ShotLayout: LayoutPolicy, Hashable {
  package var shot: DirectorShot

  /// The height of the corner tile as a fraction of the canvas's shorter side; ``margin`` is its
  /// distance to the edges as a fraction of the canvas's height.
  private static let corner = 0.22
  private static let margin = 0.03

  package init(shot: DirectorShot) { self.shot = shot }

  package var followsSpeaker: Bool { true }
  package var overflow: OverflowRule { .everyone }

  package func prepare(_ context: LayoutContext) -> LayoutArrangement {
    func item(_ id: LayoutItem.ID) -> LayoutItem? { context.items.first { $0.id == id } }
    let canvas = context.canvas
    var attributes: [LayoutAttributes] = []
    switch shot {
    case .one(let id):
      if let item = item(id) {
        attributes = [LayoutAttributes(item, frame: canvas.bounds, traits: .large)]
      }
    case .two(let first, let second):
      let found = [first, second].compactMap(item)
      guard found.count == 2 else {
        return Self.alone(found.first, context)
      }
      let isTall = canvas.height > canvas.width
      for (number, item) in found.enumerated() {
        let half =
          isTall
          ? Rect(
            x: 0, y: canvas.height / 2 * Double(number), width: canvas.width,
            height: canvas.height / 2)
          : Rect(
            x: canvas.width / 2 * Double(number), y: 0, width: canvas.width / 2,
            height: canvas.height)
        attributes.append(LayoutAttributes(item, frame: half, fit: .cover))
      }
    case .everybody:
      return GridLayout().prepare(context)
    case .screenWithSpeaker(let id):
      guard let screen = item(id) else { return GridLayout().prepare(context) }
      attributes = [LayoutAttributes(screen, frame: canvas.bounds, traits: .large)]
      // A speaker without a picture gets a card: another participant's picture would mislead.
      let speaker = context.lastSpeaker { context.items[$0].kind == .camera }
      if let speaker {
        // Upright pictures are cropped to their middle.
        let shape = min(16.0 / 9, max(1, context.items[speaker].plannedAspectRatio))
        let height = min(canvas.width, canvas.height) * Self.corner
        let size = Size(width: height * shape, height: height)
        attributes.append(
          LayoutAttributes(
            context.items[speaker],
            frame: CanvasCorner.bottomRight.place(
              size, in: canvas, marginX: canvas.height * Self.margin,
              marginY: canvas.height * Self.margin), zIndex: 1, fit: .cover))
      }
    }
    return attributes.isEmpty
      ? GridLayout().prepare(context)
      : LayoutArrangement(contentSize: canvas, attributes: attributes)
  }

  private static func alone(_ item: LayoutItem?, _ context: LayoutContext) -> LayoutArrangement {
    guard let item else { return GridLayout().prepare(context) }
    return LayoutArrangement(
      contentSize: context.canvas,
      attributes: [LayoutAttributes(item, frame: context.canvas.bounds, traits: .large)])
  }
}
