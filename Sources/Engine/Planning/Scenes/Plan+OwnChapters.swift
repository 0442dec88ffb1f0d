import TesseraPlan
import TesseraRecordings
import TesseraTimeline

extension Plan {
  /// Returns the user's chapters in times of the output. If the starts of several chapters fall
  /// into one cut, only the last of them remains.
  func chapters(_ marks: [ChapterFileReader.ChapterMark]) -> [Chapter] {
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
