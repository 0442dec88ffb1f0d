/// Finds where pictures are coded with parameter sets that are not in the file.
///
/// Chromium's MediaRecorder leaves the new sets out of an MP4 with `avc1` where the size changes. A
/// decoder goes on with the old ones and returns garbage. The sign of it, as opposed to a damaged
/// picture: a keyframe that brings no sets of its own and the picture after it are both damaged.
struct ParameterWatch {
  enum Verdict: Equatable {
    case shown
    /// Decided by the next picture.
    case inDoubt
    /// The picture, and before it this one that was in doubt.
    case bothShown(Int)
    /// Neither the picture nor this one before it.
    case unknown(Int)
    case stillUnknown
  }

  /// The last keyframe that was sent, if it brought no parameter sets.
  private var bareKeyframe: Int?
  private var doubted: Int?
  private var isUnknown = false

  mutating func sendKeyframe(_ packet: Int, lacksParameterSets: Bool) {
    bareKeyframe = lacksParameterSets ? packet : nil
  }

  /// Decides about the picture of packet number `packet`, which is damaged itself or not. Pictures
  /// come in the order in which they are shown; one that could not be decoded at all is damaged.
  mutating func see(_ packet: Int, isKeyframe: Bool, isDamaged: Bool) -> Verdict {
    let isBare = packet == bareKeyframe
    if isUnknown {
      guard isKeyframe, !(isDamaged && isBare) else { return .stillUnknown }
      isUnknown = false
      return .shown
    }
    if let first = takeDoubt() {
      isUnknown = isDamaged
      return isDamaged ? .unknown(first) : .bothShown(first)
    }
    guard isKeyframe, isDamaged, isBare else { return .shown }
    doubted = packet
    return .inDoubt
  }

  /// The picture that is in doubt, where none comes after it.
  mutating func takeDoubt() -> Int? { doubted.take() }
}
