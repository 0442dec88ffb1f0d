import Foundation
import TesseraDocuments
import TesseraTimeline

/// A project as OpenTimelineIO writes it: JSON whose objects name their schemas.
///
/// Media are named by paths as they are, neither as URLs nor percent-encoded: Kdenlive 26.08 takes
/// anything else for the name of a file. OpenTimelineIO's tools decode paths, but change only those
/// with `%`, `#` and `?`.
extension Project {
  /// The text of an `.otio` file.
  var otio: String {
    let stack = Self.item(
      "Stack.1", "tracks", effects: [],
      // Kdenlive keeps the last one of those that begin together.
      markers: (markers.filter { !$0.isChapter } + markers.filter(\.isChapter)).map(marker),
      more: [("children", .list(tracks.map(otioTrack)))])
    return Self.schema(
      "Timeline.1",
      [
        ("metadata", .object(Document.Members())), ("name", .text(name)),
        ("global_start_time", .null), ("tracks", stack),
      ]
    ).json(isIndented: true) + "\n"
  }

  private static func schema(_ name: String, _ members: [(String, Document)]) -> Document {
    var object = Document.Members()
    object.append("OTIO_SCHEMA", .text(name))
    for (key, value) in members { object.append(key, value) }
    return .object(object)
  }

  /// What clips, gaps, tracks and stacks have in common.
  private static func item(
    _ kind: String, _ name: String, range: Document = .null, effects: [Document] = [],
    markers: [Document] = [], more: [(String, Document)]
  ) -> Document {
    schema(
      kind,
      [
        ("metadata", .object(Document.Members())), ("name", .text(name)), ("source_range", range),
        ("effects", .list(effects)), ("markers", .list(markers)), ("enabled", .bool(true)),
      ] + more)
  }

  private func otioTrack(_ track: Track) -> Document {
    var (children, place) = ([Document](), 0)
    for clip in track.clips {
      if clip.frames.lowerBound > place {
        children.append(
          Self.item("Gap.1", "", range: range(0, clip.frames.lowerBound - place), more: []))
      }
      children.append(otioClip(clip))
      place = clip.frames.upperBound
    }
    if place < frameCount {
      children.append(Self.item("Gap.1", "", range: range(0, frameCount - place), more: []))
    }
    return Self.item(
      "Track.1", track.name,
      more: [
        ("children", .list(children)),
        ("kind", .text(track.kind == .pictures ? "Video" : "Audio")),
      ])
  }

  private func otioClip(_ clip: Clip) -> Document {
    let file = media[clip.media]
    let reference = Self.schema(
      "ExternalReference.1",
      [
        ("metadata", .object(Document.Members())),
        ("name", .text(URL(fileURLWithPath: file.path).lastPathComponent)),
        ("available_range", range(0, frameCount(of: file))),
        ("available_image_bounds", .null),
        ("target_url", .text(path(of: file))),
      ])
    var references = Document.Members()
    references.append("DEFAULT_MEDIA", reference)
    return Self.item(
      "Clip.2", clip.name, range: range(source(of: clip).lowerBound, clip.frames.count),
      more: [
        ("media_references", .object(references)),
        ("active_media_reference_key", .text("DEFAULT_MEDIA")),
      ])
  }

  private func marker(_ marker: Marker) -> Document {
    Self.schema(
      "Marker.2",
      [
        ("metadata", .object(Document.Members())), ("name", .text(marker.name)),
        ("color", .text(marker.isChapter ? "RED" : "GREEN")),
        ("marked_range", range(marker.frames.lowerBound, marker.frames.count)),
        ("comment", .text(marker.name)),
      ])
  }

  private func range(_ start: Int, _ count: Int) -> Document {
    Self.schema("TimeRange.1", [("duration", time(count)), ("start_time", time(start))])
  }

  /// A number of frames. The rate has the shortest digits that give its `Double`: Kdenlive compares
  /// it with those of its profiles.
  private func time(_ frames: Int) -> Document {
    Self.schema(
      "RationalTime.1",
      [
        ("rate", .number(Numeral("\(perSecond)") ?? Numeral(30))),
        ("value", .number(Numeral(frames))),
      ])
  }
}
