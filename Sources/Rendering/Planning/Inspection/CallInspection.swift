public import TesseraMedia
import TesseraRecordings
public import TesseraSystem
import TesseraTimeline

/// What the recording of a call holds and what does not add up in it, found by reading all of its
/// files.
public struct CallInspection: Sendable, Codable {
  /// What was given.
  public var path: String
  /// What the call is called.
  public var title: String?
  /// When it ends, in seconds from its beginning.
  public var duration: Double
  /// Everyone.
  public var people: [Person]
  /// What each file holds, as far as it can be read.
  public var files: [Inspection]
  /// The files that are not there or cannot be read, a sentence each.
  public var errors: [String]
  /// What does not add up, a sentence each.
  public var warnings: [String]
  /// How the recording was understood, a sentence each.
  public var notes: [String]

  /// Somebody in the call.
  public struct Person: Sendable, Codable {
    /// The identifier.
    public var id: String
    /// The name.
    public var name: String
    /// What was recorded, in its order.
    public var tracks: [Track]
  }

  /// A stretch of a file on the timeline.
  public struct Track: Sendable, Codable {
    /// The identifier.
    public var id: String
    /// The file, as the recording names it.
    public var file: String
    /// What it shows or lets hear.
    public var kind: String
    /// Where it begins, in seconds.
    public var start: Double
    /// Where it ends, in seconds; nil where that is not known.
    public var end: Double?
    /// How loud its sound is, where that was asked for.
    public var levels: [Inspection.Level]?
  }
}

extension CallInspection {
  /// Inspects the call that `input`, read from `path`, is; its sound is decoded where it
  /// `hearsVoices`, and files that `cache` knows are not read. The others are read by `readers`, or
  /// else by threads of this process.
  ///
  /// - Throws: ``RenderError`` once the cancellation was asked for.
  public static func inspect(
    _ input: CallInput, path: String, hearsVoices: Bool = false,
    cache: ScanCache? = nil, readers: ReadingProcesses? = nil,
    cancellation: Cancellation = Cancellation()
  ) throws(RenderError) -> CallInspection {
    let missing = Set(input.missingFiles)
    let images = Set(input.recording.tracks.filter { $0.kind == .still }.map(\.file))
    let paths = input.files.filter { path in
      !missing.contains(path) && !images.contains { input.path(of: $0) == path }
    }
    let readers = Readers(readers, cancellation: cancellation)
    let found = try Inspection.inspect(paths, cache: cache, readers)
    guard !cancellation.isCancelled else { throw .stopped(cancellation) }
    let probes = Dictionary(uniqueKeysWithValues: zip(paths, found.map(\.probe)))
    var inspection = CallInspection(input, path: path, probes: probes)
    inspection.errors = missing.sorted().map { path in
      let role = input.role(of: path).map { "\($0) is missing" }
      return "\(path) is not there: \(role ?? "check its name")."
    }
    for file in found { inspection.add(file.inspection) }
    inspection.warnings += input.unusedFiles.map { "\($0) is used by nobody." }
    if hearsVoices { try inspection.hear(input, probes, readers) }
    guard !cancellation.isCancelled else { throw .stopped(cancellation) }
    return inspection
  }

  private init(_ input: CallInput, path: String, probes: [String: InputProbe]) {
    let facts = input.facts(probes)
    let recording = input.recording.placed(facts)
    self.path = path
    (title, notes) = (recording.title, input.notes + recording.comebacks(facts))
    people = recording.participants.map { person in
      Person(
        id: person.id, name: person.name,
        tracks: person.tracks.map { Track($0, facts[$0.id]) })
    }
    duration = people.flatMap(\.tracks).compactMap(\.end).max() ?? 0
    (files, errors) = ([], [])
    warnings = recording.contradictions(facts)
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
    _ input: CallInput, _ probes: [String: InputProbe], _ readers: Readers
  ) throws(RenderError) {
    let heard = Dictionary(
      input.recording.tracks.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for person in people.indices {
      for index in people[person].tracks.indices {
        guard let track = heard[people[person].tracks[index].id],
          let probe = probes[input.path(of: track.file)]
        else { continue }
        let levels = try Inspection.Level.hear(
          probe.sounds(track.stream), of: probe, readers)
        people[person].tracks[index].levels = levels.isEmpty ? nil : levels
      }
    }
  }
}

extension CallInspection.Track {
  fileprivate init(_ track: Track, _ known: TrackFacts?) {
    (id, file, kind) = (track.id, track.file, track.kind.rawValue)
    start = track.start.seconds
    end = (known.map { track.interval($0).end } ?? track.stop)?.seconds
  }
}

extension CallInput {
  /// The media files beside the recording's that it does not use.
  fileprivate var unusedFiles: [String] { recording.unusedFiles(among: listing) }
}
