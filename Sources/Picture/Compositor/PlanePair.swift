/// A pair of values: one for the luma plane and one for both chroma planes.
struct PlanePair<Value> {
  var luma: Value
  var chroma: Value

  /// Returns the value for plane 0 (luma), 1 (blue) or 2 (red).
  subscript(plane: Int) -> Value {
    plane == 0 ? luma : chroma
  }
}

extension PlanePair: Sendable where Value: Sendable {}
