import TesseraRecordings

/// Finds the participants whom a transcript names.
struct SpeakerNames {
  /// The participant that a speaker of a transcript is.
  struct Match: Equatable {
    var id: Participant.ID
    /// True if the transcript has only a part of the participant's name.
    var isGuessed: Bool
  }

  /// A participant's name as it is compared.
  private struct Name {
    let folded: String
    let words: Set<Substring>
    /// nil for participants that are left out of the rendition.
    let id: Participant.ID?

    init(_ name: String, _ id: Participant.ID?) {
      folded = TranscriptPlanner.folded(name)
      (words, self.id) = (SpeakerNames.words(folded), id)
    }
  }

  private let names: [String: [Name]]
  private let namesByWord: [Substring: [Name]]
  private let ids: [String: Participant.ID]

  /// The names that the participants of `recording` ever have in the call, and the folded names
  /// of participants that are left out of the rendition.
  init(_ recording: Recording, absent: Set<String>) {
    var names = recording.participants.map { Name($0.name, $0.id) }
    for event in recording.events {
      if case .renamed(let id, let name) = event.change { names.append(Name(name, id)) }
    }
    names += absent.map { Name($0, nil) }
    self.names = Dictionary(grouping: names, by: \.folded)
    namesByWord = names.reduce(into: [:]) { byWord, name in
      for word in name.words { byWord[word, default: []].append(name) }
    }
    ids = Dictionary(
      recording.participants.map { (TranscriptPlanner.folded($0.id), $0.id) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The participants that `speakers` are, who are all speakers of one transcript.
  ///
  /// A speaker with the whole name of one participant, or its identifier, is that participant. A
  /// speaker with some words of it is, where no other participant and no other speaker fits.
  func matches(_ speakers: Set<String>) -> [String: Match] {
    var matches: [String: Match] = [:]
    var guesses: [Participant.ID: [String]] = [:]
    for speaker in speakers {
      let folded = TranscriptPlanner.folded(speaker)
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

  /// True if `speaker` may be a participant that is left out of the rendition.
  func mayBeAbsent(_ speaker: String) -> Bool {
    let folded = TranscriptPlanner.folded(speaker)
    return ((names[folded] ?? []) + fitting(folded)).contains { $0.id == nil }
  }

  /// The names that have all words of `folded`.
  private func fitting(_ folded: String) -> [Name] {
    let words = Self.words(folded)
    // A number or an initial is no name.
    guard let word = words.first(where: { $0.count > 1 && $0.contains(where: \.isLetter) })
    else { return [] }
    return (namesByWord[word] ?? []).filter { words.isSubset(of: $0.words) }
  }

  private static func words(_ folded: String) -> Set<Substring> {
    Set(folded.split { !$0.isLetter && !$0.isNumber })
  }
}
