import TesseraMedia
public import TesseraTimeline

/// A mark on the timeline that players offer to jump to.
public struct Chapter: Hashable, Sendable, Codable {
  /// Where it begins.
  public var start: MediaTime
  /// What it is called.
  public var title: String

  /// `title` from `start` on.
  public init(start: MediaTime, title: String) { (self.start, self.title) = (start, title) }

  /// The most that a file has.
  static let most = 255
  /// They are at least so far apart.
  static let leastDistance = MediaTime(seconds: 10)
}

extension Plan {
  /// What happens in which frame: people come and go, screens are shared, the layout changes.
  var marks: [Int: [String]] {
    var marks: [Int: [String]] = [:]
    for slot in slots {
      guard let id = slot.participant else { continue }
      let name = participants.first { $0.id == id }?.name ?? id.rawValue
      for range in slot.presence {
        if slot.kind == .screen {
          marks[range.lowerBound, default: []].append("\(name) shares a screen")
          marks[range.upperBound, default: []].append("\(name) stops sharing")
        } else {
          marks[range.lowerBound, default: []].append("\(name) joins")
          marks[range.upperBound, default: []].append("\(name) leaves")
        }
      }
    }
    for frame in layoutFrames { marks[frame, default: []].append("the layout changes") }
    return marks
  }

  /// The chapters of the rendered part: where something happens, with distance between them.
  func chapters() -> [Chapter] {
    let rate = output.video.frameRate
    let origin = rate.time(ofFrame: frames.lowerBound)
    var chapters = [Chapter(start: .zero, title: "Start")]
    for (frame, texts) in marks.sorted(by: { $0.key < $1.key })
    where frame > frames.lowerBound && frame < frames.upperBound {
      let start = rate.time(ofFrame: frame) - origin
      guard let last = chapters.last, start - last.start >= Chapter.leastDistance,
        chapters.count < Chapter.most
      else { continue }
      chapters.append(Chapter(start: start, title: texts.listed(most: 3)))
    }
    return chapters.count > 1 ? chapters : []
  }
}
