import TesseraPixels
package import TesseraTimeline

/// The facts about a media file that a plan needs. One pass over the packets collects them and
/// decodes the first picture and block of audio of each track. The value is a pure function of the
/// file's content, so that another process may compute it and a cache may store it.
package struct MediaFileInfo: Hashable, Sendable, Codable {
  /// The path of the file or playlist.
  package var path: String
  /// The identity of the file's content, by which caches find it.
  package var identity: FileIdentity
  /// libav*'s name of the container; `hls` for a playlist.
  package var container: String
  /// The title tag; `nil` if there is none.
  package var title: String?
  /// The container's tags, then the tags of its streams by index, with keys in lower case: those
  /// that can state when and by whom the file was recorded.
  package var tags: [[String: String]]
  /// The video and audio tracks with at least one packet. Tracks of one stream are in order of
  /// time.
  package var tracks: [MediaTrack]
  /// The container's timestamp of the first picture or sound. Track times start at 0; the option
  /// `--align container` adds this value.
  package var containerStart: ExactTime
  /// The missing and damaged parts.
  package var losses: [MediaLoss]
  /// Remarks that are no losses.
  package var notes: [MediaNote]

  package func tracks(_ kind: StreamInfo.Kind) -> [MediaTrack] {
    tracks.filter { $0.stream.kind == kind }
  }

  /// Returns the tracks of one kind in order of preference: marked as default by the container,
  /// then most packets, then largest pictures.
  package func preferred(_ kind: StreamInfo.Kind) -> [MediaTrack] {
    let merit = { (track: MediaTrack) in
      let size = track.stream.video?.size
      return (track.stream.isDefault ? 1 : 0, track.packets.count, size?.area ?? 0)
    }
    return tracks(kind).sorted { merit($0) > merit($1) }
  }

  /// The end of the last track, relative to the start of the file.
  package var duration: MediaTime {
    max(.zero, tracks.map(\.end.rounded).max() ?? .zero)
  }
}
