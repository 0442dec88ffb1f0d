package import TesseraCodecs
package import TesseraJobs
import TesseraMessages
package import TesseraPlan
package import TesseraRecordings
package import TesseraRequest
package import TesseraSystem
import TesseraTimeline

/// A call's recording with every track placed on the timeline, and the evidence used.
struct CallTrackPlacement {
  let recording: Recording
  /// Notes about the placement, one sentence each.
  private(set) var notes: [UserMessage] = []
  /// The losses for participants that could not be placed.
  private(set) var losses: [Loss] = []
  /// The evidence by which each track was placed, in words.
  private(set) var reasons: [Track.ID: UserMessage] = [:]

  /// Places the tracks of `input`, given the probes of its files and the places that the user
  /// stated. Only ``AlignmentMethod/sound`` decodes the files.
  init(
    _ input: ImportedCall, _ probes: [String: InputProbe], _ alignment: AlignmentMethod,
    _ stated: StatedStartTimes, audioTrack: AudioTrackChoice = .preferred,
    findings: SoundAnalysisCache = SoundAnalysisCache(), readers: TaskWorkerPool
  ) throws(RenderError) {
    let facts = input.facts(probes)
    guard alignment == .sound else {
      let placement = TrackPlacer(
        input.recording, facts, alignment, offsets: stated.participants, fileOffsets: stated.files)
      (recording, notes, reasons) = (placement.recording, placement.notes, placement.reasons)
      if !placement.isWarranted { losses = [Self.loss(alignment, recording)] }
      notes += Self.guess(recording, facts, reasons).map { [$0] } ?? []
      return
    }
    let units = CallAssembler(
      input, placed: input.recording.placed(facts), probes: probes, frameRate: .thirty,
      freezeAfter: nil, audioTrack: audioTrack
    ).soundUnits()
    let fixed = stated.participants
    let found = try findings.alignment(of: units, fixed: fixed) { () throws(RenderError) in
      try CallSoundAligner(
        units, of: input.recording.participants, fixed: fixed,
        clocks: Self.clocks(input.recording, facts), readers: readers
      ).find()
    }
    let placement = TrackPlacer(
      input.recording, facts, offsets: fixed, fileOffsets: stated.files, moves: found.moves)
    recording = placement.recording
    let files = Set(stated.files.keys.map(input.path))
    notes = found.notes.filter { !files.contains($0.file) }.map(\.sentence)
    losses = found.losses.filter { !files.contains($0.source) }
    reasons = placement.reasons
  }

