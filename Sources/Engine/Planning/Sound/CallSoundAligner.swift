import TesseraJobs
import TesseraMessages
import TesseraPlan
import TesseraRecordings
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline

/// Aligns recordings in time by the sound that several of them contain.
///
/// Initially, all participants' recordings start together. The first recording, or those of
/// participants with a known place, are the reference. A participant that cannot be aligned is
/// placed by the wall clock, or starts with the first recording, and is reported as a loss.
struct CallSoundAligner {
  /// The result of the alignment.
  struct AlignmentResult {
    var moves: [Track.ID: TrackAlignment] = [:]
    /// A sentence for each file that was aligned.
    var notes: [(file: String, sentence: UserMessage)] = []
    /// The losses for participants that could not be aligned.
    var losses: [Loss] = []
  }

  private let units: [AlignmentUnit]
  /// The participants; known offsets by participant index; and the start times by wall clock, `nil`
  /// if these are unknown.
  private let people: [Participant]
  private let fixed: [Int: MediaTime]
  private let clocks: [Track.ID: MediaTime]?
  private let readers: TaskWorkerPool

  /// The memory limit for all ``AlignmentAudio``es in bytes, and the bytes of one second.
  private static let (mostBytes, bytesPerSecond) = (400_000_000, 8400)
  /// The minimum duration in seconds of a recording with enough passages to compare.
  private static let shortest = 30.0
  /// The maximum number of gaps that a note lists.
  private static let mostGaps = 8
  /// The minimum clock difference over a whole recording, in seconds, that is corrected.
  private static let smallestSkew = 0.001

  /// Creates an alignment of `units` of `people`, which start together.
  ///
  /// - Parameters:
  ///   - units: The units to align.
  ///   - people: The participants of the recording.
  ///   - fixed: The known places of participants.
  ///   - clocks: The start times by wall clock; `nil` if these are unknown.
  ///   - readers: The task pool that decodes the audio.
  init(
    _ units: [AlignmentUnit], of people: [Participant], fixed: [Participant.ID: MediaTime],
    clocks: [Track.ID: MediaTime]?, readers: TaskWorkerPool
  ) {
    (self.units, self.people, self.clocks, self.readers) = (units, people, clocks, readers)
    var known: [Int: MediaTime] = [:]
    for (number, person) in people.enumerated() { known[number] = fixed[person.id] }
    self.fixed = known
  }

  /// Aligns all units.
  ///
  /// - Throws: ``RenderError`` after a cancellation.
  func find() throws(RenderError) -> AlignmentResult {
    var found = AlignmentResult()
    guard units.count > 1 else { return found }
    let audio = try read()
    let silent = audio.map(\.isSilent)
    // A participant's known place applies to the first file that has sound.
    var anchors: [Int: SoundAligner.Position] = [:]
    for (owner, offset) in fixed {
      guard let index = units.indices.first(where: { units[$0].owner == owner && !silent[$0] })
      else { continue }
      anchors[index] = SoundAligner.Position(offset: offset.seconds)
    }
    let cancellation = readers.cancellation
    guard
      let findings = SoundAligner.findings(
        audio, owners: units.map(\.owner), fixed: anchors,
        isCancelled: { cancellation.isCancelled })
    else { throw .stopped(cancellation) }
    let first = anchors.keys.min() ?? Self.largestGroup(findings, silent)
    let places = places(findings, from: first, silent, audio)
    for (index, unit) in units.enumerated() {
      let move = TrackAlignment(
        offset: MediaTime(nanoseconds: Int64(saturating: (places[index].offset * 1e9).rounded())),
        rate: Track.rate(places[index].rate))
      let finding = findings[index]
      let gaps = unit.gaps(finding.gaps)
      for track in unit.tracks {
        found.moves[track.id] = move
        found.moves[track.id]?.gaps = gaps[track.id] ?? []
        found.moves[track.id]?.isFound =
          index == first || finding.isSure && finding.group == findings[first].group
      }
      let file = unit.paths.first ?? unit.name
      if !finding.gaps.isEmpty { found.notes.append((file, sentence(of: finding, in: unit))) }
      guard index != first, anchors[index] == nil else { continue }
      if finding.isSure, finding.group == findings[first].group {
        found.notes.append((file, sentence(index, places, finding)))
      } else if isFirst(index, silent), fixed[unit.owner] == nil {
        var loss = loss(index, finding, first, isNear: finding.group == findings[first].group)
        loss.lack = lack(audio[index], finding.best.map { audio[$0.other] })
        found.losses.append(
          Loss(
            .unplaced(loss), of: ParticipantID(rawValue: people[unit.owner].id), source: file))
      } else {
        found.notes.append(
          (
            file,
            "\(unit.name) starts with \(people[unit.owner].name)'s other recordings, as its sound does not place it; "
              + "\(option: "offset") \(unit.name.shellQuoted)=SECONDS moves it alone."
          ))
      }
    }
    return found
  }

