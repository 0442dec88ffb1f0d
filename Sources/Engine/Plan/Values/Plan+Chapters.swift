import TesseraCodecs
package import TesseraTimeline

extension Chapter {
  /// Largest number of chapters in a file.
  fileprivate static let most = 255
  /// A participant who leaves this shortly before the end is assumed to stay to the end.
  fileprivate static let farewell = MediaTime(seconds: 2)
  /// Events within this time after a chapter's start belong to the chapter.
  fileprivate static let length = MediaTime(seconds: 10)
}

/// The events of a call at one frame, from which chapter titles and timeline marks are made.
package struct ChapterEvents: Hashable, Sendable {
  /// Phrases about screen shares and layout changes.
  package var scenes: [String] = []
  /// Names of participants who join.
  package var joining: [String] = []
  /// Names of participants who leave.
  package var leaving: [String] = []

  /// All events as phrases, the most important first. Several participants share a phrase.
  package var phrases: [String] {
    func phrase(_ people: [String], _ one: String, _ many: String) -> [String] {
      people.isEmpty ? [] : ["\(people.listed(most: 3)) \(people.count == 1 ? one : many)"]
    }
    return scenes + phrase(joining, "joins", "join") + phrase(leaving, "leaves", "leave")
  }

  /// The chapter title: up to two phrases about screen shares, otherwise about participants who
  /// come and go. Layout changes are left out, because they say nothing about the call.
  fileprivate var title: String {
    let shared = scenes.filter { $0 != Self.anotherLayout }
    let begun = shared.filter { phrase in
      guard phrase.hasSuffix(Self.stops) else { return true }
      return !shared.contains(String(phrase.dropLast(Self.stops.count)) + Self.shares)
    }
    let people = ChapterEvents(joining: joining, leaving: leaving).phrases
    return Array((begun.isEmpty ? people : begun).prefix(2)).listed(most: 2)
  }

  fileprivate static let (shares, stops) = (" shares a screen", " stops sharing")
  fileprivate static let anotherLayout = "the layout changes"

  /// Adds the events of a later frame, without duplicates.
  package mutating func add(_ other: ChapterEvents) {
    func add(_ names: [String], to all: inout [String]) {
      all += names.filter { !all.contains($0) }
    }
    add(other.scenes, to: &scenes)
    add(other.joining, to: &joining)
    add(other.leaving, to: &leaving)
  }
}

extension Plan {
  /// The events of the call by frame: participants join and leave, screens are shared, the layout
  /// changes.
  package var marks: [Int: ChapterEvents] {
    var marks: [Int: ChapterEvents] = [:]
    for slot in slots {
      guard let id = slot.participant else { continue }
      let name = participants.first { $0.id == id }?.name ?? id.rawValue
      for range in slot.presence {
        if slot.kind == .screen {
          marks[range.lowerBound, default: ChapterEvents()].scenes.append(
            name + ChapterEvents.shares)
          marks[range.upperBound, default: ChapterEvents()].scenes.append(
            name + ChapterEvents.stops)
        } else {
          marks[range.lowerBound, default: ChapterEvents()].joining.append(name)
          marks[range.upperBound, default: ChapterEvents()].leaving.append(name)
        }
      }
    }
    for frame in layoutFrames {
      marks[frame, default: ChapterEvents()].scenes.append(ChapterEvents.anotherLayout)
    }
    return marks
  }

  /// The events by frame of the output, sorted. Events in a removed part move to its splice.
  private var marksInOutput: [(frame: Int, sources: ChapterEvents)] {
    var (kept, lost) = ([Int: ChapterEvents](), [Int: ChapterEvents]())
    for (frame, sources) in marks.sorted(by: { $0.key < $1.key }) {
      let place = cut.output(from: frame)
      if cut.output(of: frame) != nil { kept[place] = sources } else { lost[place] = sources }
    }
    for (place, sources) in lost {
      var all = sources
      if let own = kept[place] { all.add(own) }
      kept[place] = all
    }
    return kept.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The times of the call at which participants speak: the transcript's lines and the detected
  /// speech, or the turns if no speech was detected.
  package var spoken: [TimeRange] {
    let speech = participants.flatMap(\.speech)
    return lines.map(\.interval) + (speech.isEmpty ? turns.map(\.interval) : speech)
  }

  /// Returns the chapters of the output. `heard` adds times of speech to ``spoken``.
  ///
  /// A chapter begins at the start and at each event. Events within ``Chapter/length`` after its
  /// start belong to the chapter and its title. A shared screen begins a chapter of its own, unless
  /// such a chapter has just begun. Leaving at the very end is ignored, and so are joining before
  /// the first word and leaving after the last word.
  package func chapters(spoken heard: [TimeRange] = []) -> [Chapter] {
    let rate = output.video.frameRate
    let length = rate.firstFrame(showing: Chapter.length)
    // A screen share that is active at the start names the first chapter.
    var shared = ChapterEvents()
    let first = marksInOutput.first { $0.frame == 0 }?.sources.scenes ?? []
    shared.scenes = first.filter { phrase in
      phrase.hasSuffix(ChapterEvents.shares)
        && !first.contains(
          String(phrase.dropLast(ChapterEvents.shares.count)) + ChapterEvents.stops)
    }
    var chapters = [(frame: 0, sources: shared)]
    let end = cut.count - rate.firstFrame(showing: Chapter.farewell)
    let words = (spoken + heard).map(rate.frames).merged
      .map { cut.output(of: $0) }.filter { !$0.isEmpty }
    for (frame, whole) in marksInOutput where frame > 0 && frame < cut.count {
      var sources = whole
      sources.scenes.removeAll { $0 == ChapterEvents.anotherLayout }
      if let first = words.first, frame < first.lowerBound { sources.joining = [] }
      if let last = words.last, frame >= last.upperBound { sources.leaving = [] }
      let last = chapters[chapters.count - 1]
      let goesOn = !last.sources.leaving.isEmpty && frame - last.frame < length
      if frame >= end, !goesOn { sources.leaving = [] }
      guard !sources.phrases.isEmpty else { continue }
      let isMain = !sources.scenes.isEmpty && last.sources.scenes.isEmpty
      if frame - last.frame < length && !isMain || chapters.count == Chapter.most {
        chapters[chapters.count - 1].sources.add(sources)
      } else {
        chapters.append((frame, sources))
      }
    }
    guard chapters.count > 1 || chapters[0].sources != shared else { return [] }
    return chapters.enumerated().map { index, chapter in
      let phrases = chapter.sources.title
      let start = phrases.isEmpty ? "Start" : "Start: \(phrases)"
      return Chapter(
        start: rate.time(ofFrame: chapter.frame),
        title: index == 0 ? start : phrases)
    }
  }
}
