package import TesseraTimeline

/// The speech of an output's participants, as files of speaker turns store it.
///
/// Participants are identified by unique labels. Times count from the output's beginning.
package struct Diarization: Hashable, Sendable {
  /// A time range of one participant.
  package struct SpeakerSegment: Hashable, Sendable {
    /// The participant's label.
    package var person: String
    /// The half-open time range.
    package var start, end: MediaTime
    /// The spoken word; empty for speech and turns.
    package var text = ""

    /// Creates a range of `person` in `interval`, in which `text` is spoken.
    package init(_ person: String, _ interval: TimeRange, _ text: String = "") {
      (self.person, self.text) = (person, text)
      (start, end) = (interval.start, interval.end)
    }
  }

  /// A reference to the media file to which the times apply, as ELAN files contain it.
  package struct MediaReference: Hashable, Sendable {
    /// The absolute URL. ELAN expects paths without percent-encoding.
    var url: String
    /// The path relative to the folder of the turns file; `nil` if no relative path exists.
    var relative: String?
    /// The MIME type, such as `video/mp4`.
    var type: String

    /// Creates a reference to the medium at `place` from a file at `origin`. Both are absolute
    /// paths or URLs.
    package init(_ place: String, type: String, from origin: String) {
      self.type = type
      url = place.isAbsolutePath ? "file://" + place : place
      let (target, base) = (place.pathParts, origin.folderPath.pathParts)
      let shared = zip(target, base).prefix { $0 == $1 }.count
      // Two URLs need the same scheme and host.
      guard place.isAbsolutePath == origin.isAbsolutePath, place.isAbsolutePath || shared > 1 else {
        return
      }
      let steps =
        base.dropFirst(shared).map { _ in ".." } + target.dropFirst(shared).map(String.init)
      relative = (steps.first == ".." ? "" : "./") + steps.joined(separator: "/")
    }
  }

  /// The name of the recording, used as RTTM's file identifier.
  package var name: String
  /// The output's duration.
  package var duration: MediaTime
  /// The turns of the active speaker, with the names displayed at their starts, for WebVTT.
  package var turns = Transcript()
  /// The turns of the active speaker, by label.
  package var floor: [SpeakerSegment] = []
  /// The speech of each participant; ranges of different participants may overlap.
  package var speech: [SpeakerSegment] = []
  /// The words of each participant, or whole lines if word times are unknown. Empty without a
  /// transcript.
  package var words: [SpeakerSegment] = []
  /// The media file; `nil` if none is written.
  package var media: MediaReference?

  /// Creates a record without speech.
  package init(name: String, duration: MediaTime) { (self.name, self.duration) = (name, duration) }
}

extension Diarization {
  /// A row of annotations on a timeline: a tier in Praat and ELAN.
  struct Tier {
    var name: String
    /// The participant's label; empty for the active speaker's tier.
    var participant: String
    /// The annotated ranges in order of time, without overlaps, each at least 1 ms long.
    var intervals: [(start: MediaTime, end: MediaTime, text: String)] = []

    mutating func append(_ stretch: SpeakerSegment, _ text: String) {
      let start = max(stretch.start, intervals.last?.end ?? .zero)
      guard stretch.end - start >= MediaTime(nanoseconds: 1_000_000) else { return }
      intervals.append((start, stretch.end, text))
    }
  }

  /// The tiers: speech by participant, `floor` (the active speaker), and words by participant.
  ///
  /// Names are unique.
  var tiers: [Tier] {
    var taken: Set = ["floor"]
    func tier(_ name: String, of person: String) -> Tier {
      var (unique, number) = (name, 1)
      while !taken.insert(unique).inserted {
        number += 1
        unique = "\(name) \(number)"
      }
      return Tier(name: unique, participant: person)
    }
    func tiers(_ stretches: [SpeakerSegment], _ name: (String) -> String) -> [Tier] {
      var (tiers, numbers) = ([Tier](), [String: Int]())
      for stretch in stretches.sorted(by: { $0.start < $1.start }) {
        let index = numbers[stretch.person] ?? tiers.count
        if index == tiers.count { tiers.append(tier(name(stretch.person), of: stretch.person)) }
        numbers[stretch.person] = index
        tiers[index].append(stretch, stretch.text.isEmpty ? stretch.person : stretch.text)
      }
      return tiers
    }
    var floor = Tier(name: "floor", participant: "")
    for turn in self.floor { floor.append(turn, turn.person) }
    return tiers(speech) { $0 } + [floor] + tiers(words) { "\($0) words" }
  }

  /// Speech and active-speaker turns as table rows, in order of time, with their kind.
  var rows: [(SpeakerSegment, String)] {
    (speech.map { ($0, "speech") } + floor.map { ($0, "floor") }).sorted {
      ($0.0.start, $0.1, $0.0.person) < ($1.0.start, $1.1, $1.0.person)
    }
  }
}
