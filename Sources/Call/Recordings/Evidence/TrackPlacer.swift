package import TesseraMessages
package import TesseraTimeline

/// Places all tracks of a recording on one timeline by their anchors: a pure function.
///
/// Files that keep their distance whatever the clocks state (streams of one file, parts of one
/// recording) form a row. Rows that share a clock are joined by that clock, the finest clock first,
/// as a minimum spanning forest. A row that shares no clock starts with the call.
package struct TrackPlacer: Sendable {
  /// The recording with every track at its position. No track follows another track any more.
  package private(set) var recording: Recording
  /// The evidence that decided and the evidence that contradicts it, one sentence each.
  package private(set) var notes: [UserMessage] = []
  /// The evidence by which each track was placed, in words.
  package private(set) var reasons: [Track.ID: UserMessage] = [:]
  /// False if the recording has no evidence of the requested kind; ``recording`` is then placed as
  /// with `.auto`.
  package private(set) var isWarranted = true

  /// A track with the facts about its file.
  private struct TrackEntry {
    let (person, index): (Int, Int)
    let track: Track
    let facts: TrackPlacementFacts?
    var stamps: [StartTime] = []
    var row = 0
    /// The start of the track, relative to its row's start.
    var offset = MediaTime.zero
    /// The total length of the gaps where the file lacks samples.
    var missing = MediaTime.zero
    var reason: UserMessage?
    /// The end of the track, relative to its row's start.
    var end: MediaTime {
      let end = offset + (facts.map(track.length) ?? .zero) + missing
      // `stop` moves with the stated start.
      return track.stop.map { min($0 - track.start + offset, end) } ?? end
    }
  }

  /// The time at which a track or row starts, by one clock.
  private struct StartTime {
    /// The clock's identity: stamps with equal keys share one clock.
    var key: String
    var time: MediaTime
    var anchor: TimeAnchor
    var error: MediaTime { anchor.resolution }
  }

  /// Tracks that keep their distance to each other.
  private struct TrackGroup {
    var person: Int
    var pieces: [Int] = []
    /// True if the recorder, the user or the sound states the row's position.
    var isFixed: Bool { group == TrackPlacer.timeline }
    /// For each clock, the finest time of the row's start, and the range on which all parts agree.
    var stamps: [String: StartTime] = [:]
    var ranges: [String: (lowest: MediaTime, highest: MediaTime)] = [:]
    /// The row's start on the timeline of its group. A group consists of joined rows.
    var start = MediaTime.zero
    var group: Int
  }

  private let alignment: AlignmentMethod
  private let offsets: [Participant.ID: MediaTime]
  private let fileOffsets: [String: MediaTime]
  private var pieces: [TrackEntry] = []
  private var rows: [TrackGroup] = []
  /// For each pattern of dates in names, true if one program wrote all files of the pattern.
  private var patterns: [String: Bool] = [:]
  /// The clocks that confirm that the containers of their files continue one clock.
  private var continued: Set<String> = []

  /// The largest difference that viewers hardly see or hear: 40 ms.
  private static let frame = MediaTime(nanoseconds: 40_000_000)
  /// The longest time that recorders wait for their first packet: 100 ms.
  private static let lead = MediaTime(nanoseconds: 100_000_000)
  /// Clocks with errors of 20 s or more cannot order starts that are closer together than the
  /// error.
  private static let coarse = MediaTime(seconds: 20)
  /// The group of rows with stated positions.
  private static let timeline = -1
  /// The key prefix of clocks that were read from dates in files' names.
  package static let names = "names "
  /// The reason that is reported for a track without evidence.
  package static let unknown: UserMessage = "with the start of the call"

  /// Places the tracks of `recording`.
  ///
  /// - Parameters:
  ///   - recording: the recording.
  ///   - facts: the facts about the tracks' files.
  ///   - alignment: the preferred evidence where no recorder states positions.
  ///   - offsets: stated starts of participants, which overrule all evidence.
  ///   - fileOffsets: stated starts of single files, by their paths in the recording.
  ///   - moves: positions that were found by sound.
  package init(
    _ recording: Recording, _ facts: [Track.ID: TrackPlacementFacts],
    _ alignment: AlignmentMethod = .start,
    offsets: [Participant.ID: MediaTime] = [:], fileOffsets: [String: MediaTime] = [:],
    moves: [Track.ID: TrackAlignment] = [:]
  ) {
    (self.recording, self.alignment, self.offsets) = (recording, alignment, offsets)
    self.fileOffsets = fileOffsets
    for person in recording.participants.indices {
      for index in recording.participants[person].inOrderOfParts {
        var track = recording.participants[person].tracks[index]
        let known = facts[track.id]
        let dates = known?.writer.anchors ?? []
        track.anchors += dates.filter { !track.anchors.contains($0) }
        pieces.append(TrackEntry(person: person, index: index, track: track, facts: known))
        if fileOffsets[track.file] == nil, let move = moves[track.id] {
          pieces[pieces.count - 1].missing = move.missing()
        }
      }
    }
    patterns = Self.patterns(pieces)
    for index in pieces.indices { pieces[index].stamps = stamps(of: pieces[index]) }
    if alignment == .auto {
      findContinuedContainers()
      correctHours()
    }
    makeRows(moves)
    join()
    settle()
    if !isWarranted {
      let instead = TrackPlacer(
        recording, facts, .auto, offsets: offsets, fileOffsets: fileOffsets, moves: moves)
      (self.recording, notes, reasons) = (instead.recording, instead.notes, instead.reasons)
      return
    }
    explain()
    finish(moves)
  }

  // MARK: Clocks

  /// Returns the key of the clock of `anchor`; `nil` if the preference ignores that clock.
  private func key(_ anchor: TimeAnchor, _ piece: TrackEntry) -> String? {
    let signature = piece.facts?.writer.signature ?? ""
    switch (alignment, anchor.clock) {
    case (.auto, .wall(let name)):
      // Names of one pattern come from one machine only if one program wrote the files.
      return name.hasPrefix(Self.names)
        ? name + (patterns[name] == true ? "" : " \(signature)") : name
    case (.auto, .device(let name)): return "\(piece.person) \(name)"
    // Takes of one device share its time code.
    case (.auto, .timeCode): return "\(piece.person) time code \(signature)"
    // Dates in names are local time.
    case (.clock, .wall), (.clock, .device): return Self.isLocal(anchor) ? "local time" : "UTC"
    case (.clock, .timeCode): return "time code"
    default: return nil
    }
  }

  /// For each pattern of dates in names, true if one program wrote the files: files of one
  /// container format have one signature, and either all files or none name a device.
  private static func patterns(_ pieces: [TrackEntry]) -> [String: Bool] {
    var signatures: [String: [String: Set<String>]] = [:]
    var devices: [String: Set<Bool>] = [:]
    for piece in pieces {
      guard let writer = piece.facts?.writer else { continue }
      for case .wall(let name) in piece.track.anchors.map(\.clock) where name.hasPrefix(names) {
        let container = FileNameClassifier.fileExtension(piece.track.file)
        signatures[name, default: [:]][container, default: []].insert(writer.signature)
        devices[name, default: []].insert(!writer.signature.hasSuffix("|"))
      }
    }
    return signatures.reduce(into: [:]) { result, found in
      result[found.key] =
        found.value.values.allSatisfy { $0.count == 1 }
        && devices[found.key]?.count == 1
    }
  }

  private func stamps(of piece: TrackEntry) -> [StartTime] {
    if alignment == .container {
      return piece.facts.map { [container("container", $0, piece)] } ?? []
    }
    return piece.track.anchors.compactMap { anchor in
      guard var key = key(anchor, piece),
        piece.facts != nil || [.start, .created].contains(anchor.event)
      else { return nil }
      // A participant with an offset shares no clock with the others.
      if offset(of: piece.person) != nil { key += " of \(piece.person)" }
      return stamp(anchor, key, piece)
    }
  }

  private func stamp(_ anchor: TimeAnchor, _ key: String, _ piece: TrackEntry) -> StartTime {
    let isOwnZero = !continued.contains(key)
    let position = piece.facts?.position(of: anchor.event, isOwnZero: isOwnZero) ?? .zero
    let time = anchor.time - position + (piece.track.inPoint ?? .zero)
    return StartTime(key: key, time: time, anchor: anchor)
  }

  private func container(_ key: String, _ facts: TrackPlacementFacts, _ piece: TrackEntry)
    -> StartTime
  {
    let anchor = TimeAnchor(
      .start, .container, facts.containerStart, within: TimeAnchor.millisecond,
      source: "the container's times")
    return stamp(anchor, key, piece)
  }

  /// Finds the clocks that show that the containers of several files count on one clock instead of
  /// starting at zero each.
  ///
  /// A clock shows this if no difference between its dates contradicts the containers' times, and
  /// at least one difference is larger than the errors. Its files then get the containers' times as
  /// further evidence.
  private mutating func findContinuedContainers() {
    for key in Set(pieces.flatMap { $0.stamps.map(\.key) }).sorted() {
      continued.insert(key)
      let found = pieces.indices.compactMap {
        index -> (index: Int, date: StartTime, zero: StartTime)? in
        guard let facts = pieces[index].facts,
          let date = pieces[index].stamps.first(where: { $0.key == key })
        else { return nil }
        let zero = container("\(key) container", facts, pieces[index])
        return (index, stamp(date.anchor, key, pieces[index]), zero)
      }
      let gaps = found.dropFirst().map { member in
        (
          gap: member.zero.time - found[0].zero.time, said: member.date.time - found[0].date.time,
          error: member.date.error + found[0].date.error + TimeAnchor.millisecond
        )
      }
      guard gaps.allSatisfy({ ($0.gap - $0.said).magnitude < $0.error }),
        gaps.contains(where: { $0.gap.magnitude > $0.error })
      else {
        continued.remove(key)
        continue
      }
      for (index, date, zero) in found {
        pieces[index].stamps = pieces[index].stamps.filter { $0.key != key } + [date, zero]
      }
    }
  }

  /// Corrects dates without a zone whose difference from the containers' dates changes by whole
  /// hours: daylight saving time began or ended between two files.
  private mutating func correctHours() {
    var found: [String: [(piece: Int, stamp: Int, difference: MediaTime, error: MediaTime)]] = [:]
    for index in pieces.indices {
      let stamps = pieces[index].stamps
      guard let local = stamps.firstIndex(where: { Self.isLocal($0.anchor) }),
        let date = stamps.first(where: { !$0.key.hasPrefix(Self.names) && $0.anchor.isUTC })
      else { continue }
      found[stamps[local].key, default: []].append(
        (index, local, stamps[local].time - date.time, stamps[local].error + date.error))
    }
    for members in found.values {
      let steps = members.map { member in
        let distance = member.difference - members[0].difference
        let step = MediaTime(seconds: Int(saturating: (distance.seconds / 3600).rounded()) * 3600)
        return (time: step, isWhole: (distance - step).magnitude < member.error + members[0].error)
      }
      guard steps.allSatisfy(\.isWhole), steps.contains(where: { $0.time != .zero }) else {
        continue
      }
      for (member, step) in zip(members, steps) {
        let time = pieces[member.piece].stamps[member.stamp].time
        pieces[member.piece].stamps[member.stamp].time = time - step.time
      }
      notes.append(
        "the dates in the names start to differ from the creation dates by whole hours, as when "
          + "summer time begins or ends; the names count without these hours.")
    }
  }

  /// True for dates in names that state no zone.
  private static func isLocal(_ anchor: TimeAnchor) -> Bool {
    let name: String
    switch anchor.clock {
    case .wall(let pattern), .device(let pattern): name = pattern
    default: return false
    }
    return name.hasPrefix(names) && !name.contains(" digits")
      && !name.contains(where: "Zz+".contains)
      && !name.contains("UTC") && !name.contains("GMT")
  }

  // MARK: Rows

  private mutating func makeRows(_ moves: [Track.ID: TrackAlignment]) {
    var places: [Track.ID: Int] = [:]
    var files: [String: Int] = [:]
    for index in pieces.indices {
      let piece = pieces[index]
      // Streams of one file keep their distance unless an offset moves one of them.
      let isMoved = offset(of: piece.person) != nil
      let file = isMoved ? "\(piece.person)/\(piece.track.file)" : piece.track.file
      let stated = fileOffsets[piece.track.file]
      if stated == nil, let before = piece.track.follows.flatMap({ places[$0] }) {
        let (offset, gap) = joint(piece, pieces[before].end + piece.track.start, pieces[before].row)
        (pieces[index].row, pieces[index].offset) = (pieces[before].row, offset)
        pieces[index].reason =
          "after \(FileNameClassifier.fileName(pieces[before].track.file))"
          + (gap.map { ", by \($0.anchor.source) (\($0.anchor.text))" } ?? "")
      } else if piece.track.place == nil || stated != nil, moves.isEmpty, let same = files[file] {
        (pieces[index].row, pieces[index].offset) = (pieces[same].row, pieces[same].offset)
        pieces[index].reason = "with the other streams of its file"
      } else {
        var row = TrackGroup(person: piece.person, group: rows.count)
        if let (place, reason) = fixed(piece, moves[piece.track.id]) {
          (row.start, row.group) = (place, Self.timeline)
          pieces[index].reason = reason
        }
        pieces[index].row = rows.count
        rows.append(row)
      }
      places[piece.track.id] = index
      if piece.track.place == nil || stated != nil { files[file] = index }
      let (row, offset) = (pieces[index].row, pieces[index].offset)
      rows[row].pieces.append(index)
      // A stated position overrules the clocks.
      for var stamp in rows[row].isFixed ? [] : piece.stamps {
        stamp.time = stamp.time - offset
        let (low, high) = (stamp.time - stamp.error, stamp.time + stamp.error)
        let range = rows[row].ranges[stamp.key] ?? (low, high)
        let (lowest, highest) = (max(range.lowest, low), min(range.highest, high))
        // A date that contradicts the row's other parts was copied from the first part.
        guard lowest <= highest else { continue }
        rows[row].ranges[stamp.key] = (lowest, highest)
        let isFinest = rows[row].stamps[stamp.key].map { stamp.error < $0.error } ?? true
        if isFinest { rows[row].stamps[stamp.key] = stamp }
      }
    }
  }

  /// Returns the stated position of a row's first track, with the reason; `nil` if nothing states
  /// it.
  private func fixed(_ piece: TrackEntry, _ move: TrackAlignment?) -> (MediaTime, UserMessage)? {
    if let time = fileOffsets[piece.track.file] {
      return (time + (piece.track.inPoint ?? .zero), "by \(option: "offset")")
    }
    guard var place = piece.track.place ?? move.map({ _ in TimeAnchor(.session, .zero) }) else {
      return nil
    }
    guard place.clock == .session || move != nil else { return nil }
    let offset = offset(of: piece.person)
    // A recorder's date inside the file may be finer than the date in its manifest or name.
    if move == nil, let zero = recording.startedAt,
      let finer = piece.track.anchors.first(where: {
        $0.clock == .wall(TimeAnchor.recorder) && $0.resolution < place.resolution
      })
    {
      (place.event, place.time, place.source) = (finer.event, finer.time - zero, finer.source)
    }
    let lead = place.event == .zero ? piece.facts?.containerStart ?? .zero : .zero
    if let move {
      let reason: UserMessage = move.isFound ? "by its sound" : "by no sound of its own"
      return (place.time * move.rate + move.offset + lead, reason)
    }
    return (
      place.time + lead + (offset ?? .zero),
      "by \(place.source)" + (offset == nil ? "" : " and \(option: "offset")")
    )
  }

  /// Returns the offset of a part in `row` whose predecessor ends at `end`.
  ///
  /// Returns `end` if that agrees with every clock. Otherwise returns the time of the finest clock,
  /// clamped to the ranges of coarser clocks that agree with it, and that clock's stamp.
  private func joint(
    _ piece: TrackEntry, _ end: MediaTime, _ row: Int
  ) -> (offset: MediaTime, gap: StartTime?) {
    guard alignment == .auto || alignment == .clock else { return (end, nil) }
    var (place, gap) = (end, StartTime?.none)
    var (lowest, highest) = (MediaTime.zero - Recording.maximumTime, Recording.maximumTime)
    for stamp in piece.stamps.sorted(by: { $0.error < $1.error }) {
      guard let range = rows[row].ranges[stamp.key] else { continue }
      let (earliest, latest) = (
        stamp.time - stamp.error - range.highest, stamp.time + stamp.error - range.lowest
      )
      let exact = MediaTime(nanoseconds: earliest.nanoseconds / 2 +| latest.nanoseconds / 2)
      // A part whose date puts it at the first part's start has a copied date.
      guard exact > stamp.error || end <= latest,
        max(lowest, earliest) <= min(highest, latest)
      else { continue }
      (lowest, highest) = (max(lowest, earliest), min(highest, latest))
      guard gap == nil, earliest > end || latest < end else { continue }
      (place, gap) = (exact, stamp)
    }
    return (gap == nil ? end : min(max(place, lowest), highest), gap)
  }

  // MARK: Places

  /// Joins rows by the clocks that they share, the finest clock first.
  private mutating func join() {
    guard alignment != .start, alignment != .end else { return }
    var links: [(error: MediaTime, hub: Int, row: Int, key: String, distance: MediaTime)] = []
    for key in Set(rows.flatMap(\.stamps.keys)).sorted() {
      let members = rows.indices.filter { rows[$0].stamps[key] != nil }
      guard isPlausible(key, members) else {
        for row in members { rows[row].stamps[key] = nil }
        continue
      }
      let error = { (row: TrackGroup) in row.stamps[key]?.error ?? .zero }
      let finest = members.min { error(rows[$0]) < error(rows[$1]) }
      guard let hub = finest, let base = rows[hub].stamps[key] else { continue }
      for row in members where row != hub {
        guard let stamp = rows[row].stamps[key] else { continue }
        let (distance, error) = (distance(from: base, to: stamp), base.error + stamp.error)
        // Times to the minute do not order recordings that started within one minute.
        guard error < Self.coarse || distance.magnitude > error else { continue }
        links.append((error, hub, row, key, distance))
      }
    }
    links.stableSort { $0.error < $1.error }
    for link in links {
      guard rows[link.row].group != rows[link.hub].group else { continue }
      let (group, start) = (rows[link.row].group, rows[link.row].start)
      let move = rows[link.hub].start + link.distance - start
      for row in rows.indices where rows[row].group == group {
        (rows[row].group, rows[row].start) = (rows[link.hub].group, rows[row].start + move)
      }
      for row in [link.hub, link.row] {
        guard let anchor = rows[row].stamps[link.key]?.anchor else { continue }
        let piece = rows[row].pieces[0]
        pieces[piece].reason = pieces[piece].reason ?? "by \(anchor.source) (\(anchor.text))"
      }
    }
    isWarranted =
      alignment == .auto || alignment == .sound || !links.isEmpty
      || rows.count(where: { !$0.isFixed }) < 2
  }

  /// True if the recordings are as close together by the clock `key` as recordings of one call are.
  private func isPlausible(_ key: String, _ members: [Int]) -> Bool {
    // Exports rewrite tags with their own dates, so pauses are limited to 10 min (12 h for dates in
    // names).
    let pause =
      alignment != .auto
      ? Recording.maximumTime : MediaTime(seconds: key.hasPrefix(Self.names) ? 12 * 3600 : 600)
    let starts = members.compactMap { row in rows[row].stamps[key].map { ($0.time, row) } }
    var end: MediaTime?
    for (start, row) in starts.sorted(by: { $0.0 < $1.0 }) {
      guard start - (end ?? start) <= pause else { return false }
      end = max(end ?? start, start + length(of: row))
    }
    return true
  }

  private func length(of row: Int) -> MediaTime {
    rows[row].pieces.map { pieces[$0].end }.max() ?? .zero
  }

  private func offset(of person: Int) -> MediaTime? {
    offsets[recording.participants[person].id]
  }

  /// Returns the time from `a` to `b` by their common clock. Time code wraps at midnight.
  private func distance(from a: StartTime, to b: StartTime) -> MediaTime {
    let distance = b.time - a.time
    guard b.anchor.clock == .timeCode, distance.magnitude > MediaTime(seconds: 43_200) else {
      return distance
    }
    return distance - MediaTime(seconds: distance > .zero ? 86400 : -86400)
  }

  /// Moves each group without a stated position so that its first row starts at zero or at its
  /// offset.
  ///
  /// With `.end`, single rows end with the last row instead. Otherwise a single row starts with its
  /// participant's joined rows, if there are any.
  private mutating func settle() {
    let groups = Dictionary(grouping: rows.indices) { rows[$0].group }
    var firsts: [Int: MediaTime] = [:]
    for (group, members) in groups where group != Self.timeline {
      let first = members.map { rows[$0].start }.min() ?? .zero
      for row in members {
        rows[row].start = rows[row].start - first + (offset(of: rows[row].person) ?? .zero)
      }
      for row in members where members.count > 1 {
        firsts[rows[row].person] = min(firsts[rows[row].person] ?? rows[row].start, rows[row].start)
      }
    }
    let last = rows.indices.map { rows[$0].start + length(of: $0) }.max() ?? .zero
    for row in rows.indices where groups[rows[row].group] == [row] && !rows[row].isFixed {
      guard offset(of: rows[row].person) == nil, alignment != .start else { continue }
      if alignment == .end {
        rows[row].start = last - length(of: row)
        pieces[rows[row].pieces[0]].reason = "with the others' end"
      } else if let first = firsts[rows[row].person] {
        rows[row].start = first
        pieces[rows[row].pieces[0]].reason = "with the participant's other files"
      }
    }
  }

  private mutating func finish(_ moves: [Track.ID: TrackAlignment]) {
    var parts: [Int: [Int: [Track]]] = [:]
    var ids = Set(pieces.map(\.track.id))
    for piece in pieces {
      var track = piece.track
      let move = fileOffsets[track.file] == nil ? moves[track.id] : nil
      if let rate = move?.rate, rate != .one {
        track.rate = Track.rate(track.rate.value * rate.value)
      }
      let start = rows[piece.row].start + piece.offset
      track.stop = track.stop.map { stop in
        let length = stop - track.start
        return (length + (move?.missing(at: length) ?? .zero)) * (move?.rate ?? .one) + start
      }
      track.anchors.removeAll(where: \.isPosition)
      track.anchors.insert(TimeAnchor(.session, start), at: 0)
      let usual = offset(of: piece.person) == nil ? Self.unknown : "by \(option: "offset")"
      let own = move?.parts(of: track, from: piece.track, piece.facts, &ids) ?? [track]
      for part in own { reasons[part.id] = piece.reason ?? usual }
      parts[piece.person, default: [:]][piece.index] = own
    }
    for person in recording.participants.indices {
      let tracks = recording.participants[person].tracks
      recording.participants[person].tracks = tracks.indices.flatMap {
        parts[person]?[$0] ?? [tracks[$0]]
      }
    }
    recording.shiftToZero()
  }

  // MARK: Notes

  private func name(of row: Int) -> String {
    let isOnly = rows.count { $0.person == rows[row].person } == 1
    return isOnly
      ? recording.participants[rows[row].person].name
      : FileNameClassifier.fileName(pieces[rows[row].pieces[0]].track.file)
  }

  private func reason(of row: Int) -> UserMessage {
    pieces[rows[row].pieces[0]].reason ?? "with the call"
  }

  private static func phrase(_ time: MediaTime) -> String {
    let milliseconds = (time.magnitude.nanoseconds +| 500_000) / 1_000_000
    return "\(MediaTime(nanoseconds: milliseconds *| 1_000_000)) s "
      + (time < .zero ? "before" : "after")
  }

  /// Adds notes about the evidence that placed rows and the evidence that contradicts it.
  private mutating func explain() {
    let free = rows.indices.filter { !rows[$0].isFixed && offset(of: rows[$0].person) == nil }
    guard free.count > 1, alignment == .auto || alignment == .start else { return }
    let keys = Set(free.flatMap { rows[$0].stamps.keys }).sorted()
    for key in alignment == .auto ? keys : [] {
      let stamps = free.compactMap { row in rows[row].stamps[key].map { (row: row, stamp: $0) } }
      let isContainer = stamps.first?.stamp.anchor.clock == .container
      if contradict(
        stamps,
        "; \(isContainer ? "\(option: "align") container" : "\(option: "offset")" as UserMessage) chooses the other."
      ) {
        continue
      }
      guard let hub = stamps.min(by: { rows[$0.row].start < rows[$1.row].start }) else { continue }
      let moved = stamps.filter { member in
        rows[member.row].start - rows[hub.row].start > Self.frame
          && reason(of: member.row).commandLine.contains("\(member.stamp.anchor.source) (")
      }
      guard let first = moved.first else { continue }
      let others = moved.count > 1 ? " and \(moved.count - 1) more" : ""
      notes.append(
        "each recording is placed by \(hub.stamp.anchor.source): \(name(of: first.row)) starts "
          + "\(Self.phrase(rows[first.row].start - rows[hub.row].start)) \(name(of: hub.row))\(others); "
          + "\(option: "align") start lets all start together.")
    }
    let joined = Dictionary(grouping: free) { rows[$0].group }.filter { $0.value.count > 1 }
    for row in free where !joined.isEmpty && joined[rows[row].group] == nil {
      notes.append(
        "\(name(of: row)) shares no clock with the others, and starts \(reason(of: row)); \(option: "offset") "
          + "states another place.")
    }
    // Contradictions by clocks of several devices, or by clocks that the preference ignores.
    for isUTC in [true, false] {
      let dates = free.compactMap { row -> (row: Int, stamp: StartTime)? in
        let piece = pieces[rows[row].pieces[0]]
        let anchors = piece.track.anchors.filter { isUTC ? $0.isUTC : $0.clock == .timeCode }
        return anchors.min { $0.resolution < $1.resolution }.map { (row, stamp($0, "", piece)) }
      }
      let isNear = dates.allSatisfy { date in
        (date.stamp.time - dates[0].stamp.time).magnitude < Recording.maximumTime
      }
      guard Set(dates.map { rows[$0.row].group }).count > 1, isNear else { continue }
      let doubt = isUTC ? ", which may be different clocks" : ""
      if contradict(dates, "\(doubt); \(option: "align") clock follows them.") { break }
    }
    guard keys.isEmpty, alignment == .auto else { return }
    let containers = free.compactMap { row -> (row: Int, stamp: StartTime)? in
      let piece = pieces[rows[row].pieces[0]]
      return piece.facts.map { (row, container("", $0, piece)) }
    }
    let starts = containers.map(\.stamp.time)
    guard let first = starts.min(), let last = starts.max(), last - first > Self.lead else {
      return
    }
    _ = contradict(
      containers, ", which no other clock confirms; \(option: "align") container follows them.")
  }

  /// Adds a note about the first row whose start contradicts its time by a clock; `remedy` ends the
  /// sentence. Returns false if all rows agree with their clocks.
  private mutating func contradict(
    _ stamps: [(row: Int, stamp: StartTime)], _ remedy: UserMessage
  ) -> Bool {
    guard let hub = stamps.min(by: { rows[$0.row].start < rows[$1.row].start }) else {
      return false
    }
    let others = stamps.filter { row, stamp in
      let found = rows[row].start - rows[hub.row].start
      return row != hub.row
        && (found - distance(from: hub.stamp, to: stamp)).magnitude
          > max(Self.frame, stamp.error + hub.stamp.error)
    }
    guard let (row, stamp) = others.first else { return false }
    let more = others.count > 1 ? " (and so for \(others.count - 1) more)" : ""
    notes.append(
      "\(name(of: row)) starts \(Self.phrase(rows[row].start - rows[hub.row].start)) "
        + "\(name(of: hub.row)) \(reason(of: row)), but "
        + "\(Self.phrase(distance(from: hub.stamp, to: stamp))) it by \(stamp.anchor.source) "
        + "(\(hub.stamp.anchor.text), \(stamp.anchor.text))\(more)\(remedy)")
    return true
  }
}

