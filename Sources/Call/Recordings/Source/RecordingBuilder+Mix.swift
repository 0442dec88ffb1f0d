import TesseraDocuments
import TesseraMessages

extension RecordingBuilder {
  /// The reason why a mix is left out.
  static let isMix: UserMessage = "everyone is mixed in there already."

  /// Returns the participant that represents everyone in a mix.
  mutating func mix() -> Participant.ID { person(Participant.mixID, name: Participant.mixName) }

  /// Renders mixes instead of separate files, if only mixes have pictures or nothing else exists.
  ///
  /// Of several views the one with the shortest name is used. Takes follow each other. All other
  /// files are left out.
  ///
  /// - Parameters:
  ///   - mixes: the paths of mixes of all participants.
  ///   - others: the paths of separate recordings.
  /// - Returns: true if a mix was added.
  /// - Throws: if the recording has too many tracks.
  mutating func addMix(
    of mixes: [String], replacing others: [String]
  ) throws(DocumentError) -> Bool {
    let videos = mixes.filter { FileNameClassifier.kind($0) == .video }
    guard
      others.isEmpty
        || !videos.isEmpty && others.allSatisfy({ FileNameClassifier.kind($0) == .audio })
    else { return false }
    let takes = Dictionary(grouping: videos.isEmpty ? mixes : videos) {
      ZoomLocalImporter.take(FileNameClassifier.stem($0)) ?? 0
    }
    let best = takes.sorted { $0.key < $1.key }.compactMap { take in
      take.value.min { ($0.count, $0) < ($1.count, $1) }
    }
    guard let first = best.first else { return false }
    let id = mix()
    for (number, path) in best.enumerated() {
      var track = Track(id: FileNameClassifier.stem(path), file: path)
      if number > 0 { track.follow(lastTrackID) }
      try add(track, to: id, at: DocumentError(file: path, reason: ""))
    }
    noteComposite(first, takes: best.count)
    for path in mixes where !best.contains(path) { leaveOut(path, Self.isMix) }
    for path in others { leaveOut(path, Self.isHeardInMix) }
    return true
  }

  /// The reason why a participant's own sound is left out while a mix is rendered.
  static let isHeardInMix: UserMessage =
    "it has no pictures, and is heard in the mix; remove the mix to use it instead."

  /// Adds a note that only a mix of everyone has pictures.
  mutating func noteComposite(_ path: String, takes: Int = 1) {
    let more = takes > 1 ? " with \(takes - 1) more after it, one after the other" : ""
    note(
      "\(file: path) already shows everyone together: it is rendered as one recording\(more). For a "
        + "tile each, let the recorder write a separate file for each participant.")
  }
}