  /// Returns true if the recording determines its owner's place: the first with sound, or else the
  /// first.
  private func isFirst(_ index: Int, _ silent: [Bool]) -> Bool {
    let own = units.indices.filter { units[$0].owner == units[index].owner }
    return index == own.first { !silent[$0] } ?? own.first
  }

  /// Returns the first recording of the largest group whose relative places are known.
  private static func largestGroup(_ findings: [SoundAligner.Finding], _ silent: [Bool]) -> Int {
    let sounding = findings.indices.filter { !silent[$0] }.map { findings[$0].group }
    let counts = Dictionary(grouping: sounding) { $0 }
    return counts.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.key ?? 0
  }

  /// Returns the places of all recordings. A recording unrelated to `first` is placed by the wall
  /// clock, or starts with the first recording.
  private func places(
    _ findings: [SoundAligner.Finding], from first: Int, _ silent: [Bool],
    _ audio: [AlignmentAudio]
  ) -> [SoundAligner.Position] {
    var places = findings.enumerated().map { index, finding in
      var place = finding.place
      if finding.group != findings[first].group {
        let shift = clock(finding.group) - clock(first) + findings[first].place.offset
        place = SoundAligner.Position(offset: shift + place.offset, rate: place.rate)
      }
      // An inaudible drift is not corrected, so the sound is played without resampling.
      let skew = (place.rate - 1) * audio[index].seconds
      guard abs(skew) < Self.smallestSkew else { return place }
      return SoundAligner.Position(offset: place.offset + skew / 2)
    }
    for (index, unit) in units.enumerated() where !isFirst(index, silent) {
      guard findings[index].group != findings[first].group || !findings[index].isSure,
        let main = units.indices.first(where: {
          units[$0].owner == unit.owner && isFirst($0, silent)
        })
      else { continue }
      places[index] = places[main]
    }
    for (index, unit) in units.enumerated() where findings[index].group != findings[first].group {
      guard let offset = fixed[unit.owner], isFirst(index, silent) else { continue }
      places[index] = SoundAligner.Position(offset: offset.seconds)
    }
    return places
  }

  /// Returns the start of a recording by its wall clock in seconds, or 0 if not all recordings have
  /// one.
  private func clock(_ index: Int) -> Double {
    clocks.flatMap { $0[units[index].tracks[0].id] }?.seconds ?? 0
  }

  /// Computes the ``AlignmentAudio`` of each unit.
  private func read() throws(RenderError) -> [AlignmentAudio] {
    let seconds = Self.mostBytes / Self.bytesPerSecond / max(1, units.count)
    let results = try readers.results(
      of: units.map { RecordingReadTask.alignmentAudio($0.voices, seconds: seconds) })
    guard !readers.cancellation.isCancelled else { throw .stopped(readers.cancellation) }
    return results.map { result in
      guard case .alignmentAudio(let audio) = result else { return AlignmentAudio() }
      return audio
    }
  }