extension MediaTime {
  /// The absolute value of the time.
  fileprivate var magnitude: MediaTime { max(self, .zero - self) }
}

extension Recording {
  /// Returns the recording with every track at its position: ``TrackPlacer/recording``.
  package func placed(
    _ facts: [Track.ID: TrackPlacementFacts], alignment: AlignmentMethod = .start,
    offsets: [Participant.ID: MediaTime] = [:], moves: [Track.ID: TrackAlignment] = [:]
  ) -> Recording {
    TrackPlacer(self, facts, alignment, offsets: offsets, moves: moves).recording
  }

  /// Moves everything to a later time if a track starts before zero, so that the first starts at
  /// zero.
  fileprivate mutating func shiftToZero() {
    guard let first = tracks.map(\.start).min(), first < .zero else { return }
    for person in participants.indices {
      for index in participants[person].tracks.indices {
        participants[person].tracks[index].start = participants[person].tracks[index].start - first
        let stop = participants[person].tracks[index].stop
        participants[person].tracks[index].stop = stop.map { $0 - first }
      }
    }
    for index in events.indices { events[index].time = events[index].time - first }
    for index in transcripts.indices {
      guard let start = transcripts[index].start else { continue }
      transcripts[index].start = start - first
    }
    startedAt = startedAt.map { $0 + first }
  }
}

