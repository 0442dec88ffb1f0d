@testable import TesseraSoundtrack

extension GainCurve {
  /// Returns the gain in decibels at sample `position`.
  func decibels(at position: Int64) -> Float {
    var index = 0
    return decibels(at: position, from: &index)
  }
}

extension VoiceReport {
  /// True if sound of the voice was lost or repaired.
  var hasLosses: Bool { failure != nil || !losses.isEmpty || repairedSamples > 0 }
}

extension SoundAligner {
  /// Aligns `recording` with `reference`; the confidence is near 0 if they have no sound in common.
  /// `ofOnePerson` is true if both recordings have one owner.
  static func align(
    _ recording: AlignmentAudio, to reference: AlignmentAudio, ofOnePerson: Bool = false
  ) -> Alignment {
    let owners = ofOnePerson ? [0, 0] : [0, 1]
    return AlignmentMatrix([reference, recording], owners) { false }?.edges.first?.alignment
      ?? Alignment()
  }
}
