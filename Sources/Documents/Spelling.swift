extension String {
  /// The one of `candidates` that takes the fewest edits to write from this; nil where that is
  /// more than a third of its letters, or two.
  public func nearest(among candidates: [String]) -> String? {
    // What nobody typed is not compared: the time is the product of both lengths.
    guard utf8.count <= 256 else { return nil }
    let distances = candidates.lazy.filter { $0.utf8.count <= 256 }.map {
      (name: $0, distance: editDistance(to: $0))
    }
    guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(2, best.name.count / 3) ? best.name : nil
  }

  /// The number of letters inserted, deleted or replaced to write `other` (Levenshtein).
  private func editDistance(to other: String) -> Int {
    let letters = Array(other.lowercased())
    var row = Array(0...letters.count)
    for (index, letter) in lowercased().enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in letters.indices {
        let replaced = diagonal + (letter == letters[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = Swift.min(replaced, diagonal + 1, row[column] + 1)
      }
    }
    return row[letters.count]
  }

  /// The text, cut where it is too long for a message.
  var shortened: String { count <= 60 ? self : prefix(59) + "…" }
}
