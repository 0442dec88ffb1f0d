public import TesseraTimeline

/// A change at one moment of a call.
public struct CallEvent: Hashable, Sendable, Codable {
  /// The time on the timeline.
  public var time: MediaTime
  public var change: Change

  /// Creates the event that `change` happens at `time`.
  public init(_ time: MediaTime, _ change: Change) {
    self.time = time
    self.change = change
  }

  /// The kinds of changes in a call.
  public enum Change: Hashable, Sendable, Codable {
    /// A participant joins, with or without a recording.
    case joined(Participant.ID)
    /// A participant leaves.
    case left(Participant.ID)
    /// A participant's camera, microphone or screen is switched on.
    case enabled(Participant.ID, TrackKind)
    /// A participant's camera, microphone or screen is switched off. Its recording is not shown
    /// meanwhile.
    case disabled(Participant.ID, TrackKind)
    /// A participant's displayed name changes.
    case renamed(Participant.ID, to: String)
    /// A participant is pinned before the others; `nil` unpins.
    case pinned(Participant.ID?)
    /// A participant gets the large tile; `nil` leaves the choice to the layout.
    case focused(Participant.ID?)
    /// A participant becomes the active speaker; `nil` if nobody speaks.
    case speaking(Participant.ID?)
    /// The layout changes.
    case layout(RequestedLayout)
    /// The classes of a track are replaced by these.
    case classes(Track.ID, [String])
  }
}

extension CallEvent.Change {
  /// The participant that the change concerns; `nil` for changes of layouts and classes.
  public var participant: Participant.ID? {
    switch self {
    case .joined(let id), .left(let id), .enabled(let id, _), .disabled(let id, _),
      .renamed(let id, _):
      id
    case .pinned(let id), .focused(let id), .speaking(let id): id
    case .layout, .classes: nil
    }
  }

  /// Returns the change with participant `id` instead of its own.
  func about(_ id: Participant.ID) -> CallEvent.Change {
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

/// Text or an image that is drawn over the tiles for a while.
public struct Overlay: Hashable, Sendable, Codable {
  /// The time on the timeline at which the overlay appears.
  public var start: MediaTime
  /// The time at which the overlay disappears, after ``start``; `nil` for the end of the recording.
  public var end: MediaTime?
  public var content: Content
  public var place: Position

  /// The text or image of an overlay.
  public enum Content: Hashable, Sendable, Codable {
    case text(String)
    /// An image, by its path.
    case image(String)
  }

  /// The position of an overlay on the canvas.
  public enum Position: String, Hashable, Sendable, Codable, CaseIterable {
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

  /// Creates an overlay of `content` at `place`, from `start` to `end`.
  public init(
    from start: MediaTime = .zero, to end: MediaTime? = nil, _ content: Content,
    at place: Position = .bottom
  ) {
    self.start = start
    self.end = end
    self.content = content
    self.place = place
  }
}
