package import TesseraCodecs
package import TesseraJobs
import TesseraMessages
import TesseraPixels
package import TesseraPlan
import TesseraSoundtrack
package import TesseraSystem
import TesseraTimeline

extension RecordingInspection {
  /// Inspects the recording at `path`.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - hearsVoices: True to decode the audio and measure loudness.
  ///   - cache: The scan cache; files that it contains are not read again.
  ///   - readers: The worker program for reading files; `nil` to read on threads of this process.
  ///   - progress: Receives planning progress, on any thread.
  ///   - cancellation: Stops reading.
  /// - Returns: The inspection.
  /// - Throws: ``MediaError`` if the file cannot be opened as a recording, ``RenderError`` if no
  ///   reader can be started or after a cancellation.
  package static func inspect(
    _ path: String, hearsVoices: Bool = false, cache: ScanCache? = nil,
    readers: WorkerProgram? = nil, progress: (@Sendable (PlanningProgress) -> Void)? = nil,
    cancellation: Cancellation = Cancellation()
  ) throws -> RecordingInspection {
    let readers = TaskWorkerPool(readers, cancellation: cancellation, planning: progress)
    let found = try inspect([path], cache: cache, readers)[0]
    var inspection = try found.inspection.get()
    if hearsVoices {
      let scan = try found.probe.scan.get()
      let sounds = scan.file.tracks(.audio).filter(\.isDecodable).map(scan.sound)
      inspection.levels = try LoudnessLevel.hear(sounds, of: found.probe, readers, cache)
    }
    inspection.warnings += inspection.unused
    return inspection
  }

  /// Inspects all of `paths`, several at a time. Files in `cache` are not scanned again.
  static func inspect(
    _ paths: [String], cache: ScanCache?, _ readers: TaskWorkerPool
  ) throws(RenderError) -> [(
    probe: InputProbe, inspection: Result<RecordingInspection, MediaError>
  )] {
    let known = paths.map { ScannedFile($0, in: cache) }
    let identities = paths.map { FileIdentity($0) }
    let results = try readers.results(
      of: zip(paths, known).map { RecordingReadTask.inspect($0, known: $1) })
    let found = paths.enumerated().map { number, path in
      switch results[number] {
      case .inspected(let inspection, let scanned):
        if known[number] == nil { scanned.keep(in: cache, of: identities[number]) }
        return (InputProbe(path, .success(scanned)), Result<_, MediaError>.success(inspection))
      case .unreadable(let error):
        return (InputProbe(path, .failure(error)), .failure(error))
      default:
        let error = MediaError(path: path, reason: .cancelled)
        return (InputProbe(path, .failure(error)), .failure(error))
      }
    }
    cache?.removeOldest()
    return found
  }

  /// Returns the inspection of a probed file, without warnings about unused streams.
  static func inspect(
    _ probe: InputProbe, cancellation: Cancellation
  ) throws(MediaError) -> RecordingInspection {
    let scan = try probe.scan.get()
    var inspection = RecordingInspection(scan, probe)
    for (index, track) in scan.file.tracks(.audio).enumerated() {
      inspection.audio[index].driftPartsPerMillion = probe.clocks[track]?.partsPerMillion
    }
    inspection.warn(scan)
    return inspection
  }

  /// Warnings about unused streams, one sentence each.
  private var unused: [UserMessage] {
    (video.map { ($0.stream, $0.codec, $0.isUsed) } + audio.map { ($0.stream, $0.codec, $0.isUsed) })
      .filter { !$0.2 }.map { "stream \($0.0) (\($0.1)) is not used." }
  }

  private init(_ scan: MediaScanResult, _ probe: InputProbe) {
    let file = scan.file
    path = file.path
    container = file.container
    byteCount = file.identity.byteCount
    title = file.title
    startTime = file.containerStart.seconds
    duration = file.duration.seconds
    video = file.tracks(.video).map { VideoTrack($0, in: scan, probe) }
    audio = file.tracks(.audio).map { AudioTrack($0, in: scan, probe) }
    warnings = probe.sentences
  }

  private mutating func warn(_ scan: MediaScanResult) {
    for case .withoutData(let stream, let codec) in scan.file.notes {
      warnings.append("\(MediaNote.withoutData(stream, codec: codec))")
    }
    let indexes = scan.file.tracks(.video).map(scan.index)
    for (track, index) in zip(video, indexes) {
      if track.gaps.count > 0 {
        let longest = track.gaps.map(\.duration).max() ?? 0
        warnings.append(
          "stream \(track.stream) has gaps of more than half a second: \(track.gaps.count), "
            + "the longest of \(Self.text(longest)) s.")
      }
      if track.keyframeCount == 0 {
        warnings.append("stream \(track.stream) has no keyframe.")
      } else if let first = index.keyframes.first, first > 0,
        !scan.file.losses.contains(where: { $0.cause == .missingKeyframe })
      {
        warnings.append(
          "stream \(track.stream) does not begin with a keyframe: its first "
            + "\(first) packets cannot be shown.")
      }
      let isFirst = !video.contains { $0.stream == track.stream && $0.start < track.start }
      if track.isUsed, isFirst, track.start > 0.5 {
        warnings.append("its first picture comes \(Self.text(track.start)) s late.")
      }
    }
    for track in audio { warnings += drift(of: track) }
  }

