import TesseraJobs
import TesseraPlan
import TesseraRecordings
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline

/// Lays people's recordings against each other by what is heard in several of them.
///
/// Everyone's recordings begin together at first. The first person whose place is known, or the
/// first at all, stays; whoever shares enough sound with somebody whose place is known is placed
/// next, until everyone is.
struct SoundAlignment {
  /// Where everyone is.
  struct Found {
    /// By how much people's times are later than they would be.
    var offsets: [Participant.ID: MediaTime] = [:]
    /// Timeline seconds in a second of theirs.
    var rates: [Participant.ID: Ratio] = [:]
    /// A sentence for each who was placed.
    var notes: [String] = []
  }

  private let people: [Person]
  private let fixed: [Participant.ID: MediaTime]
  private let readers: TaskPool

  /// Bytes that everyone's sound may take, and those that a second takes.
  private static let (mostBytes, bytesPerSecond) = (400_000_000, 8400)
  /// Clocks that differ by less over a whole recording, in seconds, do not differ.
  private static let smallestSkew = 0.001
  /// The parts of a rate's unit: a hundredth of a part per million.
  fileprivate static let rateUnit = 100_000_000

  /// Time t of somebody lies at offset + t · rate.
  private struct Place {
    var offset: Double
    var rate: Double
  }

  /// What came of comparing somebody with another.
  private struct Match {
    var alignment: AlignSound.Alignment
    var other: Int
  }

  /// `people`, who begin together; the places of those in `fixed` are known.
  init(_ people: [Person], fixed: [Participant.ID: MediaTime], readers: TaskPool) {
    self.people = people.filter(\.isRecorded)
    (self.fixed, self.readers) = (fixed, readers)
  }

  /// Finds everyone's place.
  ///
  /// - Throws: ``RenderError`` where somebody's is not sure, with how sure it is.
  func find() throws(RenderError) -> Found {
    guard people.count > 1 else { return Found(offsets: fixed) }
    let sketches = try read()
    var search = Search(places: known(sketches))
    // Whose place is found is somebody else to compare all others with.
    var next = 0
    while next < search.order.count, search.order.count < people.count {
      for index in people.indices where search.places[index] == nil {
        if readers.cancellation.isCancelled { throw .stopped(readers.cancellation) }
        let other = search.order[next]
        let alignment = Self.settled(
          AlignSound.align(sketches[index], to: sketches[other]), sketches[index])
        search.take(Match(alignment: alignment, other: other), of: index)
      }
      next += 1
    }
    if let index = people.indices.first(where: { search.places[$0] == nil }) {
      throw refusal(index, search.best[index], isSilent: sketches[index].isSilent)
    }
    var found = Found(offsets: fixed)
    for index in search.order where fixed[people[index].participant.id] == nil {
      guard let place = search.places[index] else { continue }
      found.add(place.offset, place.rate, people[index].participant)
      if let match = search.best[index] { found.notes.append(sentence(index, match)) }
    }
    return found
  }

  /// The places that are known; that of the first who sounds where none is.
  private func known(_ sketches: [SoundSketch]) -> [Int: Place] {
    var places: [Int: Place] = [:]
    for index in people.indices {
      guard let offset = fixed[people[index].participant.id] else { continue }
      places[index] = Place(offset: offset.seconds, rate: 1)
    }
    if places.isEmpty, let first = people.indices.first(where: { !sketches[$0].isSilent }) {
      places[first] = Place(offset: 0, rate: 1)
    }
    return places
  }

  /// How far the search has come.
  private struct Search {
    var places: [Int: Place]
    /// Those whose places are known, in the order in which they were found.
    var order: [Int]
    /// The surest match of each who was compared.
    var best: [Int: Match] = [:]

    init(places: [Int: Place]) {
      self.places = places
      order = places.keys.sorted()
    }

    mutating func take(_ match: Match, of index: Int) {
      let alignment = match.alignment
      guard alignment.confidence >= best[index]?.alignment.confidence ?? 0 || alignment.isSure
      else { return }
      best[index] = match
      guard alignment.isSure, let base = places[match.other] else { return }
      places[index] = Place(
        offset: base.offset + base.rate * alignment.offset,
        rate: base.rate * (1 + alignment.partsPerMillion / 1e6))
      order.append(index)
    }
  }

