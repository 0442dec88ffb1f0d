package import TesseraTimeline

/// Identifies a picture of a track: by its packet, and for separate fields by the field.
package struct DecodedPictureID: Hashable, Sendable {
  package var packet: Int
  /// True for the second field of an interlaced frame that is shown field by field.
  package var isSecondField = false

  /// Creates the identifier of a picture of packet number `packet`.
  package init(packet: Int, isSecondField: Bool = false) {
    (self.packet, self.isSecondField) = (packet, isSecondField)
  }
}

extension PictureSource {
  /// True if each field is shown as a separate picture.
  package var showsFields: Bool { pairTicks != nil }

  /// The maximum number of pictures. Pictures are numbered from 0 in presentation order. If fields
  /// are shown separately, second fields have odd numbers and need not exist.
  package var pictureCount: Int { showsFields ? 2 * order.count : order.count }

  /// Returns the number of `picture`, or of the last one before it; returns `nil` before the first.
  package func number(of picture: DecodedPictureID) -> Int? {
    let next = order.partitioningIndex { shows(picture.packet, before: Int($0)) }
    guard next > 0 else { return nil }
    guard showsFields else { return next - 1 }
    let isFirst = order[next - 1] == picture.packet && !picture.isSecondField
    return 2 * next - (isFirst ? 2 : 1)
  }

  /// Returns the identifier of picture number `number`.
  package func picture(numbered number: Int) -> DecodedPictureID {
    guard showsFields else { return DecodedPictureID(packet: Int(order[number])) }
    return DecodedPictureID(packet: Int(order[number / 2]), isSecondField: number % 2 == 1)
  }

  /// Returns the presentation time of picture number `number` on the timeline of `clock`. Times
  /// never decrease.
  ///
  /// A second field is shown halfway through its frame, which lasts until the next one, but not
  /// longer than the usual frame duration.
  package func time(ofPicture number: Int, on clock: TrackTimeMapping) -> ExactTime {
    let place = showsFields ? number / 2 : number
    let ticks = index.ticks[Int(order[place])]
    let first = clock.time(ticks: ticks)
    guard let pairTicks, number % 2 == 1 else { return first }
    var end = clock.time(ticks: ticks +| max(0, pairTicks))
    if place + 1 < order.count {
      end = min(end, clock.time(ticks: index.ticks[Int(order[place + 1])]))
    }
    return first + (end - first) * Ratio(1, 2)
  }

  /// Chooses to show fields separately if that makes motion smoother at `rate` on the timeline of
  /// `clock`: if there are fewer frames than output frames.
  ///
  /// Differences of up to 1 % do not count, such as that between 30 and 30000/1001.
  package mutating func showFields(at rate: FrameRate, on clock: TrackTimeMapping) {
    pairTicks = nil
    let ticks = order.map { index.ticks[Int($0)] }
    guard isInterlaced, let step = ClockStretch.usualStep(of: ticks) else { return }
    let pair = clock.time(ticks: clock.firstTicks +| step) - clock.start
    guard pair > rate.exactTime(ofFrame: 1) * Ratio(101, 100) else { return }
    pairTicks = step
  }
}
