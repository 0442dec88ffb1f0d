import TesseraCompositor
import TesseraPixels

/// What each participant shows in the frame being composed, and behind the last of them what the
/// tile shows that stands for everyone without one.
struct Cast {
  /// The contents, by the participants' numbers.
  private(set) var contents: FrameSet
  private let participants: [Plan.Participant]
  private let visibilities: [Range<Int>]
  private let placeholder: TileContent
  private var current: [Picture?]
  private var lostFrom: [Int?]

  /// The cast of `plan` before the first picture.
  init(_ plan: Plan) {
    participants = plan.participants
    visibilities = participants.indices.map { plan.visibility(of: $0) }
    placeholder = .fill(plan.output.placeholder)
    contents = FrameSet(count: participants.count + 1)
    contents.contents[participants.count] = placeholder
    current = Array(repeating: nil, count: participants.count)
    lostFrom = Array(repeating: nil, count: participants.count)
  }

  /// Notes the picture that is shown from now on.
  mutating func show(_ picture: Picture, for participant: Int) { current[participant] = picture }

  /// Notes that no further pictures come.
  mutating func end(_ end: PictureQueue.End, for participant: Int) {
    lostFrom[participant] = end.lostFrom
  }

  /// Brings ``contents`` to what `frame` shows. Who leaves keeps the last picture on the way out.
  mutating func update(for frame: Int) {
    for index in participants.indices {
      if frame >= visibilities[index].upperBound { current[index] = nil }
      contents.contents[index] = content(index, frame)
    }
  }

  private func content(_ index: Int, _ frame: Int) -> TileContent {
    guard participants[index].pictures != nil else { return placeholder }
    if let lostFrom = lostFrom[index], frame >= lostFrom { return placeholder }
    return current[index].map { .picture($0) } ?? .empty
  }
}
