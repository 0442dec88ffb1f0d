extension String {
  /// The names that other programs use for Tessera's keys and values, in lowercase.
  private static let otherWords: [String: [String]] = [
    "microphone": ["mic", "audio", "muted"], "camera": ["cam", "video", "webcam"],
    "present": ["joined", "left"], "multiparty": ["multipartylayout"],
    "prominent": ["prominentcelllayout", "carousel"], "mosaic": ["mosaiclayout"],
    "flow": ["uicollectionviewflowlayout", "flowlayout"], "pip": ["pictureinpicture"],
    "cover": ["aspectfill", "scaleaspectfill", "resizeaspectfill"],
    "contain": ["aspectfit", "scaleaspectfit", "resizeaspect"], "width": ["itemsize"],
    "estimated-aspect": ["estimate", "estimateditemsize"], "inset": ["sectioninset"],
    "line-spacing": ["minimumlinespacing"], "item-spacing": ["minimuminteritemspacing"],
    "spacing": ["minimumlinespacing"], "direction": ["scrolldirection"],
    "axis": ["scrolldirection"], "alpha": ["standarditemalpha"],
    "scale": ["standarditemscale"],
  ]

  /// Returns the candidate that this text probably means, for a "did you mean" hint.
  ///
  /// A candidate that another program calls by this name wins; otherwise the one with the least
  /// edit distance, preferably with the same first letter. Returns `nil` if the distance is more
  /// than two edits (or a third of the candidate, if larger), or more than half of the shorter of
  /// the two.
  package func nearest(among candidates: [String]) -> String? {
    // Long text is not compared, because the time is the product of both lengths.
    guard utf8.count <= 256 else { return nil }
    let word = lowercased().filter(\.isLetter)
    let meant = candidates.first { Self.otherWords[$0]?.contains(word) == true }
    if let meant { return meant }
    let candidates = candidates.lazy.filter { $0.utf8.count <= 256 }.map { name in
      (
        name: name, distance: editDistance(to: name),
        begins: name.first?.lowercased() == first?.lowercased()
      )
    }
    let best = candidates.min {
      ($0.distance, $1.begins ? 1 : 0) < ($1.distance, $0.begins ? 1 : 0)
    }
    guard let best else { return nil }
    let shorter = Swift.min(best.name.count, count)
    let limit = Swift.min(max(2, best.name.count / 3), max(1, shorter / 2))
    return best.distance <= limit ? best.name : nil
  }

  /// Returns the number of letters to insert, delete, replace or swap with a neighbor to turn this
  /// text into `other` (optimal string alignment), ignoring case.
  private func editDistance(to other: String) -> Int {
    let (own, letters) = (Array(lowercased()), Array(other.lowercased()))
    var before: [Int] = []
    var row = Array(0...letters.count)
    for (index, letter) in own.enumerated() {
      var next = [index + 1]
      for column in letters.indices {
        let replaced = row[column] + (letter == letters[column] ? 0 : 1)
        var least = Swift.min(replaced, row[column + 1] + 1, next[column] + 1)
        if index > 0, column > 0, letter == letters[column - 1], own[index - 1] == letters[column] {
          least = Swift.min(least, before[column - 1] + 1)
        }
        next.append(least)
      }
      (before, row) = (row, next)
    }
    return row[letters.count]
  }

  /// The text, truncated to 60 characters for error messages.
  var shortened: String { count <= 60 ? self : prefix(59) + "…" }
}
