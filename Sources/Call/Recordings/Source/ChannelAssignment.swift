/// The use of multichannel audio: one mix, or a participant for each channel.
public enum ChannelAssignment: String, Hashable, Sendable, Codable, CaseIterable {
  /// Channels are mixed by their layout. Without a layout, each is panned to the center.
  case mixed
  /// Each channel becomes a participant.
  case each
}

extension Recording {
  /// Splits tracks into one participant per channel: tracks that ask for it, or all if `source`
  /// does.
  ///
  /// The first channel and the pictures stay with the track's participant. Further channels become
  /// microphones of new participants.
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
  /// Inserts `id`, with `'` appended until it is new, and returns the inserted string.
  package mutating func insertNew(_ id: String) -> String {
    var id = id
    while !insert(id).inserted { id += "'" }
    return id
  }
}

extension Track {
  /// Renames the track that this track follows.
  fileprivate mutating func follow(_ name: (String) -> String) {
    for index in anchors.indices {
      guard case .after(let id) = anchors[index].clock else { continue }
      anchors[index].clock = .after(name(id))
    }
  }
}
