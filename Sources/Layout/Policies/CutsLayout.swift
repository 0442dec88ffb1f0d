/// Full-frame shots with hard cuts, as a director would choose them: the active speaker, the two who
/// talk, everybody, a shared screen.
///
/// Which shot is shown when is planned with hindsight, by ``Costs``; each shot is a ``ShotLayout``.
package struct CutsLayout: LayoutPolicy, Hashable {
  /// The costs of a second of a shot, and of a cut.
  package struct Costs: Hashable, Sendable {
    /// Somebody who does not speak while another does.
    package var wrong = 25.0
    /// The two who talk.
    package var two = 4.0
    /// Everybody; nothing in crosstalk and at the beginning.
    package var all = 8.0
    /// A screen that has changed lately, without its speaker.
    package var screen = 2.0
    /// The active speaker, while such a screen is not seen.
    package var aside = 10.0
    /// A screen that has not changed lately.
    package var still = 12.0
    /// A person without a picture.
    package var card = 5.0
    /// A listener in a monologue, taken off.
    package var listener = 2.0
    /// A cut.
    package var cut = 6.0
    /// A cut within a word, besides.
    package var word = 3.0
    /// A second of a shot that lasts longer than ``longest``.
    package var long = 1.0
    /// The shortest shot, in seconds.
    package var shortest = 2.5
    /// The seconds after which a shot is long.
    package var longest = 20.0

    /// The usual costs.
    package init() {}
  }

  /// What the shots are chosen by.
  package var costs = Costs()

  /// The usual costs.
  package init() {}

  init(options: inout LayoutOptions) throws(LayoutError) {
    let names: [(String, WritableKeyPath<Costs, Double>, ClosedRange<Double>)] = [
      ("wrong", \.wrong, 0...1000), ("two", \.two, 0...1000), ("all", \.all, 0...1000),
      ("screen", \.screen, 0...1000), ("aside", \.aside, 0...1000), ("still", \.still, 0...1000),
      ("card", \.card, 0...1000), ("listener", \.listener, 0...1000), ("cut", \.cut, 0...1000),
      ("word", \.word, 0...1000), ("long", \.long, 0...1000), ("shortest", \.shortest, 0.5...30),
      ("longest", \.longest, 2...600),
    ]
    for (name, path, range) in names {
      costs[keyPath: path] = try options.number(name, in: range) ?? costs[keyPath: path]
    }
  }

  package var followsSpeaker: Bool { true }
  package var overflow: Overflow { .everyone }

  /// Where nobody directs, the active speaker alone.
  package func prepare(_ context: LayoutContext) -> Arrangement {
    let large = context.largeIndex(followsSpeaker: true).map { context.items[$0].id }
    return ShotLayout(shot: large.map { .one($0) } ?? .everybody).prepare(context)
  }
}

/// The picture between two cuts.
package enum Shot: Hashable, Sendable {
  /// One item alone.
  case one(LayoutItem.ID)
  /// Two people side by side.
  case two(LayoutItem.ID, LayoutItem.ID)
  /// Everybody, in a grid.
  case everybody
  /// A shared screen, and the active speaker in a corner.
  case screenWithSpeaker(LayoutItem.ID)
}

/// One shot of ``CutsLayout``.
package struct ShotLayout: LayoutPolicy, Hashable {
  package var shot: Shot

  /// The height of the corner's tile, and its distance to the edges, as a part of the canvas.
  private static let corner = 0.22
  private static let margin = 0.03

  /// The layout that shows `shot`.
  package init(shot: Shot) { self.shot = shot }

  package var followsSpeaker: Bool { true }
  package var overflow: Overflow { .everyone }

  package func prepare(_ context: LayoutContext) -> Arrangement {
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
      // Somebody without a picture has a card: another person's picture would deceive.
      let speaker = context.lastSpeaker { context.items[$0].kind == .camera }
      if let speaker {
        // Upright pictures keep their middle.
        let shape = min(16.0 / 9, max(1, context.items[speaker].plannedAspectRatio))
        let height = min(canvas.width, canvas.height) * Self.corner
        let size = Size(width: height * shape, height: height)
        attributes.append(
          LayoutAttributes(
            context.items[speaker],
            frame: Corner.bottomRight.place(
              size, in: canvas, marginX: canvas.height * Self.margin,
              marginY: canvas.height * Self.margin), zIndex: 1, fit: .cover))
      }
    }
    return attributes.isEmpty
      ? GridLayout().prepare(context) : Arrangement(contentSize: canvas, attributes: attributes)
  }

  private static func alone(_ item: LayoutItem?, _ context: LayoutContext) -> Arrangement {
    guard let item else { return GridLayout().prepare(context) }
    return Arrangement(
      contentSize: context.canvas,
      attributes: [LayoutAttributes(item, frame: context.canvas.bounds, traits: .large)])
  }
}
