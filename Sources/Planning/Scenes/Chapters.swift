import TesseraJobs
import TesseraMedia
package import TesseraPlan
import TesseraTimeline

extension Chapter {
  /// The most that a file has.
  fileprivate static let most = 255
  /// What happens this soon after a chapter's beginning is a part of it.
  fileprivate static let length = MediaTime(seconds: 10)
}

/// What happens in a call, for those who look for a moment of it: what weighs more comes first.
package struct Happenings: Hashable, Sendable {
  /// What a shared screen or the layout does, a phrase each.
  package var scenes: [String] = []
  /// Who comes.
  package var joining: [String] = []
  /// Who leaves.
  package var leaving: [String] = []

  /// All of it in phrases, of which many people take one.
  package var phrases: [String] {
    func phrase(_ people: [String], _ one: String, _ many: String) -> [String] {
      people.isEmpty ? [] : ["\(people.listed(most: 3)) \(people.count == 1 ? one : many)"]
    }
    return scenes + phrase(joining, "joins", "join") + phrase(leaving, "leaves", "leave")
  }

  /// Adds what happens later.
  package mutating func add(_ other: Happenings) {
    func add(_ names: [String], to all: inout [String]) {
      all += names.filter { !all.contains($0) }
    }
    add(other.scenes, to: &scenes)
    add(other.joining, to: &joining)
    add(other.leaving, to: &leaving)
  }
}

extension Plan {
  /// What happens in which frame: people come and go, screens are shared, the layout changes.
  package var marks: [Int: Happenings] {
    var marks: [Int: Happenings] = [:]
    for slot in slots {
      guard let id = slot.participant else { continue }
      let name = participants.first { $0.id == id }?.name ?? id.rawValue
      for range in slot.presence {
        if slot.kind == .screen {
          marks[range.lowerBound, default: Happenings()].scenes.append("\(name) shares a screen")
          marks[range.upperBound, default: Happenings()].scenes.append("\(name) stops sharing")
        } else {
          marks[range.lowerBound, default: Happenings()].joining.append(name)
          marks[range.upperBound, default: Happenings()].leaving.append(name)
        }
      }
    }
    for frame in layoutFrames {
      marks[frame, default: Happenings()].scenes.append("the layout changes")
    }
    return marks
  }

  /// The chapters of the rendered part.
  ///
  /// One begins at the start and wherever something happens; what happens within ``Chapter/length``
  /// of its beginning is a part of it and of its title. But a shared screen or another layout
  /// begins a chapter of its own, unless such a one has just begun.
  package func chapters() -> [Chapter] {
    let rate = output.video.frameRate
    let length = rate.firstFrame(showing: Chapter.length)
    var chapters = [(frame: frames.lowerBound, happenings: Happenings())]
    for (frame, happenings) in marks.sorted(by: { $0.key < $1.key })
    where frame > frames.lowerBound && frame < frames.upperBound {
      let last = chapters[chapters.count - 1]
      let isMain = !happenings.scenes.isEmpty && last.happenings.scenes.isEmpty
      if frame - last.frame < length && !isMain || chapters.count == Chapter.most {
        chapters[chapters.count - 1].happenings.add(happenings)
      } else {
        chapters.append((frame, happenings))
      }
    }
    guard chapters.count > 1 || !chapters[0].happenings.phrases.isEmpty else { return [] }
    return chapters.enumerated().map { index, chapter in
      let phrases = chapter.happenings.phrases.listed(most: 3)
      let start = phrases.isEmpty ? "Start" : "Start: \(phrases)"
      return Chapter(
        start: rate.time(ofFrame: chapter.frame) - rate.time(ofFrame: frames.lowerBound),
        title: index == 0 ? start : phrases)
    }
  }
}
