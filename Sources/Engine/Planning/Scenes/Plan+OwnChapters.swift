import TesseraPlan
import TesseraRecordings
import TesseraTimeline

extension Plan {
  /// The chapters that somebody wrote down, at times of the output. Of those whose beginnings are
  /// cut, the last one goes on.
  func chapters(_ marks: [ChapterFile.Mark]) -> [Chapter] {
    var chapters: [Chapter] = []
    let times = times
    for mark in marks {
      let start = times.output(mark.time)
      guard start < duration else { break }
      if chapters.last?.start == start { chapters.removeLast() }
      chapters.append(Chapter(start: start, title: mark.title))
    }
    return chapters
  }
}
