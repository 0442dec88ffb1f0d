/// The choice between mixing the channels of a recording and making a participant of each.
public enum ChannelChoice: String, Hashable, Sendable, Codable, CaseIterable {
  /// The channels are mixed: as their layout says, or each in the middle if they have none.
  case mixed
  /// A participant for each channel.
  case each
}

extension Recording {
  /// Makes a participant of each channel of the tracks that ask for it, or of all if `source` does.
  ///
  /// The first channel stays with its participant, as do pictures; the others follow as microphones.
  package mutating func separateChannels(_ source: RecordingSource) {
    let isWanted = { (track: Track) in
      (track.hasVoicePerChannel || source.channels == .each) && track.channel == nil
        && track.kind != .still && track.isHeard
    }
    let files = Set(tracks.filter(isWanted).map(\.file)).sorted()
    guard !files.isEmpty else { return }
    let headers = Dictionary(
      uniqueKeysWithValues: zip(files, source.headers(files).map { $0?.streams ?? [] }))
    var ids = Set(participants.map(\.id))
    var copies: [Track.ID: [Int: Track.ID]] = [:]
    var trackIDs = Set(tracks.map(\.id))
    participants = participants.flatMap { person -> [Participant] in
      var first = person
      var others: [Participant] = []
      for (index, track) in person.tracks.enumerated() where isWanted(track) {
        let sounds = (headers[track.file] ?? []).filter {
          $0.kind == .audio && (track.stream == nil || track.stream == $0.index)
        }
        let count = sounds.first?.channelCount ?? 0
        guard count > 1 else { continue }
        first.tracks[index].channel = 0
        for channel in 1..<count {
          if others.count < channel {
            let id = ids.insertNew("\(person.id) \(channel + 1)")
            others.append(Participant(id: id, name: "\(person.name) \(channel + 1)"))
            others[channel - 1].hasTile = person.hasTile
          }
          var copy = track
          copy.channel = channel
          copy.kind =
            track.kind == .screen || track.kind == .screenAudio ? .screenAudio : .microphone
          copy.id = trackIDs.insertNew("\(track.id) channel \(channel + 1)")
          copies[track.id, default: [:]][channel] = copy.id
          copy.follow { copies[$0]?[channel] ?? $0 }
          others[channel - 1].tracks.append(copy)
        }
      }
      if !others.isEmpty { first.name = "\(person.name) 1" }
      return [first] + others
    }
  }
}

extension Set<String> {
  /// Inserts `id`, with a mark at its end if it is in the set already, and returns it.
  package mutating func insertNew(_ id: String) -> String {
    var id = id
    while !insert(id).inserted { id += "'" }
    return id
  }
}

extension Track {
  /// Renames the track that this one follows.
  fileprivate mutating func follow(_ name: (String) -> String) {
    for index in anchors.indices {
      guard case .after(let id) = anchors[index].clock else { continue }
      anchors[index].clock = .after(name(id))
    }
  }
}
