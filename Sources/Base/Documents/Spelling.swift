extension String {
  /// What other programs call our words, in small letters.
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

  /// The one of `candidates` that another program calls so, else the one that takes the fewest edits to write from this, and of several one
  /// that begins with the same letter; nil where that is more than a third of its letters, or two,
  /// or more than half of what was typed.
  package func nearest(among candidates: [String]) -> String? {
    // What nobody typed is not compared: the time is the product of both lengths.
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

  /// The number of letters inserted, deleted, replaced or exchanged with their neighbor to write
  /// `other` (optimal string alignment).
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

  /// The text, cut where it is too long for a message.
  var shortened: String { count <= 60 ? self : prefix(59) + "…" }
}