  // MARK: - Sentences

  private func sentence(
    _ index: Int, _ places: [SoundAligner.Position], _ finding: SoundAligner.Finding
  ) -> UserMessage {
    guard let best = finding.best else { return "" }
    let (place, base) = (places[index], places[best.other])
    let offset = (place.offset - base.offset) / base.rate
    let (name, other) = (units[index].name, units[best.other].name)
    var sentence: UserMessage =
      "\(name)'s recording starts \(SoundAligner.text(abs(offset), 3)) s "
      + "\(offset < 0 ? "before" : "after") \(other)'s"
    let parts = (place.rate / base.rate - 1) * 1e6
    if place.rate != base.rate {
      sentence +=
        ", and its clock is \(SoundAligner.text(abs(parts), 1)) ppm \(parts > 0 ? "slow" : "fast")"
    }
    let delay = Int(saturating: (best.alignment.delay * 1000).rounded())
    if delay > 0 { sentence += "; each hears the other \(delay) ms late" }
    return sentence
      + ", by their sound (confidence \(SoundAligner.text(finding.confidence, 2)))."
  }

  private func loss(
    _ index: Int, _ finding: SoundAligner.Finding, _ first: Int, isNear: Bool
  ) -> Loss.UnalignedParticipant {
    let manner: Loss.UnalignedParticipant.Fallback =
      isNear ? .near : clock(index) != clock(first) ? .clock : .start
    return Loss.UnalignedParticipant(
      name: units[index].name, other: finding.best.map { units[$0.other].name },
      passages: finding.best?.alignment.windowCount ?? 0,
      agreeing: finding.best?.alignment.agreeingCount ?? 0, manner: manner)
  }

  /// Returns the reason that a recording had no passages to compare with another one, or `nil` if
  /// the passages merely differ.
  private func lack(_ audio: AlignmentAudio, _ other: AlignmentAudio?) -> Loss.UnalignedParticipant
    .ComparisonFailure?
  {
    guard let other, min(audio.seconds, other.seconds) >= Self.shortest else { return .short }
    return audio.isQuiet || other.isQuiet ? .quiet : nil
  }

  /// Returns the note about gaps in a recording that lacks samples, with the confidence of the
  /// alignment.
  private func sentence(of finding: SoundAligner.Finding, in unit: AlignmentUnit) -> UserMessage {
    let gaps = finding.gaps.prefix(Self.mostGaps).map {
      "\(SoundAligner.text($0.seconds * 1000, 0)) ms at \(SoundAligner.text($0.time, 1)) s"
    }
    let more = finding.gaps.count - gaps.count
    let result =
      unit.isOneRow
      ? "the sound after each gap is played later by its length"
      : "its files keep their places, so the sound after each gap is early by its length"
    return
      "\(unit.name) lacks samples: \(gaps.joined(separator: ", "))\(more > 0 ? " and \(more) more" : ""); "
      + "\(result) (confidence \(SoundAligner.text(finding.confidence, 2)))."
  }
}

extension AlignmentUnit {
  /// Returns the gaps in each track, relative to the track's start. Streams of one file get the
  /// same gaps. Empty if the unit is not one row of files.
  fileprivate func gaps(_ gaps: [SampleGap]) -> [Track.ID: [TrackAlignment.SampleGap]] {
    guard isOneRow else { return [:] }
    var result: [Track.ID: [TrackAlignment.SampleGap]] = [:]
    for gap in gaps {
      let time = MediaTime(nanoseconds: Int64(saturating: (gap.time * 1e9).rounded()))
      let length = MediaTime(nanoseconds: Int64(saturating: (gap.seconds * 1e9).rounded()))
      let start = tracks.map(\.start).filter { $0 <= time }.max()
      for track in tracks where track.start == start {
        result[track.id, default: []].append(
          TrackAlignment.SampleGap(time: time - track.start, length: length))
      }
    }
    return result
  }
}
