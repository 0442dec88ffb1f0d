import Foundation
import TesseraPlan
import TesseraRecordings
import TesseraSoundtrack
import TesseraTimeline

/// What is placed by its sound as a whole.
struct SoundUnit {
  /// Whose it is, by the number in the recording.
  var owner: Int
  /// What it is called in sentences: the person, or the file where the person has several.
  var name: String
  /// The tracks that move together.
  var tracks: [Track]
  /// The files' paths, each once.
  var paths: [String]
  /// What is heard in it.
  var voices: [VoiceSource]
  /// True if it is one file, with the parts that follow it.
  var isOneRow = true
}

extension CallAssembly {
  /// What can be placed by itself: everyone's recordings as a whole where somebody knows how they
  /// lie, else each file with the parts that follow it.
  func soundUnits() -> [SoundUnit] {
    var units: [SoundUnit] = []
    for unit in unitsOfPeople() {
      // Streams and channels of one file keep their distance.
      if let same = units.firstIndex(where: { $0.paths == unit.paths }) {
        units[same].tracks += unit.tracks
        units[same].voices += unit.voices
      } else {
        units.append(unit)
      }
    }
    return units
  }

  private func unitsOfPeople() -> [SoundUnit] {
    zip(input.recording.participants, recording.participants).enumerated().flatMap {
      owner, both -> [SoundUnit] in
      let (said, placed) = both
      let moving = placed.tracks.filter { $0.kind != .still }
      let groups = said.begins.map { begins in
        Dictionary(grouping: moving) { begins[$0.id] ?? $0.file }
      }
      var units: [SoundUnit] = []
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

  private func unit(of tracks: [Track], _ owner: Int) -> SoundUnit {
    let speech = tracks.filter(\.kind.isSpeech).flatMap(voices)
    var paths: [String] = []
    for track in tracks where !paths.contains(input.path(of: track.file)) {
      paths.append(input.path(of: track.file))
    }
    return SoundUnit(
      owner: owner, name: recording.participants[owner].name, tracks: tracks, paths: paths,
      voices: speech.isEmpty ? tracks.flatMap(voices) : speech)
  }
}

extension Participant {
  /// The file that each track's row of parts begins with; nil where somebody says where they lie.
  fileprivate var begins: [Track.ID: String]? {
    let known = Dictionary(tracks.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var begins: [Track.ID: String] = [:]
    for track in tracks where track.kind != .still {
      var first = track
      // No row is longer than all tracks.
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
