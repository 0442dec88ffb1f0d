package import TesseraTimeline

/// The speech of an output's participants, as files of speaker turns store it.
///
/// Participants are named by labels of which no two are alike. Times count from the output's beginning.
package struct SpeakerRecord: Hashable, Sendable {
  /// A stretch of time that belongs to one participant.
  package struct Stretch: Hashable, Sendable {
    /// The participant's label.
    package var person: String
    /// The first time of the stretch, and the first one after it.
    package var start, end: MediaTime
    /// The word that is said; empty for speech and turns.
    package var text = ""

    /// The stretch of `person` in `interval`, in which `text` is said.
    package init(_ person: String, _ interval: TimeRange, _ text: String = "") {
      (self.person, self.text) = (person, text)
      (start, end) = (interval.start, interval.end)
    }
  }

  /// The media file that the times refer to, as ELAN's files name it.
  package struct Media: Hashable, Sendable {
    /// The absolute address. ELAN expects paths that are not percent-encoded.
    var url: String
    /// The path from the folder of the file of turns; `nil` if no relative path leads there.
    var relative: String?
    /// The media type, such as `video/mp4`.
    var type: String

    /// The medium at `place`, as a file at `origin` refers to it. Both are absolute paths or addresses.
    package init(_ place: String, type: String, from origin: String) {
      self.type = type
      url = place.isAbsolutePath ? "file://" + place : place
      let (target, base) = (place.pathParts, origin.folderPath.pathParts)
      let shared = zip(target, base).prefix { $0 == $1 }.count
      // Two addresses have to share the scheme and the host.
      guard place.isAbsolutePath == origin.isAbsolutePath, place.isAbsolutePath || shared > 1 else {
        return
      }
      let steps =
        base.dropFirst(shared).map { _ in ".." } + target.dropFirst(shared).map(String.init)
      relative = (steps.first == ".." ? "" : "./") + steps.joined(separator: "/")
    }
  }

  /// The name of the recording: RTTM's file identifier.
  package var name: String
  /// The output's duration.
  package var duration: MediaTime
  /// The turns of the active speaker, by the names that hold at their beginnings, for WebVTT.
  package var turns = Transcript()
  /// The same turns by label.
  package var floor: [Stretch] = []
  /// Each participant's own speech, which may overlap that of others.
  package var speech: [Stretch] = []
  /// The words of each participant; where word times are unknown, whole lines. Empty without a transcript.
  package var words: [Stretch] = []
  /// The media file; `nil` if no file is made.
  package var media: Media?

  /// A record without speech.
  package init(name: String, duration: MediaTime) { (self.name, self.duration) = (name, duration) }
}

extension SpeakerRecord {
  /// A row of annotations on one timeline, as Praat and ELAN have them.
  struct Tier {
    var name: String
    /// The participant's label; empty for the floor.
    var participant: String
    /// Intervals in the order of time, without overlaps, each 1 ms or longer.
    var intervals: [(start: MediaTime, end: MediaTime, text: String)] = []

    mutating func append(_ stretch: Stretch, _ text: String) {
      let start = max(stretch.start, intervals.last?.end ?? .zero)
      guard stretch.end - start >= MediaTime(nanoseconds: 1_000_000) else { return }
      intervals.append((start, stretch.end, text))
    }
  }

  /// Tiers of speech by participant, `floor`, and tiers of words by participant, no two of one name.
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
    func tiers(_ stretches: [Stretch], _ name: (String) -> String) -> [Tier] {
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

  /// Speech and floor as rows of a table, in the order of time.
  var rows: [(Stretch, String)] {
    (speech.map { ($0, "speech") } + floor.map { ($0, "floor") }).sorted {
      ($0.0.start, $0.1, $0.0.person) < ($1.0.start, $1.1, $1.0.person)
    }
  }
}
