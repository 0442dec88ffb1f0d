package import TesseraTimeline

/// Names a picture of a track: the packet that it comes from, and the field of it.
package struct PictureID: Hashable, Sendable {
  /// The number of the packet.
  package var packet: Int
  /// Whether it is made of the field that is shown second; false for whole pictures, too.
  package var isSecondField = false

  /// A picture of packet number `packet`.
  package init(packet: Int, isSecondField: Bool = false) {
    (self.packet, self.isSecondField) = (packet, isSecondField)
  }
}

extension PictureSource {
  /// Whether each field is a picture of its own.
  package var showsFields: Bool { pairTicks != nil }

  /// How many pictures there may be. Pictures are numbered from 0 in the order in which they are
  /// shown; of pairs of fields that may be shown one by one, a second one need not come.
  package var pictureCount: Int { showsFields ? 2 * order.count : order.count }

  /// The number of the picture `picture`, or of the last one before it; nil before the first.
  package func number(of picture: PictureID) -> Int? {
    let next = order.partitioningIndex { shows(picture.packet, before: Int($0)) }
    guard next > 0 else { return nil }
    guard showsFields else { return next - 1 }
    let isFirst = order[next - 1] == picture.packet && !picture.isSecondField
    return 2 * next - (isFirst ? 2 : 1)
  }

  /// The picture with that number.
  package func picture(numbered number: Int) -> PictureID {
    guard showsFields else { return PictureID(packet: Int(order[number])) }
    return PictureID(packet: Int(order[number / 2]), isSecondField: number % 2 == 1)
  }

  /// When the picture with that number is shown on the timeline of `clock`, which is not before the
  /// one before it.
  ///
  /// A second field is shown halfway through its pair, which lasts until the next one, but no
  /// longer than pairs usually do.
  package func time(ofPicture number: Int, on clock: TrackClock) -> ExactTime {
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

  /// Shows each field as a picture of its own if that makes motion smoother at `rate` on the
  /// timeline of `clock`: where there are fewer pairs than frames.
  ///
  /// A difference of up to one percent is none, such as that between 30 and 30000/1001.
  package mutating func showFields(at rate: FrameRate, on clock: TrackClock) {
    pairTicks = nil
    let ticks = order.map { index.ticks[Int($0)] }
    guard isInterlaced, let step = Stretch.usualStep(of: ticks) else { return }
    let pair = clock.time(ticks: clock.firstTicks +| step) - clock.start
    guard pair > rate.exactTime(ofFrame: 1) * Ratio(101, 100) else { return }
    pairTicks = step
  }
}
