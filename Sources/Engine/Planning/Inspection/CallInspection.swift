package import TesseraCodecs
package import TesseraJobs
package import TesseraMessages
package import TesseraPlan
package import TesseraRecordings
package import TesseraRequest
package import TesseraSystem
import TesseraTimeline

/// The inspection of a call: the contents of its recordings and their inconsistencies, found by
/// reading all files.
package struct CallInspection: Sendable, Codable {
  /// The path that was inspected.
  package var path: UserMessage
  /// The title of the call; `nil` for none.
  package var title: String?
  /// The end of the call, in seconds from its start.
  package var duration: Double
  package var people: [Person]
  /// The inspections of all readable files.
  package var files: [RecordingInspection]
  /// Errors about missing or unreadable files, one sentence each.
  package var errors: [UserMessage]
  /// Inconsistencies in the recording, one sentence each.
  package var warnings: [UserMessage]
  /// Notes on the interpretation of the recording, one sentence each.
  package var notes: [UserMessage]

  /// A participant of the call.
  package struct Person: Sendable, Codable {
    package var id: String
    package var name: String
    /// The source of the participant's name, in words.
    package var nameSource: String
    /// The participant's tracks, in the recording's order.
    package var tracks: [Track]
  }

  /// A stretch of a file placed on the timeline.
  package struct Track: Sendable, Codable {
    package var id: String
    /// The file, as the recording names it.
    package var file: String
    /// The kind of content, such as `camera` or `microphone`.
    package var kind: String
    /// The start on the timeline, in seconds.
    package var start: Double
    /// The end on the timeline, in seconds; `nil` if it is unknown.
    package var end: Double?
    /// The evidence by which the track was placed, in words.
    package var placedBy: UserMessage
    /// All statements about the track's time.
    package var anchors: [TimeEvidence]
    /// The loudness of each audio stream; `nil` if it was not measured.
    package var levels: [RecordingInspection.LoudnessLevel]?
  }

  /// A statement about the time of a track.
  package struct TimeEvidence: Sendable, Codable {
    /// The dated event: `start`, `created`, `zero`, `picture`, `sound` or `ended`.
    package var event: String
    /// The clock, as session files name it: `wall NAME`, `device NAME` or `time-code`.
    package var clock: String
    /// The clock's time: ISO 8601 for wall clocks, otherwise seconds.
    package var time: String
    /// The maximum error in seconds.
    package var resolution: Double
    /// The source of the statement, in words.
    package var source: String
  }

  /// True if the method of `--align` found no evidence, or audio alignment could not place a
  /// participant.
  package var isUncertain: Bool
}

extension CallInspection {
  /// Inspects the call `input`, which was read from `path`.
  ///
  /// - Parameters:
  ///   - input: The call.
  ///   - path: The path that the user gave.
  ///   - alignment: The alignment method; `nil` for the call's own.
  ///   - offsets: The starts that the user stated for participants or files.
  ///   - hearsVoices: True to decode the audio and measure loudness.
  ///   - cache: The scan cache; files that it contains are not read again.
  ///   - readers: The worker program for reading files; `nil` to read on threads of this process.
  ///   - progress: Receives planning progress, on any thread.
  ///   - cancellation: Stops reading.
  /// - Returns: The inspection.
  /// - Throws: ``RenderError`` after a cancellation.
  package static func inspect(
    _ input: ImportedCall, path: UserMessage, alignment: AlignmentMethod? = nil,
    offsets: [PersonOffset] = [],
    hearsVoices: Bool = false, cache: ScanCache? = nil, readers: WorkerProgram? = nil,
    progress: (@Sendable (PlanningProgress) -> Void)? = nil,
    cancellation: Cancellation = Cancellation()
  ) throws(RenderError) -> CallInspection {
    let missing = Set(input.missingFiles)
    let images = Set(input.recording.tracks.filter { $0.kind == .still }.map(\.file))
    let paths = input.files.filter { path in
      !missing.contains(path) && !images.contains { input.path(of: $0) == path }
    }
    let readers = TaskWorkerPool(readers, cancellation: cancellation, planning: progress)
    let found = try RecordingInspection.inspect(paths, cache: cache, readers)
    guard !cancellation.isCancelled else { throw .stopped(cancellation) }
    let probes = Dictionary(uniqueKeysWithValues: zip(paths, found.map(\.probe)))
    let placement = try CallTrackPlacement(
      input, probes, alignment ?? input.defaultAlignment,
      StatedStartTimes(offsets, ParticipantNameResolver(input.recording, input)), readers: readers)
    var inspection = CallInspection(input, path: path, probes: probes, placement)
    inspection.errors = missing.sorted().map { path -> UserMessage in
      let role = input.role(of: path).map { "\($0) is missing" }
      return "\(file: path) does not exist: \(role ?? "check its name")."
    }
    for file in found { inspection.add(file.inspection) }
    inspection.warnings += input.unusedFiles.map { "\(file: $0) is not used." }
    if hearsVoices { try inspection.hear(input, probes, readers, cache) }
    guard !cancellation.isCancelled else { throw .stopped(cancellation) }
    return inspection
  }

