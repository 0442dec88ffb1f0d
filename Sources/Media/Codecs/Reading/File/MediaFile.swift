import TesseraPixels
package import TesseraTimeline

/// All that a plan has to know of a file: what one pass over its packets found, with the first
/// picture and the first block of sound of each track decoded on the way. A pure function of the
/// file's content, so that it can be made by another process and be kept.
package struct MediaFile: Hashable, Sendable, Codable {
  /// The file.
  package var path: String
  /// What distinguishes it from others.
  package var identity: FileIdentity
  /// libav*'s name of the container.
  package var container: String
  /// The title that it carries, or nil.
  package var title: String?
  /// The container's tags, then those of its streams by index, which say when and by whom it was
  /// recorded; keys in lower case.
  package var tags: [[String: String]]
  /// The tracks of pictures and sound that have at least one packet; those of one stream in their
  /// order.
  package var tracks: [MediaTrack]
  /// When its first picture or sound is shown or heard by the container's own clock: what
  /// `--align container` adds to the times of the tracks, which begin at 0.
  package var containerStart: ExactTime
  /// What is missing or damaged.
  package var losses: [MediaLoss]
  /// What is worth knowing besides.
  package var notes: [MediaNote]

  /// The tracks of one kind.
  package func tracks(_ kind: StreamInfo.Kind) -> [MediaTrack] {
    tracks.filter { $0.stream.kind == kind }
  }

  /// The tracks of one kind, the one that is meant to be played first: what the container marks
  /// as such, then what has the most packets, then the largest pictures.
  package func preferred(_ kind: StreamInfo.Kind) -> [MediaTrack] {
    let merit = { (track: MediaTrack) in
      let size = track.stream.video?.size
      return (track.stream.isDefault ? 1 : 0, track.packets.count, size?.area ?? 0)
    }
    return tracks(kind).sorted { merit($0) > merit($1) }
  }

  /// The end of the last track, relative to the file's beginning.
  package var duration: MediaTime {
    max(.zero, tracks.map(\.end.rounded).max() ?? .zero)
  }
}
