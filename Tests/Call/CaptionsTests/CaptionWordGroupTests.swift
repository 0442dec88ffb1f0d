import TesseraCaptions
import TesseraTimeline
import TestSupport
import Testing

@Suite("Word-by-word captions", .timed) struct CaptionWordGroupTests {
  /// Returns words of 300 ms each, with a silence of 1 s for each `_`.
  private func words(_ text: String) -> [Transcript.Word] {
    var (words, time) = ([Transcript.Word](), 0)
    for word in text.split(separator: " ") {
      guard word != "_" else {
        time += 1000
        continue
      }
      words.append(
        Transcript.Word(
          String(word), from: MediaTime(nanoseconds: Int64(time) * 1_000_000),
          to: MediaTime(nanoseconds: Int64(time + 300) * 1_000_000)))
      time += 300
    }
    return words
  }

  private func texts(_ text: String) -> [String] {
    CaptionWordGroup.groups(words(text)).map(\.text)
  }

  @Test("Two to five words per group, divided at clauses, sentences and silences")
  func groups() {
    #expect(
      texts("So, what we really want is a tool that understands recordings.") == [
        "So, what we really", "want is a tool", "that understands recordings.",
      ])
    #expect(texts("Yes. _ And then we left") == ["Yes.", "And then we left"])
    #expect(texts("one two three _ four five") == ["one two three", "four five"])
  }

  @Test("A group has at most five words and 32 letters, unless a single word is longer")
  func limits() {
    let text = (0..<200).map { String(repeating: "x", count: 1 + $0 * 7 % 17) }
    let groups = CaptionWordGroup.groups(words(text.joined(separator: " ")))
    #expect(groups.flatMap(\.parts).map(\.text) == text)
    for group in groups {
      #expect(group.parts.count <= 5)
      #expect(group.text.count <= 32 || group.parts.count == 1)
    }
    #expect(groups.count { $0.parts.count == 1 } <= 1)
  }

  @Test("A word without spaces is divided into parts without spaces")
  func dense() {
    let word = Transcript.Word("今日は晴れ", from: .zero, to: MediaTime(seconds: 5))
    let groups = CaptionWordGroup.groups([word]) { _ in ["今日", "は", "晴れ"] }
    #expect(groups.map(\.text) == ["今日は晴れ"])
    #expect(groups[0].parts.map(\.isJoined) == [false, true, true])
    #expect(groups[0].parts[1].from > .zero && groups[0].parts[2].to == MediaTime(seconds: 5))
  }

  @Test("A group is shown until the next one, but not through a silence")
  func ends() {
    let groups = CaptionWordGroup.groups(
      words("one two three four five six seven eight _ nine ten"))
    for (group, next) in zip(groups, groups.dropFirst()) {
      let end = group.end(before: next)
      #expect(end >= group.to && end <= next.from)
      if next.from - group.to < MediaTime(nanoseconds: 600_000_000) { #expect(end == next.from) }
    }
    let last = try! #require(groups.last)
    #expect(last.end(before: nil) > last.to)
  }
}