  /// Everyone's sound.
  private func read() throws(RenderError) -> [SoundSketch] {
    let seconds = Self.mostBytes / Self.bytesPerSecond / max(1, people.count)
    let voices = people.map { person in
      let speech = person.voices.filter(\.isSpeech)
      return (speech.isEmpty ? person.voices : speech).map(\.source)
    }
    let results = try readers.read(voices.map { .sketch($0, seconds: seconds) })
    guard !readers.cancellation.isCancelled else { throw .stopped(readers.cancellation) }
    return results.map { result in
      guard case .sketch(let sketch) = result else { return SoundSketch() }
      return sketch
    }
  }

  /// The alignment without a drift that is too small to be heard: sound is then played as it is.
  private static func settled(
    _ alignment: AlignSound.Alignment, _ sketch: SoundSketch
  ) -> AlignSound.Alignment {
    let skew = alignment.partsPerMillion / 1e6 * sketch.seconds
    guard abs(skew) < smallestSkew else { return alignment }
    var settled = alignment
    settled.offset += skew / 2
    settled.partsPerMillion = 0
    return settled
  }

  // MARK: - Sentences

  private func sentence(_ index: Int, _ match: Match) -> String {
    let alignment = match.alignment
    let side = alignment.offset < 0 ? "before" : "after"
    let (name, base) = (people[index].participant.name, people[match.other].participant.name)
    var sentence =
      "\(name)'s recording begins \(Self.text(abs(alignment.offset), 3)) s \(side) \(base)'s"
    if alignment.partsPerMillion != 0 {
      sentence +=
        ", and its clock is \(Self.text(abs(alignment.partsPerMillion), 1)) ppm "
        + (alignment.partsPerMillion > 0 ? "slow" : "fast")
    }
    if alignment.delay > 0 {
      let delay = Int(saturating: (alignment.delay * 1000).rounded())
      sentence += ", where each hears the other \(delay) ms late"
    }
    return sentence + ", by their sound (confidence \(Self.text(alignment.confidence, 2)))."
  }

  private func refusal(
    _ index: Int, _ best: Match?, isSilent: Bool
  ) -> RenderError {
    let name = people[index].participant.name
    let remedy =
      "give --offset \(name)=SECONDS, or another --align than sound."
    guard let best, !isSilent else {
      return RenderError(
        .failure, "cannot place \(name) by sound, as there is none (confidence 0); \(remedy)")
    }
    let (alignment, other) = (best.alignment, people[best.other].participant.name)
    return RenderError(
      .failure,
      "cannot place \(name) by sound: of \(alignment.windowCount) passages compared with "
        + "\(other)'s recording \(alignment.agreeingCount) agree (confidence "
        + "\(Self.text(alignment.confidence, 2)); "
        + "\(Self.text(AlignSound.leastConfidence, 2)) and \(AlignSound.leastAgreeing) passages "
        + "are needed); \(remedy)")
  }

  /// A number that is not negative with that many decimals.
  private static func text(_ value: Double, _ decimals: Int) -> String {
    var unit = 1
    for _ in 0..<decimals { unit *= 10 }
    let scaled = Int(saturating: (value * Double(unit)).rounded())
    let digits = String(scaled % unit)
    return "\(scaled / unit)." + String(repeating: "0", count: decimals - digits.count) + digits
  }
}

extension SoundAlignment.Found {
  fileprivate mutating func add(_ offset: Double, _ rate: Double, _ person: Participant) {
    offsets[person.id] = MediaTime(nanoseconds: Int64(saturating: (offset * 1e9).rounded()))
    let parts = Int(saturating: (rate * Double(SoundAlignment.rateUnit)).rounded())
    rates[person.id] =
      parts == SoundAlignment.rateUnit ? .one : Ratio(parts, SoundAlignment.rateUnit)
  }
}

extension Person {
  /// Whether anything moving or sounding was recorded, so that there is something to place.
  fileprivate var isRecorded: Bool {
    !voices.isEmpty || lanes.contains { !$0.takes.isEmpty }
  }
}
