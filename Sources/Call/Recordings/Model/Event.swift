public import TesseraTimeline

/// Something that changes in a call.
public struct Event: Hashable, Sendable, Codable {
  /// When, on the timeline.
  public var time: MediaTime
  /// What.
  public var change: Change

  /// The change `change` at `time`.
  public init(_ time: MediaTime, _ change: Change) {
    self.time = time
    self.change = change
  }

  /// What can change.
  public enum Change: Hashable, Sendable, Codable {
    /// Somebody comes, with or without a recording.
    case joined(Participant.ID)
    /// Somebody goes.
    case left(Participant.ID)
    /// Somebody's camera, microphone or screen goes on.
    case enabled(Participant.ID, TrackKind)
    /// Somebody's camera, microphone or screen goes off: what its recording holds is not shown.
    case disabled(Participant.ID, TrackKind)
    /// Somebody is called something else from now on.
    case renamed(Participant.ID, to: String)
    /// Somebody is pinned before the others, or nobody is.
    case pinned(Participant.ID?)
    /// Somebody is large; nil leaves it to the layout.
    case focused(Participant.ID?)
    /// Somebody speaks; nil is nobody.
    case speaking(Participant.ID?)
    /// The layout is another one.
    case layout(LayoutChoice)
    /// A track's classes are these.
    case classes(Track.ID, [String])
  }
}

extension Event.Change {
  /// The participant whom it is about.
  public var participant: Participant.ID? {
    switch self {
    case .joined(let id), .left(let id), .enabled(let id, _), .disabled(let id, _),
      .renamed(let id, _):
      id
    case .pinned(let id), .focused(let id), .speaking(let id): id
    case .layout, .classes: nil
    }
  }

  /// The same change of another participant.
  func about(_ id: Participant.ID) -> Event.Change {
    switch self {
    case .joined: .joined(id)
    case .left: .left(id)
    case .enabled(_, let kind): .enabled(id, kind)
    case .disabled(_, let kind): .disabled(id, kind)
    case .renamed(_, let name): .renamed(id, to: name)
    case .pinned: .pinned(id)
    case .focused: .focused(id)
    case .speaking: .speaking(id)
    case .layout, .classes: self
    }
  }
}

/// Text or an image that lies over the tiles for a while.
public struct Overlay: Hashable, Sendable, Codable {
  /// When it is there; nil as end is the end of the recording.
  public var start: MediaTime
  /// When it goes; after ``start``. Nil is the end of the recording.
  public var end: MediaTime?
  /// What it shows.
  public var content: Content
  /// Where it is.
  public var place: Place

  /// What an overlay shows.
  public enum Content: Hashable, Sendable, Codable {
    /// Letters.
    case text(String)
    /// The path of an image.
    case image(String)
  }

  /// Where on the canvas it is.
  public enum Place: String, Hashable, Sendable, Codable, CaseIterable {
    case topLeft = "top-left"
    case top
    case topRight = "top-right"
    case left
    case center
    case right
    case bottomLeft = "bottom-left"
    case bottom
    case bottomRight = "bottom-right"
  }

  /// The overlay `content` at `place`.
  public init(
    from start: MediaTime = .zero, to end: MediaTime? = nil, _ content: Content,
    at place: Place = .bottom
  ) {
    self.start = start
    self.end = end
    self.content = content
    self.place = place
  }
}
