import TestSupport
import Testing

@testable import TesseraRendering

@Suite struct PeopleTests {
  private func people(_ inputs: [String], local: String? = nil, focus: String? = nil) throws
    -> People
  {
    var request = try SceneRecordings.request(inputs)
    (request.local, request.focus) = (local, focus)
    return try People(request)
  }

  @Test(arguments: [
    ("ada", 0), ("rec/ada.webm", 0), ("ada.webm", 0), ("./rec/ada.webm", 0),
    ("1", 1), ("3", 2), ("ben.2024", 2),
  ])
  func namesGoBeforePathsAndNumbers(name: String, index: Int) throws {
    let people = try people(["rec/ada.webm", "1.mp4", "ben.2024.mkv"], local: name, focus: name)
    #expect(people.local == index && people.focus == index)
  }

  @Test func theFirstIsLocalAndNobodyIsLarge() throws {
    let people = try people(["a.webm", "b.webm"])
    #expect(people.local == 0 && people.focus == nil)
    #expect(people.names == [["a", "a.webm", "a.webm", "1"], ["b", "b.webm", "b.webm", "2"]])
  }

  @Test(arguments: [
    ("chole", "--focus chole is none of the recordings; did you mean chloe?"),
    ("nobody", "--focus nobody is none of the recordings; they are ada, chloe, ada."),
    ("4", "--focus 4 is none of the recordings; they are ada, chloe, ada."),
    ("ada", "--focus ada means 2 recordings; give a path or a number instead."),
  ])
  func refusesInOneSentence(name: String, sentence: String) throws {
    let error = #expect(throws: RenderError.self) {
      try people(["a/ada.webm", "chloe.mp4", "b/ada.webm"], focus: name)
    }
    #expect(error == RenderError(.usage, sentence))
  }

  @Test func anUnknownPersonIsSaidBeforeAnythingIsRead() throws {
    var request = try SceneRecordings.request(["/nowhere/ada.webm"])
    request.local = "ben"
    let error = #expect(throws: RenderError.self) { try SceneRecordings.plan(request) }
    #expect(error?.kind == .usage && error?.message.contains("--local ben") == true)
  }
}
