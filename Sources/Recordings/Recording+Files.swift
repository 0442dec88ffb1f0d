extension Recording {
  /// Writes all paths anew: of tracks, avatars, and images that are drawn over the tiles.
  public mutating func mapPaths(_ path: (String) -> String) {
    for person in participants.indices {
      participants[person].avatar = participants[person].avatar.map(path)
      for track in participants[person].tracks.indices {
        participants[person].tracks[track].file = path(participants[person].tracks[track].file)
      }
    }
    for index in overlays.indices {
      if case .image(let image) = overlays[index].content {
        overlays[index].content = .image(path(image))
      }
    }
  }

  /// The tracks whose files are not among `paths`, with their participants.
  public func missingFiles(among paths: Set<String>) -> [(participant: Participant, track: Track)] {
    participants.flatMap { person in
      person.tracks.filter { !paths.contains($0.file) }.map { (person, $0) }
    }
  }

  /// The media files among `paths` that no track, avatar or overlay uses, in their order.
  public func unusedFiles(among paths: [String]) -> [String] {
    var used = Set(tracks.map(\.file) + participants.compactMap(\.avatar))
    for overlay in overlays {
      if case .image(let path) = overlay.content { used.insert(path) }
    }
    return paths.filter { MediaNames.kind($0) != nil && !used.contains($0) }
  }
}
