import TesseraCodecs
import TesseraPlan
import TesseraRecordings
import TesseraTimeline

/// The recording's events in frames, by whom they are about.
struct CallEvents {
  private let frameRate: FrameRate
  private let frameCount: Int
  private let events: [Event]

  /// The events of `recording` on a timeline of `frameCount` frames.
  init(_ recording: Recording, frameRate: FrameRate, frameCount: Int) {
    (self.frameRate, self.frameCount) = (frameRate, frameCount)
    events = recording.events.sorted { $0.time < $1.time }
  }

  /// The first frame that shows what happens at `time`.
  func frame(at time: MediaTime) -> Int {
    max(0, min(frameCount, frameRate.firstFrame(showing: time)))
  }

  /// When the participant was there, as far as the recorder says so; nil where it does not.
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

  /// When something of the participant was off.
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

  /// What the participant is called from when on, after the first name.
  func names(of id: Participant.ID) -> [(frame: Int, name: String)] {
    events.compactMap { event in
      if case .renamed(id, let name) = event.change { (frame(at: event.time), name) } else { nil }
    }
  }

  /// Changes of the large person: the one asked for, or pinned.
  var focus: [(frame: Int, id: Participant.ID?)] {
    events.compactMap { event in
      switch event.change {
      case .focused(let id), .pinned(let id): (frame(at: event.time), id)
      default: nil
      }
    }
  }

  /// Changes of the active speaker, as the recorder says.
  var speakers: [(time: MediaTime, id: Participant.ID?)] {
    events.compactMap { event in
      if case .speaking(let id) = event.change { (event.time, id) } else { nil }
    }
  }

  /// The layouts from when on.
  var layouts: [(frame: Int, layout: LayoutChoice)] {
    events.compactMap { event in
      if case .layout(let layout) = event.change { (frame(at: event.time), layout) } else { nil }
    }
  }

  /// The classes of a track from when on.
  var classes: [(frame: Int, track: Track.ID, classes: [String])] {
    events.compactMap { event in
      if case .classes(let track, let classes) = event.change {
        (frame(at: event.time), track, classes)
      } else {
        nil
      }
    }
  }

  /// Where the last event lies.
  var end: MediaTime { events.last?.time ?? .zero }
}
