import Foundation
import TesseraDocuments

/// The project as OpenTimelineIO JSON, whose objects name their schemas.
///
/// Media are referenced by plain paths, because Kdenlive 26.08 takes a URL or an encoded path for a
/// file name. OpenTimelineIO's own tools decode paths, which only affects those with `%`, `#` and
/// `?`.
extension EditorProject {
  /// The project as the text of an `.otio` file.
  var otio: String {
    // Kdenlive keeps the last of several markers at one frame, so chapters come last.
    let ordered = markers.filter { !$0.isChapter } + markers.filter(\.isChapter)
    let stack = Self.item(
      "Stack.1", "tracks", markers: ordered.map(marker),
      more: ["children": .list(tracks.map(otioTrack))])
    let timeline = DocumentValue.object([
      "OTIO_SCHEMA": .text("Timeline.1"), "metadata": .object([:]), "name": .text(name),
      "global_start_time": .null, "tracks": stack,
    ])
    return timeline.json(isIndented: true) + "\n"
  }

  /// Creates an OTIO object with the members that clips, gaps, tracks and stacks share, and `more`.
  private static func item(
    _ kind: String, _ name: String, range: DocumentValue = .null, markers: [DocumentValue] = [],
    more: KeyValuePairs<String, DocumentValue> = [:]
  ) -> DocumentValue {
    var item = DocumentValue.Members()
    let common: KeyValuePairs<String, DocumentValue> = [
      "OTIO_SCHEMA": .text(kind), "metadata": .object([:]), "name": .text(name),
      "source_range": range, "effects": .list([]), "markers": .list(markers),
      "enabled": .bool(true),
    ]
    for (key, value) in Array(common) + Array(more) { item.append(key, value) }
    return .object(item)
  }

  private func otioTrack(_ track: Track) -> DocumentValue {
    var (children, place) = ([DocumentValue](), 0)
    func fill(to frame: Int) {
      guard frame > place else { return }
      children.append(Self.item("Gap.1", "", range: range(0, frame - place)))
    }
    for clip in track.clips {
      fill(to: clip.frames.lowerBound)
      children.append(otioClip(clip))
      place = clip.frames.upperBound
    }
    fill(to: frameCount)
    return Self.item(
      "Track.1", track.name,
      more: [
        "children": .list(children),
        "kind": .text(track.kind == .pictures ? "Video" : "Audio"),
      ])
  }

  private func otioClip(_ clip: Clip) -> DocumentValue {
    let file = media[clip.media]
    let reference = DocumentValue.object([
      "OTIO_SCHEMA": .text("ExternalReference.1"), "metadata": .object([:]),
      "name": .text(URL(fileURLWithPath: file.path).lastPathComponent),
      "available_range": range(0, frameCount(of: file)), "available_image_bounds": .null,
      "target_url": .text(path(of: file)),
    ])
    return Self.item(
      "Clip.2", clip.name, range: range(source(of: clip).lowerBound, clip.frames.count),
      more: [
        "media_references": .object(["DEFAULT_MEDIA": reference]),
        "active_media_reference_key": .text("DEFAULT_MEDIA"),
      ])
  }

  private func marker(_ marker: Marker) -> DocumentValue {
    .object([
      "OTIO_SCHEMA": .text("Marker.2"), "metadata": .object([:]), "name": .text(marker.name),
      "color": .text(marker.isChapter ? "RED" : "GREEN"),
      "marked_range": range(marker.frames.lowerBound, marker.frames.count),
      "comment": .text(marker.name),
    ])
  }

  /// Returns a time range in frames. The rate has the shortest digits of its `Double`, because
  /// Kdenlive compares it with the rates of its profiles.
  private func range(_ start: Int, _ count: Int) -> DocumentValue {
    let rate = DocumentValue.number(DecimalLiteral("\(perSecond)") ?? DecimalLiteral(30))
    func time(_ frames: Int) -> DocumentValue {
      .object([
        "OTIO_SCHEMA": .text("RationalTime.1"), "rate": rate,
        "value": .number(DecimalLiteral(frames)),
      ])
    }
    return .object([
      "OTIO_SCHEMA": .text("TimeRange.1"), "duration": time(count), "start_time": time(start),
    ])
  }
}
