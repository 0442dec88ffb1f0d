import TesseraLayout
import TesseraMessages
import TesseraPlan
import TesseraRequest
import TesseraSystem
import TesseraTimeline

extension Plan {
  /// Reports participants who are present but never visible: a loss if the layout places their tile
  /// outside the canvas, a note if the layout has too few places or never scrolls to them.
  ///
  /// - Parameters:
  ///   - isPart: True for a clip or another part beside the main output. All parts have the same
  ///     note, without names, so that it is reported once.
  ///   - isLimited: True if the maximum number of tiles is below the number of participants.
  ///   - size: Returns the canvas size at which everybody would be visible, or `nil` if there is
  ///     none.
  mutating func addWhatIsNotSeen(
    isPart: Bool, isLimited: Bool, size: () -> ProposedSize?
  ) {
    for slot in slots {
      guard let id = slot.participant else { continue }
      let times = scenes.offCanvasTimes(of: slot.id, before: shown.end)
        .filter { $0.end > shown.start }
        .map { TimeRange(start: max($0.start, shown.start), end: $0.end) }
      guard !times.isEmpty else { continue }
      losses.append(Loss(.offCanvas, of: id, source: sourceName(of: id), intervals: times))
    }
    let seen = Set(
      slots.filter { !visibility(of: $0.id).intersection(cut.ranges).isEmpty }.map(\.participant))
    let unseen = slots.filter { slot in
      slot.presence.contains { !cut.ranges.intersection([$0]).isEmpty }
        && !seen.contains(slot.participant)
        && scenes.isMissed(slot.id)
    }.compactMap(\.participant).unique.map(distinctName)
    guard !unseen.isEmpty else { return }
    let them: UserMessage =
      isPart
      ? "some participants of parts of the call are"
      : "\(unseen.listed(most: 3)) \(unseen.count == 1 ? "is" : "are")"
    let remedy: UserMessage =
      size().map { "\(option: "size") \($0) shows all of them." }
      ?? (isLimited ? "a higher \(option: "max-tiles") shows more." : "a grid shows more.")
    messages.append(
      "\(them) never seen, as this layout shows only some participants at once; \(remedy)")
  }

  /// Throws if the video would be black: none of the sources that the layout names exists, or no
  /// participant has a tile in `rendition`.
  func refuseEmptiness(
    _ layout: any LayoutPolicy, _ rendition: Rendition
  ) throws(RenderError) {
    guard rendition.hidden.isEmpty && rendition.tiles == .all || seatsAnyone else {
      throw RenderError(
        .usage,
        "\(option: "hide") and \(option: "tiles") leave no participant a tile; for the sound "
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

  /// True if any participant's own slot is present in the rendered frames.
  private var seatsAnyone: Bool {
    slots.contains { $0.participant != nil && $0.presence.contains { $0.overlaps(frames) } }
  }

  /// Returns the name of a participant's recording for messages.
  func sourceName(of id: ParticipantID) -> String {
    let participant = participants.first { $0.id == id }
    return participant?.files.first ?? participant?.name ?? id.rawValue
  }

  /// Returns a name for messages that no other participant in the plan has.
  private func distinctName(of id: ParticipantID) -> UserMessage {
    guard let participant = participants.first(where: { $0.id == id }) else {
      return "\(id.rawValue)"
    }
    let isUnique = participants.count { $0.name == participant.name } == 1
    return isUnique ? "\(participant.name)" : "\(file: sourceName(of: id))"
  }
}
