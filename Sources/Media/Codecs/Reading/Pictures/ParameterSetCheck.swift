/// Detects pictures that are coded with parameter sets missing from the file.
///
/// Chromium's MediaRecorder writes MP4 with `avc1` and omits the new sets after a change of the
/// size. A decoder continues with the old ones and returns garbage. The evidence, which
/// distinguishes this from a damaged picture: a keyframe without parameter sets of its own and the
/// picture after it are both damaged.
struct ParameterSetCheck {
  /// The decision on a decoded picture.
  enum Verdict: Equatable {
    case shown
    /// Undecided: the verdict on the next picture applies to this one too.
    case inDoubt
    /// The picture is shown, and so is the undecided one before it, with that packet number.
    case bothShown(Int)
    /// Neither the picture nor the undecided one before it, with that packet number, can be shown.
    case unknown(Int)
    case stillUnknown
  }

  /// The last keyframe sent, if it has no parameter sets; otherwise `nil`.
  private var bareKeyframe: Int?
  /// The keyframe that the next picture decides about; `nil` if there is none.
  private var doubted: Int?
  /// True while pictures cannot be shown, until a keyframe that decodes.
  private var isUnknown = false

  mutating func sendKeyframe(_ packet: Int, lacksParameterSets: Bool) {
    bareKeyframe = lacksParameterSets ? packet : nil
  }

  /// Judges the picture of packet number `packet`. Must be called in presentation order. A picture
  /// that could not be decoded at all counts as damaged.
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

  /// Removes and returns the undecided picture at the end of the stream; `nil` if there is none.
  mutating func takeDoubt() -> Int? { doubted.take() }
}
