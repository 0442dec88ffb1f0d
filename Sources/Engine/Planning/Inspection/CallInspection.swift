package import TesseraCodecs
package import TesseraJobs
package import TesseraPlan
package import TesseraRecordings
package import TesseraRequest
package import TesseraSystem
import TesseraTimeline

/// What the recording of a call holds and what does not add up in it, found by reading all of its
/// files.
package struct CallInspection: Sendable, Codable {
  /// What was given.
  package var path: String
  /// What the call is called.
  package var title: String?
  /// When it ends, in seconds from its beginning.
  package var duration: Double
  /// Everyone.
  package var people: [Person]
  /// What each file holds, as far as it can be read.
  package var files: [Inspection]
  /// The files that are not there or cannot be read, a sentence each.
  package var errors: [String]
  /// What does not add up, a sentence each.
  package var warnings: [String]
  /// How the recording was understood, a sentence each.
  package var notes: [String]

  /// Somebody in the call.
  package struct Person: Sendable, Codable {
    /// The identifier.
    package var id: String
    /// The name.
    package var name: String
    /// The source of the name, in words.
    package var nameSource: String
    /// What was recorded, in its order.
    package var tracks: [Track]
  }

  /// A stretch of a file on the timeline.
  package struct Track: Sendable, Codable {
    /// The identifier.
    package var id: String
    /// The file, as the recording names it.
    package var file: String
    /// What it shows or lets hear.
    package var kind: String
    /// Where it begins, in seconds.
    package var start: Double
    /// Where it ends, in seconds; nil where that is not known.
    package var end: Double?
    /// The evidence by which it was placed, in words.
    package var placedBy: String
    /// All statements about its time.
    package var anchors: [Evidence]
    /// How loud its sound is, where that was asked for.
    package var levels: [Inspection.Level]?
  }

  /// A statement about the time of a track.
  package struct Evidence: Sendable, Codable {
    /// The dated event: `start`, `created`, `zero`, `picture`, `sound` or `ended`.
    package var event: String
    /// The clock, as session files name it: `wall NAME`, `device NAME`, `time-code`.
    package var clock: String
    /// The clock's time: ISO 8601 of wall clocks, else seconds.
    package var time: String
    /// The largest error, in seconds.
    package var resolution: Double
    /// The source in words.
    package var source: String
  }

  /// True if a preference of `--align` found no evidence, or sound did not place a participant.
  package var isUncertain: Bool
}

extension CallInspection {
  /// Inspects the call that `input`, read from `path`, is, laid out as `alignment` and `offsets` say;
  /// its sound is decoded where it `hearsVoices`, and files that `cache` knows are not read. The others are read by `readers`, or
  /// else by threads of this process; `progress` is called with what is done, on any thread.
  ///
  /// - Throws: ``RenderError`` once the cancellation was asked for.
  package static func inspect(
    _ input: CallInput, path: String, alignment: Alignment? = nil, offsets: [PersonOffset] = [],
    hearsVoices: Bool = false, cache: ScanCache? = nil, readers: WorkerProgram? = nil,
    progress: (@Sendable (PlanningProgress) -> Void)? = nil,
    cancellation: Cancellation = Cancellation()
  ) throws(RenderError) -> CallInspection {
    let missing = Set(input.missingFiles)
    let images = Set(input.recording.tracks.filter { $0.kind == .still }.map(\.file))
    let paths = input.files.filter { path in
      !missing.contains(path) && !images.contains { input.path(of: $0) == path }
    }
    let readers = TaskPool(readers, cancellation: cancellation, planning: progress)
    let found = try Inspection.inspect(paths, cache: cache, readers)
    guard !cancellation.isCancelled else { throw .stopped(cancellation) }
    let probes = Dictionary(uniqueKeysWithValues: zip(paths, found.map(\.probe)))
    let placement = try CallPlacement(
      input, probes, alignment ?? input.usualAlignment,
      StatedPlaces(offsets, PeopleNames(input.recording, input)), readers: readers)
    var inspection = CallInspection(input, path: path, probes: probes, placement)
    inspection.errors = missing.sorted().map { path in
      let role = input.role(of: path).map { "\($0) is missing" }
      return "\(path) is not there: \(role ?? "check its name")."
    }
    for file in found { inspection.add(file.inspection) }
    inspection.warnings += input.unusedFiles.map { "\($0) is used by nobody." }
    if hearsVoices { try inspection.hear(input, probes, readers, cache) }
    guard !cancellation.isCancelled else { throw .stopped(cancellation) }
    return inspection
  }

  private init(
    _ input: CallInput, path: String, probes: [String: InputProbe], _ placement: CallPlacement
  ) {
    let recording = placement.recording
    let facts = input.facts(probes, of: recording)
    self.path = path
    (title, notes) = (recording.title, input.notes + placement.notes)
    notes += recording.comebacks(facts)
    people = recording.participants.map { person in
      Person(
        id: person.id, name: person.name, nameSource: person.nameSource ?? "the recording",
        tracks: person.tracks.map { Track($0, facts[$0.id], placement.reasons[$0.id] ?? "") })
    }
    duration = people.flatMap(\.tracks).compactMap(\.end).max() ?? 0
    (files, errors) = ([], [])
    warnings = recording.contradictions(facts) + placement.losses.map(\.sentence)
    isUncertain = !placement.losses.isEmpty
  }

  /// Adds what a file holds and what is wrong with it.
  private mutating func add(_ inspection: Result<Inspection, MediaError>) {
    do throws(MediaError) {
      let found = try inspection.get()
      files.append(found)
      warnings += found.warnings.map { warning in
        warning.contains(found.path) ? warning : "\(found.path): \(warning)"
      }
    } catch {
      errors.append("\(error)")
    }
  }

  /// Adds how loud everyone is.
  private mutating func hear(
    _ input: CallInput, _ probes: [String: InputProbe], _ readers: TaskPool,
    _ cache: ScanCache?
  ) throws(RenderError) {
    let heard = Dictionary(
      input.recording.tracks.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for person in people.indices {
      for index in people[person].tracks.indices {
        guard let track = heard[people[person].tracks[index].id],
          let probe = probes[input.path(of: track.file)]
        else { continue }
        let levels = try Inspection.Level.hear(
          probe.sounds(track.stream), of: probe, readers, cache)
        people[person].tracks[index].levels = levels.isEmpty ? nil : levels
      }
    }
  }
}

extension CallInspection.Track {
  fileprivate init(_ track: Track, _ known: TrackFacts?, _ reason: String) {
    (id, file, kind, placedBy) = (track.id, track.file, track.kind.rawValue, reason)
    anchors = track.anchors.filter { !$0.isPosition }.map { anchor in
      CallInspection.Evidence(
        event: anchor.event.rawValue, clock: anchor.clock.text,
        time: anchor.isUTC ? WallTime.text(anchor.time) : anchor.time.description,
        resolution: anchor.resolution.seconds, source: anchor.source)
    }
    start = track.start.seconds
    end = (known.map { track.interval($0).end } ?? track.stop)?.seconds
  }
}

extension CallInput {
  /// The media files beside the recording's that it does not use.
  fileprivate var unusedFiles: [String] { recording.unusedFiles(among: listing) }
}
