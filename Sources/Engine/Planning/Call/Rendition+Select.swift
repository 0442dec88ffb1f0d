import TesseraMessages
import TesseraPlan
import TesseraRecordings
import TesseraSystem

extension Rendition {
  /// Removes the participants that `only` and `excluded` leave out of `input`, with their tracks,
  /// events and transcripts.
  ///
  /// - Throws: ``RenderError`` if a name matches no participant or several, or if no participant
  ///   remains.
  func select(_ input: inout ImportedCall) throws(RenderError) {
    guard !only.isEmpty || !excluded.isEmpty else { return }
    let names = ParticipantNameResolver(input.recording, input)
    var wanted = Set(input.recording.participants.map(\.id))
    if !only.isEmpty {
      wanted = []
      for name in only { wanted.insert(try names.id(of: name, by: "\(option: "only")")) }
    }
    for name in excluded { wanted.remove(try names.id(of: name, by: "\(option: "exclude")")) }
    guard !wanted.isEmpty else {
      throw RenderError(
        .usage,
        "\(option: "only") and \(option: "exclude") leave no participant to render; name fewer participants."
      )
    }
    let absent = input.recording.participants.filter { !wanted.contains($0.id) }
    input.absent = TranscriptPlacer.folded(absent.flatMap { [$0.id, $0.name] })
    input.recording.transcripts.removeAll { source in
      absent.contains { $0.id == source.participant }
    }
    input.recording.participants.removeAll { !wanted.contains($0.id) }
    let tracks = Set(input.recording.tracks.map(\.id))
    input.recording.events.removeAll { event in
      if case .classes(let track, _) = event.change { return !tracks.contains(track) }
      return event.change.participant.map { !wanted.contains($0) } ?? false
    }
  }
}