  /// Returns the start times by wall clock, for participants that audio alignment cannot place.
  /// Returns `nil` if there are no wall clocks or if they change no start time.
  private static func clocks(
    _ recording: Recording, _ facts: [Track.ID: TrackPlacementFacts]
  ) -> [Track.ID: MediaTime]? {
    let clocked = TrackPlacer(recording, facts, .clock)
    let (first, second) = (recording.placed(facts).tracks, clocked.recording.tracks)
    guard clocked.isWarranted, zip(first, second).contains(where: { $0.start != $1.start })
    else { return nil }
    return Dictionary(second.map { ($0.id, $0.start) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns a note if cameras without audio were placed at the start of a microphone for lack of
  /// evidence; otherwise `nil`.
  private static func guess(
    _ recording: Recording, _ facts: [Track.ID: TrackPlacementFacts],
    _ reasons: [Track.ID: UserMessage]
  ) -> UserMessage? {
    let cameras = recording.participants.flatMap { person -> [Track] in
      let guessed = person.tracks.filter { reasons[$0.id] == TrackPlacer.unknown }
      guard guessed.contains(where: { $0.kind.isSoundOnly || facts[$0.id]?.sound != nil }) else {
        return []
      }
      return guessed.filter {
        $0.kind != .still && facts[$0.id]?.picture != nil && facts[$0.id]?.sound == nil
      }
    }
    guard let first = cameras.first else { return nil }
    let names = cameras.map { FileNameClassifier.fileName($0.file) }
    return
      "the start of \(names.listed(most: 4)) is unknown: without sound and dates, \(names.count > 1 ? "they start" : "it starts") "
      + "with the call, like the microphones; if lips are early or late, \(option: "offset") "
      + "\(FileNameClassifier.fileName(first.file).shellQuoted)=SECONDS moves "
      + "\(names.count > 1 ? "one" : "it")."
  }

  /// Returns the loss for an alignment method without evidence in any file.
  private static func loss(_ alignment: AlignmentMethod, _ recording: Recording) -> Loss {
    let person = recording.participants.first?.id ?? ""
    return Loss(
      .unevidenced(alignment.rawValue), of: ParticipantID(rawValue: person),
      source: recording.tracks.first?.file ?? "")
  }
}

/// The places that the user states for participants and for single files.
struct StatedStartTimes {
  private(set) var participants: [Participant.ID: MediaTime] = [:]
  /// The places of files, by their paths in the recording.
  private(set) var files: [String: MediaTime] = [:]

  /// - Throws: ``RenderError`` if an offset names no participant and no file.
  init(_ offsets: [PersonOffset], _ names: ParticipantNameResolver) throws(RenderError) {
    for offset in offsets {
      if let file = try names.file(of: offset.person, by: "\(option: "offset")") {
        files[file] = offset.time
      } else {
        participants[try names.id(of: offset.person, by: "\(option: "offset")")] = offset.time
      }
    }
  }
}

extension ImportedCall {
  /// The alignment method to use if the user selects none: the session's own, otherwise automatic.
  package var defaultAlignment: AlignmentMethod { recording.alignment ?? .auto }

  /// Returns the alignment method for placing tracks before a session file stores their places.
  ///
  /// Returns `nil` if the recorder states all places. Also returns `nil` if files are missing; then
  /// the method is stored in the session, and its reader places the tracks.
  package mutating func placement() -> AlignmentMethod? {
    guard recording.tracks.contains(where: { $0.place == nil }) else { return nil }
    if missingFiles.isEmpty { return defaultAlignment }
    recording.alignment = defaultAlignment
    return nil
  }

  /// Places all tracks, for storage in a session file.
  ///
  /// - Parameters:
  ///   - alignment: The alignment method.
  ///   - offsets: The starts that the user stated for participants or files.
  ///   - cache: The scan cache; files that it contains are not read again.
  ///   - readers: The worker program for reading files; `nil` to read on threads of this process.
  ///   - progress: Receives planning progress, on any thread.
  ///   - cancellation: Stops reading.
  /// - Returns: The call with all tracks placed, and the losses for participants that could not be
  ///   placed.
  /// - Throws: ``RenderError`` after a cancellation.
  package func aligned(
    _ alignment: AlignmentMethod, offsets: [PersonOffset] = [], cache: ScanCache? = nil,
    readers: WorkerProgram? = nil, progress: (@Sendable (PlanningProgress) -> Void)? = nil,
    cancellation: Cancellation = Cancellation()
  ) throws(RenderError) -> (input: ImportedCall, losses: [Loss]) {
    let readers = TaskWorkerPool(readers, cancellation: cancellation, planning: progress)
    let images = Set(recording.tracks.filter { $0.kind == .still }.map { path(of: $0.file) })
    let paths = files.filter { !images.contains($0) }
    let found = try InputProbe.probe(paths, cache: cache, readers)
    guard !cancellation.isCancelled else { throw .stopped(cancellation) }
    let probes = Dictionary(uniqueKeysWithValues: zip(paths, found))
    let stated = try StatedStartTimes(offsets, ParticipantNameResolver(recording, self))
    let placement = try CallTrackPlacement(self, probes, alignment, stated, readers: readers)
    var input = self
    input.recording = placement.recording
    input.recording.alignment = nil
    input.recording.messages += placement.notes + placement.losses.map(\.message)
    input.notes += placement.notes
    return (input, placement.losses)
  }
}