  private init(
    _ input: ImportedCall, path: UserMessage, probes: [String: InputProbe],
    _ placement: CallTrackPlacement
  ) {
    let recording = placement.recording
    let facts = input.facts(probes, of: recording)
    self.path = path
    (title, notes) = (recording.title, input.notes + placement.notes)
    notes += recording.rejoins(facts)
    people = recording.participants.map { person in
      Person(
        id: person.id, name: person.name, nameSource: person.nameSource ?? "the recording",
        tracks: person.tracks.map { Track($0, facts[$0.id], placement.reasons[$0.id] ?? "") })
    }
    duration = people.flatMap(\.tracks).compactMap(\.end).max() ?? 0
    (files, errors) = ([], [])
    warnings = recording.contradictions(facts) + placement.losses.map(\.message)
    isUncertain = !placement.losses.isEmpty
  }

  /// Adds the inspection of a file with its warnings, or its error.
  private mutating func add(_ inspection: Result<RecordingInspection, MediaError>) {
    do throws(MediaError) {
      let found = try inspection.get()
      files.append(found)
      warnings += found.warnings.map { warning in
        warning.files.contains(found.path) ? warning : "\(file: found.path): \(warning)"
      }
    } catch {
      errors.append(error.sentence)
    }
  }

  /// Measures the loudness of all tracks.
  private mutating func hear(
    _ input: ImportedCall, _ probes: [String: InputProbe], _ readers: TaskWorkerPool,
    _ cache: ScanCache?
  ) throws(RenderError) {
    let heard = Dictionary(
      input.recording.tracks.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for person in people.indices {
      for index in people[person].tracks.indices {
        guard let track = heard[people[person].tracks[index].id],
          let probe = probes[input.path(of: track.file)]
        else { continue }
        let levels = try RecordingInspection.LoudnessLevel.hear(
          probe.sounds(track.stream), of: probe, readers, cache)
        people[person].tracks[index].levels = levels.isEmpty ? nil : levels
      }
    }
  }
}

extension CallInspection.Track {
  fileprivate init(_ track: Track, _ known: TrackPlacementFacts?, _ reason: UserMessage) {
    (id, file, kind, placedBy) = (track.id, track.file, track.kind.rawValue, reason)
    anchors = track.anchors.filter { !$0.isPosition }.map { anchor in
      CallInspection.TimeEvidence(
        event: anchor.event.rawValue, clock: anchor.clock.text,
        time: anchor.isUTC ? WallClockFormat.text(anchor.time) : anchor.time.description,
        resolution: anchor.resolution.seconds, source: anchor.source)
    }
    start = track.start.seconds
    end = (known.map { track.interval($0).end } ?? track.stop)?.seconds
  }
}

extension ImportedCall {
  /// Media files in the call's folder that the recording does not use.
  fileprivate var unusedFiles: [String] { recording.unusedFiles(among: listing) }
}
