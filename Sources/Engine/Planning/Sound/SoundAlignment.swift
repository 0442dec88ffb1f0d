import TesseraJobs
import TesseraPlan
import TesseraRecordings
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline

/// Lays recordings against each other by what is heard in several of them.
///
/// Everyone's recordings begin together at first. The first one, or those of people whose place is
/// known, stay. A person who cannot be placed is placed by the wall clock, or begins with the first one,
/// and is named.
struct SoundAlignment {
  /// Where everything is.
  struct Found {
    var moves: [Track.ID: TrackMove] = [:]
    /// A sentence for each file that was placed.
    var notes: [(file: String, sentence: String)] = []
    /// Who could not be placed.
    var losses: [Loss] = []
  }

  private let units: [SoundUnit]
  /// People, their offsets by their numbers in the recording, and when all recordings begin by
  /// their wall clocks, where these are known.
  private let people: [Participant]
  private let fixed: [Int: MediaTime]
  private let clocks: [Track.ID: MediaTime]?
  private let readers: TaskPool

  /// Bytes that everyone's sound may take, and those that a second takes.
  private static let (mostBytes, bytesPerSecond) = (400_000_000, 8400)
  /// Shorter recordings have too few passages to compare, in seconds.
  private static let shortest = 30.0
  /// The number of gaps that a note lists.
  private static let mostGaps = 8
  /// Clocks that differ by less over a whole recording, in seconds, do not differ.
  private static let smallestSkew = 0.001

  /// `units` of `people`, which begin together; the places of people in `fixed` are known.
  init(
    _ units: [SoundUnit], of people: [Participant], fixed: [Participant.ID: MediaTime],
    clocks: [Track.ID: MediaTime]?, readers: TaskPool
  ) {
    (self.units, self.people, self.clocks, self.readers) = (units, people, clocks, readers)
    var known: [Int: MediaTime] = [:]
    for (number, person) in people.enumerated() { known[number] = fixed[person.id] }
    self.fixed = known
  }

  /// Finds everyone's place.
  ///
  /// - Throws: ``RenderError`` where that is stopped.
  func find() throws(RenderError) -> Found {
    var found = Found()
    guard units.count > 1 else { return found }
    let sketches = try read()
    let silent = sketches.map(\.isSilent)
    // Of a person whose place is known the first file that sounds is there.
    var anchors: [Int: AlignSound.Place] = [:]
    for (owner, offset) in fixed {
      guard let index = units.indices.first(where: { units[$0].owner == owner && !silent[$0] })
      else { continue }
      anchors[index] = AlignSound.Place(offset: offset.seconds)
    }
    let cancellation = readers.cancellation
    guard
      let findings = AlignSound.findings(
        sketches, owners: units.map(\.owner), fixed: anchors,
        isCancelled: { cancellation.isCancelled })
    else { throw .stopped(cancellation) }
    let first = anchors.keys.min() ?? Self.largestGroup(findings, silent)
    let places = places(findings, from: first, silent, sketches)
    for (index, unit) in units.enumerated() {
      let move = TrackMove(
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
        loss.lack = lack(sketches[index], finding.best.map { sketches[$0.other] })
        found.losses.append(
          Loss(
            .unplaced(loss), of: ParticipantID(rawValue: people[unit.owner].id), source: file))
      } else {
        found.notes.append(
          (
            file,
            "\(unit.name) starts with \(people[unit.owner].name)'s other recordings, as its sound does not place it; "
              + "--offset \(unit.name.shellQuoted)=SECONDS moves it alone."
          ))
      }
    }
    return found
  }

  /// Whether the recording is the one that says where its owner is: the first that sounds, or the
  /// first.
  private func isFirst(_ index: Int, _ silent: [Bool]) -> Bool {
    let own = units.indices.filter { units[$0].owner == units[index].owner }
    return index == own.first { !silent[$0] } ?? own.first
  }

  /// The first recording of the most whose places are known relative to each other.
  private static func largestGroup(_ findings: [AlignSound.Finding], _ silent: [Bool]) -> Int {
    let sounding = findings.indices.filter { !silent[$0] }.map { findings[$0].group }
    let counts = Dictionary(grouping: sounding) { $0 }
    return counts.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.key ?? 0
  }

  /// Where all recordings lie; those that are not known relative to `first` by the clock, or with
  /// the first one.
  private func places(
    _ findings: [AlignSound.Finding], from first: Int, _ silent: [Bool], _ sketches: [SoundSketch]
  ) -> [AlignSound.Place] {
    var places = findings.enumerated().map { index, finding in
      var place = finding.place
      if finding.group != findings[first].group {
        let shift = clock(finding.group) - clock(first) + findings[first].place.offset
        place = AlignSound.Place(offset: shift + place.offset, rate: place.rate)
      }
      // A drift that is too small to be heard is none: sound is then played as it is.
      let skew = (place.rate - 1) * sketches[index].seconds
      guard abs(skew) < Self.smallestSkew else { return place }
      return AlignSound.Place(offset: place.offset + skew / 2)
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
      places[index] = AlignSound.Place(offset: offset.seconds)
    }
    return places
  }

