import TesseraPlan
import TesseraRecordings
import TesseraTimeline

/// The recording's events converted to frames, grouped by their subject.
struct FrameIndexedEvents {
  private let frameRate: FrameRate
  private let frameCount: Int
  private let events: [CallEvent]

  /// Creates the events of `recording` on a timeline of `frameCount` frames.
  init(_ recording: Recording, frameRate: FrameRate, frameCount: Int) {
    (self.frameRate, self.frameCount) = (frameRate, frameCount)
    events = recording.events.sorted { $0.time < $1.time }
  }

  /// Returns the first frame that shows the time, clamped to `0...frameCount`.
  func frame(at time: MediaTime) -> Int {
    max(0, min(frameCount, frameRate.firstFrame(showing: time)))
  }

  /// Returns the frames in which the participant was present, or `nil` if the recorder did not
  /// report this.
  func presence(of id: Participant.ID) -> [Range<Int>]? {
    var (ranges, since, isKnown) = ([Range<Int>](), Int?.none, false)
    for event in events {
      switch event.change {
      case .joined(id):
        isKnown = true
        since = since ?? frame(at: event.time)
      case .left(id):
        ranges.append((since ?? (isKnown ? frame(at: event.time) : 0))..<frame(at: event.time))
        (since, isKnown) = (nil, true)
      default: break
      }
    }
    if let since { ranges.append(since..<frameCount) }
    return isKnown ? ranges.merged : nil
  }

  /// Returns the frames in which a track of these kinds was disabled for the participant.
  func off(_ id: Participant.ID, _ kinds: Set<TrackKind>) -> [Range<Int>] {
    var (ranges, since) = ([Range<Int>](), Int?.none)
    for event in events {
      switch event.change {
      case .disabled(id, let kind) where kinds.contains(kind):
        since = since ?? frame(at: event.time)
      case .enabled(id, let kind) where kinds.contains(kind):
        if let start = since { ranges.append(start..<max(start, frame(at: event.time))) }
        since = nil
      default: break
      }
    }
    if let since { ranges.append(since..<frameCount) }
    return ranges.merged
  }

  /// Returns the participant's name changes, each with the frame from which it applies.
  func names(of id: Participant.ID) -> [(frame: Int, name: String)] {
    events.compactMap { event in
      if case .renamed(id, let name) = event.change { (frame(at: event.time), name) } else { nil }
    }
  }

  /// The changes of the large participant: focused or pinned; `nil` for none.
  var focus: [(frame: Int, id: Participant.ID?)] {
    events.compactMap { event in
      switch event.change {
      case .focused(let id), .pinned(let id): (frame(at: event.time), id)
      default: nil
      }
    }
  }

  /// The changes of the active speaker reported by the recorder.
  var speakers: [(time: MediaTime, id: Participant.ID?)] {
    events.compactMap { event in
      if case .speaking(let id) = event.change { (event.time, id) } else { nil }
    }
  }

  /// The layout changes, each with the frame from which it applies.
  var layouts: [(frame: Int, layout: RequestedLayout)] {
    events.compactMap { event in
      if case .layout(let layout) = event.change { (frame(at: event.time), layout) } else { nil }
    }
  }

  /// The changes of tracks' classes, each with the frame from which it applies.
  var classes: [(frame: Int, track: Track.ID, classes: [String])] {
    events.compactMap { event in
      if case .classes(let track, let classes) = event.change {
        (frame(at: event.time), track, classes)
      } else {
        nil
      }
    }
  }
}
