extension Unicode.Scalar {
  /// True if the scalar embeds, overrides or isolates the direction of text and so may reorder its
  /// surroundings (Unicode Standard Annex 9, section 2).
  package var turnsDirection: Bool {
    switch value {
    case 0x202a...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}