  /// When a recording begins by its wall clock, in seconds; 0 where not all have one.
  private func clock(_ index: Int) -> Double {
    clocks.flatMap { $0[units[index].tracks[0].id] }?.seconds ?? 0
  }

  /// Everyone's sound.
  private func read() throws(RenderError) -> [SoundSketch] {
    let seconds = Self.mostBytes / Self.bytesPerSecond / max(1, units.count)
    let results = try readers.read(units.map { .sketch($0.voices, seconds: seconds) })
    guard !readers.cancellation.isCancelled else { throw .stopped(readers.cancellation) }
    return results.map { result in
      guard case .sketch(let sketch) = result else { return SoundSketch() }
      return sketch
    }
  }

  // MARK: - Sentences

  private func sentence(
    _ index: Int, _ places: [AlignSound.Place], _ finding: AlignSound.Finding
  ) -> String {
    guard let best = finding.best else { return "" }
    let (place, base) = (places[index], places[best.other])
    let offset = (place.offset - base.offset) / base.rate
    let (name, other) = (units[index].name, units[best.other].name)
    var sentence =
      "\(name)'s recording begins \(AlignSound.text(abs(offset), 3)) s "
      + "\(offset < 0 ? "before" : "after") \(other)'s"
    let parts = (place.rate / base.rate - 1) * 1e6
    if place.rate != base.rate {
      sentence +=
        ", and its clock is \(AlignSound.text(abs(parts), 1)) ppm \(parts > 0 ? "slow" : "fast")"
    }
    let delay = Int(saturating: (best.alignment.delay * 1000).rounded())
    if delay > 0 { sentence += ", where each hears the other \(delay) ms late" }
    return sentence
      + ", by their sound (confidence \(AlignSound.text(finding.confidence, 2)))."
  }

  private func loss(
    _ index: Int, _ finding: AlignSound.Finding, _ first: Int, isNear: Bool
  ) -> Loss.Unplaced {
    let manner: Loss.Unplaced.Manner =
      isNear ? .near : clock(index) != clock(first) ? .clock : .start
    return Loss.Unplaced(
      name: units[index].name, other: finding.best.map { units[$0.other].name },
      passages: finding.best?.alignment.windowCount ?? 0,
      agreeing: finding.best?.alignment.agreeingCount ?? 0, manner: manner)
  }

  /// The reason why no passages of a recording could be compared with another one; `nil` if they only differ.
  private func lack(_ sketch: SoundSketch, _ other: SoundSketch?) -> Loss.Unplaced.Lack? {
    guard let other, min(sketch.seconds, other.seconds) >= Self.shortest else { return .short }
    return sketch.isQuiet || other.isQuiet ? .quiet : nil
  }

  /// The gaps in a recording that lacks samples, with the confidence of its place.
  private func sentence(of finding: AlignSound.Finding, in unit: SoundUnit) -> String {
    let gaps = finding.gaps.prefix(Self.mostGaps).map {
      "\(AlignSound.text($0.seconds * 1000, 0)) ms at \(AlignSound.text($0.time, 1)) s"
    }
    let more = finding.gaps.count - gaps.count
    let result =
      unit.isOneRow
      ? "what follows each gap is played later by its length"
      : "its files keep their places, so that what follows each gap is early by its length"
    return
      "\(unit.name) lacks samples: \(gaps.joined(separator: ", "))\(more > 0 ? " and \(more) more" : ""); "
      + "\(result) (confidence \(AlignSound.text(finding.confidence, 2)))."
  }
}

extension SoundUnit {
  /// The gaps in each track of a unit that is one file and the parts that follow it, since the track's start; streams of
  /// one file have the same.
  fileprivate func gaps(_ gaps: [SampleGap]) -> [Track.ID: [TrackMove.Gap]] {
    guard isOneRow else { return [:] }
    var result: [Track.ID: [TrackMove.Gap]] = [:]
    for gap in gaps {
      let time = MediaTime(nanoseconds: Int64(saturating: (gap.time * 1e9).rounded()))
      let length = MediaTime(nanoseconds: Int64(saturating: (gap.seconds * 1e9).rounded()))
      let start = tracks.map(\.start).filter { $0 <= time }.max()
      for track in tracks where track.start == start {
        result[track.id, default: []].append(
          TrackMove.Gap(time: time - track.start, length: length))
      }
    }
    return result
  }
}
