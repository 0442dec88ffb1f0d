import TesseraRecordings

/// Matches speaker names in a transcript to participants.
struct SpeakerNameMatcher {
  /// The participant matched to a speaker of a transcript.
  struct Match: Equatable {
    var id: Participant.ID
    /// True if the transcript contains only a part of the participant's name.
    var isGuessed: Bool
  }

  /// A participant's name in folded form, for comparison.
  private struct FoldedName {
    let folded: String
    let words: Set<Substring>
    /// The participant; `nil` if the rendition leaves the participant out.
    let id: Participant.ID?

    init(_ name: String, _ id: Participant.ID?) {
      folded = TranscriptPlacer.folded(name)
      (words, self.id) = (SpeakerNameMatcher.words(folded), id)
    }
  }

  private let names: [String: [FoldedName]]
  private let namesByWord: [Substring: [FoldedName]]
  private let ids: [String: Participant.ID]

  /// Creates an index of all names that the participants of `recording` have during the call.
  /// `absent` contains folded names of participants that the rendition leaves out.
  init(_ recording: Recording, absent: Set<String>) {
    var names = recording.participants.map { FoldedName($0.name, $0.id) }
    for event in recording.events {
      if case .renamed(let id, let name) = event.change { names.append(FoldedName(name, id)) }
    }
    names += absent.map { FoldedName($0, nil) }
    self.names = Dictionary(grouping: names, by: \.folded)
    namesByWord = names.reduce(into: [:]) { byWord, name in
      for word in name.words { byWord[word, default: []].append(name) }
    }
    ids = Dictionary(
      recording.participants.map { (TranscriptPlacer.folded($0.id), $0.id) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the participants that match `speakers`, all speakers of one transcript.
  ///
  /// A speaker with a participant's full name or identifier matches that participant. A speaker
  /// with only some words of a name matches if no other participant and no other speaker fits.
  func matches(_ speakers: Set<String>) -> [String: Match] {
    var matches: [String: Match] = [:]
    var guesses: [Participant.ID: [String]] = [:]
    for speaker in speakers {
      let folded = TranscriptPlacer.folded(speaker)
      var same = Set((names[folded] ?? []).map(\.id))
      if let id = ids[folded] { same.insert(id) }
      let fitting = same.isEmpty ? Set(fitting(folded).map(\.id)) : same
      guard fitting.count == 1, case let id?? = fitting.first else { continue }
      if same.isEmpty {
        guesses[id, default: []].append(speaker)
      } else {
        matches[speaker] = Match(id: id, isGuessed: false)
      }
    }
    let taken = Set(matches.values.map(\.id))
    for (id, speakers) in guesses where speakers.count == 1 && !taken.contains(id) {
      matches[speakers[0]] = Match(id: id, isGuessed: true)
    }
    return matches
  }

  /// Returns true if `speaker` may be a participant that the rendition leaves out.
  func mayBeAbsent(_ speaker: String) -> Bool {
    let folded = TranscriptPlacer.folded(speaker)
    return ((names[folded] ?? []) + fitting(folded)).contains { $0.id == nil }
  }

  /// Returns the names that contain all words of `folded`.
  private func fitting(_ folded: String) -> [FoldedName] {
    let words = Self.words(folded)
    // A number or an initial alone does not identify a participant.
    guard let word = words.first(where: { $0.count > 1 && $0.contains(where: \.isLetter) })
    else { return [] }
    return (namesByWord[word] ?? []).filter { words.isSubset(of: $0.words) }
  }

  private static func words(_ folded: String) -> Set<Substring> {
    Set(folded.split { !$0.isLetter && !$0.isNumber })
  }
}
