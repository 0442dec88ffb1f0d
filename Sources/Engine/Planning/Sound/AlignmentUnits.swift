import Foundation
import TesseraRecordings
import TesseraSoundtrack
import TesseraTimeline

/// Recordings that audio alignment places as a whole.
struct AlignmentUnit {
  /// The index of the owner among the recording's participants.
  var owner: Int
  /// The name in messages: the participant's, or the file's if the participant has several.
  var name: String
  /// The tracks that move together.
  var tracks: [Track]
  /// The files' paths, each once.
  var paths: [String]
  /// The voices in the tracks: speech, or any sound if there is no speech.
  var voices: [VoiceSource]
  /// True if the unit is one file with the parts that follow it.
  var isOneRow = true
}

extension CallAssembler {
  /// Returns the units that can be placed independently: all recordings of a participant if their
  /// relative times are known, otherwise each file with the parts that follow it.
  func soundUnits() -> [AlignmentUnit] {
    var units: [AlignmentUnit] = []
    for unit in unitsOfPeople() {
      // Streams and channels of one file keep their relative times.
      if let same = units.firstIndex(where: { $0.paths == unit.paths }) {
        units[same].tracks += unit.tracks
        units[same].voices += unit.voices
      } else {
        units.append(unit)
      }
    }
    return units
  }

  private func unitsOfPeople() -> [AlignmentUnit] {
    zip(input.recording.participants, recording.participants).enumerated().flatMap {
      owner, both -> [AlignmentUnit] in
      let (said, placed) = both
      let moving = placed.tracks.filter { $0.kind != .still }
      let groups = said.begins.map { begins in
        Dictionary(grouping: moving) { begins[$0.id] ?? $0.file }
      }
      var units: [AlignmentUnit] = []
      for track in moving {
        let key = groups?.first { $0.value.contains { $0.id == track.id } }?.key
        let tracks = key.flatMap { groups?[$0] } ?? moving
        guard tracks.first?.id == track.id else { continue }
        units.append(unit(of: tracks, owner))
        units[units.count - 1].isOneRow = groups != nil || Set(tracks.map(\.file)).count == 1
        if units.count > 1 || tracks.count < moving.count {
          units[units.count - 1].name =
            URL(fileURLWithPath: tracks[0].file).lastPathComponent
        }
      }
      return units
    }
  }

  private func unit(of tracks: [Track], _ owner: Int) -> AlignmentUnit {
    let speech = tracks.filter(\.kind.isSpeech).flatMap(voices)
    var paths: [String] = []
    for track in tracks where !paths.contains(input.path(of: track.file)) {
      paths.append(input.path(of: track.file))
    }
    return AlignmentUnit(
      owner: owner, name: recording.participants[owner].name, tracks: tracks, paths: paths,
      voices: speech.isEmpty ? tracks.flatMap(voices) : speech)
  }
}

extension Participant {
  /// For each track, the first file of its row of consecutive parts; `nil` if the recording states
  /// the tracks' times.
  fileprivate var begins: [Track.ID: String]? {
    let known = Dictionary(tracks.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var begins: [Track.ID: String] = [:]
    for track in tracks where track.kind != .still {
      var first = track
      // The loop is bounded by the number of tracks, in case parts follow each other in a circle.
      for _ in tracks {
        guard let before = first.follows.flatMap({ known[$0] }) else { break }
        first = before
      }
      guard first.start == .zero, first.place?.event != .zero else { return nil }
      begins[track.id] = first.file
    }
    return begins
  }
}
