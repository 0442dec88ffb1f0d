import TesseraLayout
import TesseraPlan
import TesseraRequest
import TesseraSystem
import TesseraTimeline

extension Plan {
  /// Notes people who are there but cannot be seen: a loss where the layout puts the tile off the
  /// canvas, a note where it has too few places or the canvas never lies over them.
  ///
  /// `size` is the canvas on which everybody would be seen; nil where there is none. `isLimited` is
  /// whether the most tiles are fewer than the people.
  mutating func addWhatIsNotSeen(isLimited: Bool = false, size: () -> ProposedSize?) {
    for slot in slots {
      guard let id = slot.participant else { continue }
      let times = scenes.strayTimes(of: slot.id, before: shown.end)
        .filter { $0.end > shown.start }
        .map { TimeRange(start: max($0.start, shown.start), end: $0.end) }
      guard !times.isEmpty else { continue }
      losses.append(Loss(.offCanvas, of: id, source: sourceName(of: id), intervals: times))
    }
    let seen = Set(
      slots.filter { !visibility(of: $0.id).intersection(cut.ranges).isEmpty }.map(\.participant))
    var people: Set<ParticipantID> = []
    let unseen = slots.filter { slot in
      slot.presence.contains { !cut.ranges.intersection([$0]).isEmpty }
        && !seen.contains(slot.participant)
        && scenes.isMissed(slot.id)
    }.compactMap(\.participant).filter { people.insert($0).inserted }.map(distinctName)
    guard !unseen.isEmpty else { return }
    let them = unseen.listed(most: 3) + (unseen.count == 1 ? " is" : " are")
    let remedy =
      size().map { "--size \($0) shows all in one go." }
      ?? (isLimited ? "a higher --max-tiles shows more." : "a grid shows more.")
    notes.append("\(them) never seen: this layout shows only some at once; \(remedy)")
  }

  /// Throws where the layout names its sources and none is there, or `rendition` leaves nobody a
  /// tile: the video would be black.
  func refuseEmptiness(
    _ layout: any LayoutPolicy, _ rendition: Rendition
  ) throws(RenderError) {
    guard rendition.hidden.isEmpty && rendition.tiles == .all || seatsAnyone else {
      throw RenderError(
        .usage,
        "\(option: "hide") and \(option: "tiles") leave nobody a tile; for the sound "
          + "alone, name an output like call.m4a."
      )
    }
    guard layout.namesItsSources, !slots.isEmpty,
      slots.allSatisfy({ visibility(of: $0.id).isEmpty })
    else { return }
    let known = participants.map(\.name)
    throw RenderError(
      .usage,
      "the layout shows none of the recordings; the sources that it can name are "
        + "\(known.listed(most: 10)).")
  }

  /// Whether somebody's own slot is there at some time.
  private var seatsAnyone: Bool {
    slots.contains { $0.participant != nil && $0.presence.contains { $0.overlaps(frames) } }
  }

  /// What sentences call somebody's recording.
  func sourceName(of id: ParticipantID) -> String {
    let participant = participants.first { $0.id == id }
    return participant?.files.first ?? participant?.name ?? id.rawValue
  }

  /// A name that nobody else in the plan has.
  private func distinctName(of id: ParticipantID) -> String {
    guard let participant = participants.first(where: { $0.id == id }) else { return id.rawValue }
    let isUnique = participants.count { $0.name == participant.name } == 1
    return isUnique ? participant.name : sourceName(of: id)
  }
}