extension TrackAlignment {
  /// Returns the stretches of a `placed` track between its gaps. `track` is that track before its
  /// placement.
  ///
  /// Each new part gets an identifier that `ids` does not contain; the method inserts it there.
  fileprivate func parts(
    of placed: Track, from track: Track, _ facts: TrackPlacementFacts?, _ ids: inout Set<Track.ID>
  ) -> [Track] {
    let length = facts.map(track.length) ?? .zero
    var parts = [placed]
    for gap in gaps where gap.time > .zero && gap.time < length {
      let position = gap.time * track.rate.inverse + (track.inPoint ?? .zero)
      var part = placed
      part.id = ids.insertNew("\(placed.id) part \(parts.count + 1)")
      part.inPoint = position
      part.start = placed.start + (gap.time + missing(at: gap.time)) * rate
      (parts[parts.count - 1].outPoint, parts[parts.count - 1].stop) = (position, nil)
      parts.append(part)
    }
    return parts
  }
}

extension Participant {
  /// The indices of the participant's tracks, each after the track that it follows.
  fileprivate var inOrderOfParts: [Int] {
    let positions = Dictionary(
      tracks.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    var (order, seen): ([Int], Set<Int>) = ([], [])
    for index in tracks.indices {
      var chain: [Int] = []
      var next: Int? = index
      while let step = next, seen.insert(step).inserted {
        chain.append(step)
        next = tracks[step].follows.flatMap { positions[$0] }
      }
      order += chain.reversed()
    }
    return order
  }
}
