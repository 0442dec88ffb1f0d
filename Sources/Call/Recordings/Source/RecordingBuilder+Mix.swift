import TesseraDocuments

extension RecordingBuilder {
  /// Why mixes are left out.
  static let isMix = "everyone is mixed in there already."

  /// The participant that stands for everybody.
  mutating func mix() -> Participant.ID { person(Participant.mixID, name: Participant.mixName) }

  /// Adds what shows everyone together as one participant, where `others`, which are not mixed, have
  /// no pictures and `mixes` have some, or where there are no others: of several views the plainest,
  /// of several takes all, one after the other. All else is left out.
  ///
  /// - Returns: whether it was added.
  mutating func addMix(
    of mixes: [String], replacing others: [String]
  ) throws(DocumentError) -> Bool {
    let videos = mixes.filter { MediaNames.kind($0) == .video }
    guard others.isEmpty || !videos.isEmpty && others.allSatisfy({ MediaNames.kind($0) == .audio })
    else { return false }
    let takes = Dictionary(grouping: videos.isEmpty ? mixes : videos) {
      ZoomLocal.take(MediaNames.stem($0)) ?? 0
    }
    let best = takes.sorted { $0.key < $1.key }.compactMap { take in
      take.value.min { ($0.count, $0) < ($1.count, $1) }
    }
    guard let first = best.first else { return false }
    let id = mix()
    for (number, path) in best.enumerated() {
      var track = Track(id: MediaNames.stem(path), file: path)
      if number > 0 { track.follow(lastTrackID) }
      try add(track, to: id, at: DocumentError(file: path, reason: ""))
    }
    noteComposite(first, takes: best.count)
    for path in mixes where !best.contains(path) { leaveOut(path, Self.isMix) }
    for path in others { leaveOut(path, Self.isHeardInMix) }
    return true
  }

  /// Why somebody's own sound is left out where a mix is rendered.
  static let isHeardInMix =
    "it has no pictures, and is heard in the mix; take the mix away to have it in its place."

  /// Says that there is nothing to see but a mix of everyone, which may have several takes.
  mutating func noteComposite(_ path: String, takes: Int = 1) {
    let more = takes > 1 ? " with \(takes - 1) more after it, one after the other" : ""
    note(
      "\(path) shows everyone together, mixed already: it is rendered as one recording\(more). For a "
        + "tile each, let the recorder write a separate file for each participant.")
  }
}