  /// Returns a warning if the drift between sound and pictures becomes noticeable in players that
  /// do not correct it.
  private func drift(of track: AudioTrack) -> [UserMessage] {
    guard let parts = track.driftPartsPerMillion else { return [] }
    let apart = abs(parts) / 1e6 * (track.end - track.start)
    guard apart >= Self.noticeable else { return [] }
    return [
      "stream \(track.stream)'s sound runs \(Int(saturating: abs(parts).rounded())) ppm "
        + "\(parts > 0 ? "fast" : "slow") against \(video.isEmpty ? "its times" : "the pictures"), "
        + "by \(Self.text(apart)) s at its end; rendering keeps them together."
    ]
  }

  /// The offset in seconds at which sound and pictures visibly differ.
  private static let noticeable = 0.04

  private static func text(_ seconds: Double) -> String {
    MediaTime(nanoseconds: Int64(saturating: (seconds * 1000).rounded()) *| 1_000_000).description
  }
}

extension RecordingInspection.LoudnessLevel {
  /// Measures the loudness of `sounds`, several at a time. Results in `cache` are not computed
  /// again.
  static func hear(
    _ sounds: [SoundSource], of probe: InputProbe, _ readers: TaskWorkerPool, _ cache: ScanCache?
  ) throws(RenderError) -> [RecordingInspection.LoudnessLevel] {
    let voices = sounds.map { sound in
      let whole = TimeRange(start: .zero, end: max(.zero, sound.track.end.rounded))
      return probe.voice(sound, start: .zero, interval: whole)
    }
    let heard = try VoiceAnalyses.hear(voices, readers, cache)
    return zip(sounds, heard).compactMap { sound, heard in
      heard.map {
        RecordingInspection.LoudnessLevel(
          stream: sound.track.stream.index, levels: VoiceLevels($0.analysis),
          driftPartsPerMillion: $0.report.driftPartsPerMillion,
          failure: $0.report.failure?.sentence(of: sound.path))
      }
    }
  }
}

extension RecordingInspection.VideoTrack {
  fileprivate init(_ track: MediaTrack, in scan: MediaScanResult, _ probe: InputProbe) {
    let facts = track.stream.video
    let index = scan.index(of: track)
    let sorted = track.packets.filter(index.isShown).map {
      track.clock.time(ticks: index.ticks[$0]).rounded
    }.sorted()
    let keyframes = index.keyframes.filter { track.packets.contains(Int($0)) }.map {
      track.clock.time(ticks: index.ticks[Int($0)]).rounded
    }.sorted()
    let interval = track.interval
    stream = track.stream.index
    codec = track.stream.codec
    isUsed = probe.pictures().contains { $0.track == track }
    size = facts?.size ?? PixelSize(width: 0, height: 0)
    sampleAspectRatio = facts?.sampleAspectRatio ?? .square
    rotation = facts?.rotation ?? 0
    isMirrored = facts?.isMirrored ?? false
    pixelFormat = facts?.pixelFormat
    color = facts?.color ?? .canvas
    isInterlaced = facts?.isInterlaced ?? false || track.firstPicture?.isInterlaced ?? false
    packetCount = sorted.count
    (start, end) = (interval.start.seconds, interval.end.seconds)
    intervals = RecordingInspection.IntervalStatistics(sorted)
    keyframeIntervals = RecordingInspection.IntervalStatistics(keyframes)
    keyframeCount = keyframes.count
    gaps = RecordingInspection.Gap.between(sorted)
  }
}

extension RecordingInspection.AudioTrack {
  fileprivate init(_ track: MediaTrack, in scan: MediaScanResult, _ probe: InputProbe) {
    let index = scan.index(of: track)
    let sorted = track.packets.filter(index.isShown).map {
      track.clock.time(ticks: index.ticks[$0]).rounded
    }.sorted()
    let interval = track.interval
    stream = track.stream.index
    codec = track.stream.codec
    isUsed = probe.sounds().contains { $0.track == track }
    sampleRate = track.stream.audio?.sampleRate ?? 0
    channels = track.stream.audio?.channels ?? 0
    packetCount = sorted.count
    (start, end) = (interval.start.seconds, interval.end.seconds)
    gaps = RecordingInspection.Gap.between(sorted)
  }
}

extension RecordingInspection.Gap {
  /// Returns the gaps between ascending times that are longer than 0.5 s and three times the
  /// median.
  fileprivate static func between(_ times: [MediaTime]) -> [RecordingInspection.Gap] {
    let steps = zip(times.dropFirst(), times).map { ($0 - $1).nanoseconds }.sorted()
    let usual = steps.isEmpty ? 0 : steps[steps.count / 2]
    let least = MediaTime(nanoseconds: max(500_000_000, 3 *| usual))
    return zip(times, times.dropFirst()).filter { $1 - $0 > least }.map {
      RecordingInspection.Gap(start: $0.seconds, duration: ($1 - $0).seconds)
    }
  }
}
