public import TesseraMedia
import TesseraPixels
import TesseraSoundtrack
public import TesseraSystem
import TesseraTimeline

extension Inspection {
  /// Inspects the recording at `path`.
  ///
  /// - Throws: ``MediaError`` where it cannot be opened as a recording.
  public static func inspect(
    _ path: String, cancellation: Cancellation = Cancellation()
  ) throws(MediaError) -> Inspection {
    let probe = InputProbe(path, cancellation: cancellation)
    let file = try probe.file.get()
    var inspection = Inspection(file, probe)
    inspection.warn(file, probe)
    return inspection
  }

  private init(_ file: MediaFile, _ probe: InputProbe) {
    path = file.path
    container = file.container
    byteCount = file.byteCount
    title = file.title
    startTime = file.zero.seconds
    duration = file.duration.seconds
    video = file.tracks(.video).map { VideoTrack($0, in: file, probe) }
    audio = file.tracks(.audio).map { AudioTrack($0, in: file, probe) }
    warnings = probe.losses
  }

  private mutating func warn(_ file: MediaFile, _ probe: InputProbe) {
    warnings += file.ignored.filter { $0.contains("declared") }.map { "\($0)." }
    for track in video {
      if !track.isUsed { warnings.append("stream \(track.stream) (\(track.codec)) is not used.") }
      if track.gaps.count > 0 {
        let longest = track.gaps.map(\.duration).max() ?? 0
        warnings.append(
          "stream \(track.stream) has gaps of more than half a second: \(track.gaps.count), "
            + "the longest of \(Self.text(longest)) s.")
      }
      if track.keyframeCount == 0 {
        warnings.append("stream \(track.stream) has no keyframe.")
      } else if let index = file.tracks.first(where: { $0.stream.index == track.stream })?.index,
        index.keyframes[0].packet > 0,
        !track.isUsed || probe.unseenBeginning < InputProbe.shortestUnseen
      {
        warnings.append(
          "stream \(track.stream) does not begin with a keyframe: its first "
            + "\(index.keyframes[0].packet) packets cannot be shown.")
      }
      if track.isUsed, track.start > 0.5 {
        warnings.append("its first picture comes \(Self.text(track.start)) s late.")
      }
    }
    for track in audio where !track.isUsed {
      warnings.append("stream \(track.stream) (\(track.codec)) is not used.")
    }
  }

  private static func text(_ seconds: Double) -> String {
    MediaTime(nanoseconds: Int64((seconds * 1000).rounded()) * 1_000_000).description
  }
}

extension Inspection.VideoTrack {
  fileprivate init(_ track: MediaFile.Track, in file: MediaFile, _ probe: InputProbe) {
    let facts = track.stream.video
    let sorted = track.index.ticks.sorted().map { track.index.time(ticks: $0, zero: file.zero) }
    let keyframes = track.index.keyframes.map {
      track.index.time(ofPacket: $0.packet, zero: file.zero)
    }.sorted()
    let interval = file.interval(of: track)
    stream = track.stream.index
    codec = track.stream.codec
    isUsed = probe.pictures?.stream.index == stream
    size = facts?.size ?? PixelSize(width: 0, height: 0)
    sampleAspectRatio = facts?.sampleAspectRatio ?? .square
    rotation = facts?.rotation ?? 0
    isMirrored = facts?.isMirrored ?? false
    pixelFormat = facts?.pixelFormat
    color = facts?.color ?? .canvas
    isInterlaced = isUsed ? probe.pictures?.isInterlaced ?? false : facts?.isInterlaced ?? false
    packetCount = sorted.count
    (start, end) = (interval.start.seconds, interval.end.seconds)
    intervals = Inspection.Intervals(sorted)
    keyframeIntervals = Inspection.Intervals(keyframes)
    keyframeCount = keyframes.count
    gaps = Inspection.Gap.between(sorted)
  }
}

extension Inspection.AudioTrack {
  fileprivate init(_ track: MediaFile.Track, in file: MediaFile, _ probe: InputProbe) {
    let sorted = track.index.ticks.sorted().map { track.index.time(ticks: $0, zero: file.zero) }
    let interval = file.interval(of: track)
    stream = track.stream.index
    codec = track.stream.codec
    isUsed = probe.sound?.stream == stream
    sampleRate = track.stream.audio?.sampleRate ?? 0
    channels = track.stream.audio?.channels ?? 0
    packetCount = sorted.count
    (start, end) = (interval.start.seconds, interval.end.seconds)
    gaps = Inspection.Gap.between(sorted)
  }
}

extension Inspection.Gap {
  /// Where ascending times are more than half a second apart, and three times as far as usual.
  fileprivate static func between(_ times: [MediaTime]) -> [Inspection.Gap] {
    let steps = zip(times.dropFirst(), times).map { ($0 - $1).nanoseconds }.sorted()
    let usual = steps.isEmpty ? 0 : steps[steps.count / 2]
    let least = MediaTime(nanoseconds: max(500_000_000, 3 * usual))
    return zip(times, times.dropFirst()).filter { $1 - $0 > least }.map {
      Inspection.Gap(start: $0.seconds, duration: ($1 - $0).seconds)
    }
  }
}
