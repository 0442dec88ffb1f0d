import Foundation
import TesseraCodecs
import TesseraDocuments
import TesseraLayout
import TesseraRequest
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraPlanning

@Suite("Render requests", .timed) struct RenderRequestTests {
  private func request(_ text: String) throws -> RenderRequest {
    try RenderRequest(DocumentValue(text, .json, file: "r.json"), file: "r.json")
  }

  private func sentence(_ text: String) -> String {
    do {
      _ = try request(text)
      return ""
    } catch {
      return "\(error)"
    }
  }

  @Test("Every option is read and written by its name", arguments: RenderRequest.optionNames)
  func roundTrip(_ name: String) throws {
    let texts = try #require(OptionSamples.texts[name], "\(name) has no sample")
    var request = RenderRequest("call", to: "call.mp4")
    try request.set(name, texts)
    #expect(request.givenOptions.map(\.row.name) == [name])
    #expect(request.texts(name) == texts)
    let again = try self.request(try request.document().json())
    #expect(again.givenOptions.map(\.row.name) == [name])
    #expect(again.texts(name) == texts)
  }

  @Test("Codable coding preserves a request")
  func codable() throws {
    var request = RenderRequest("call", to: "call.mp4")
    for (name, texts) in OptionSamples.texts { try request.set(name, texts) }
    request.outputs += [.stream("web", [1080, 720]), .thumbnails("small", every: .zero + .second)]
    let data = try JSONEncoder().encode(request)
    let again = try JSONDecoder().decode(RenderRequest.self, from: data)
    #expect(try again.document() == request.document())
  }

  @Test(
    "Errors name the invalid key",
    arguments: [
      (#"{"inputs": ["a"], "outputs": [{"file": "a.mp4"}]}"#, #""version" is missing"#),
      (#"{"version": 2, "inputs": [], "outputs": []}"#, #""version" must be 1"#),
      (
        #"{"version": 1, "inputs": ["a"], "outputs": [{"file": "a.mp4"}], "siez": "64x64"}"#,
        #""siez" is not a key of a request: did you mean "size"?"#
      ),
      (
        #"{"version": 1, "inputs": ["a"], "outputs": [{"file": "a.mp4"}], "gap": 900}"#,
        #""gap" takes 0 to 512 pixels."#
      ),
      (
        #"{"version": 1, "inputs": ["a"], "outputs": [{"file": "a.mp4"}], "fit": "fill"}"#,
        #""fit" cannot be "fill": give one of auto, cover, contain, blur."#
      ),
      (
        #"{"version": 1, "inputs": ["a"], "outputs": [{"file": "a.mp4"}], "layout": "gird"}"#,
        #"r.json: "layout" is wrong: unknown layout "gird": did you mean "grid"?"#
      ),
      (
        #"{"version": 1, "inputs": ["a"], "outputs": [{"file": "a.mp4", "local": "ben"}]}"#,
        "a.mp4: local describes the call, which is the same for all outputs"
      ),
      (
        #"{"version": 1, "inputs": ["a"], "outputs": [{"file": "a.mp4", "jobs": 2}]}"#,
        "a.mp4: jobs is about the whole render"
      ),
      (
        #"{"version": 1, "inputs": ["a"], "outputs": [{"file": "a.mp4", "siz": "64x64"}]}"#,
        #"the option "siz" is unknown: did you mean "size"?"#
      ),
      (
        #"{"version": 1, "inputs": ["a"], "outputs": [{"file": "web/"}]}"#,
        "state the content of the folder"
      ),
      (
        #"{"version": 1, "inputs": ["a"], "outputs": [{"file": "web", "hls": "7p"}]}"#,
        "hls takes even heights from 96p to 4320p"
      ),
      (
        #"{"version": 1, "inputs": ["a"], "outputs": [{"file": "p.png", "size": "64x64"}]}"#,
        "the option is at"
      ),
    ])
  func refusals(_ text: String, _ said: String) {
    #expect(sentence(text).contains(said), "\(sentence(text))")
  }

  @Test("Kinds of outputs are derived from names and keys")
  func kinds() throws {
    let outputs = try request(
      """
      {"version": 1, "inputs": ["a"], "outputs": [
        {"file": "a.mp4"}, {"file": "web/", "hls": ["720p", "360p"]},
        {"file": "small/", "every": 10}, {"file": "p.jpg"}, {"file": "q.png", "at": "1:02"}]}
      """
    ).outputs
    #expect(
      outputs.map(\.kind) == [
        .file, .stream([720, 360]), .thumbnails(every: MediaTime(seconds: 10)), .poster(at: nil),
        .poster(at: MediaTime(seconds: 62)),
      ])
    #expect(outputs.map(\.destination) == ["a.mp4", "web", "small", "p.jpg", "q.png"])
  }

  @Test("Values that only a program can supply are not passed to other processes")
  func policies() throws {
    var request = RenderRequest("call", to: "call.mp4")
    request.outputDefaults.layout = .policy(GridLayout())
    #expect(throws: RenderError.self) { try request.document() }
    #expect(throws: (any Error).self) { try JSONEncoder().encode(request) }
  }

  @Test("An output's own options override the common options")
  func patches() throws {
    var common = RenditionOptions()
    for row in RenditionOptions.rows {
      try common.set(row.name, try #require(OptionSamples.texts[row.name]))
    }
    #expect(
      RenditionOptions().over(common).givenOptions.map(\.texts) == common.givenOptions.map(\.texts))
    #expect(
      common.over(RenditionOptions()).givenOptions.map(\.texts) == common.givenOptions.map(\.texts))
    var own = RenditionOptions()
    try own.set("size", ["64x64"])
    try own.set("names", ["on"])
    let both = own.over(common)
    #expect(both.texts("size") == ["64x64"])
    #expect(both.texts("names") == ["on"])
    #expect(both.givenOptions.count == common.givenOptions.count)
  }

  @Test("An output gets no options that its kind does not support")
  func suiting() throws {
    var common = RenditionOptions()
    (common.encoder, common.preset, common.quality) = ("libx264", "slow", 18)
    common.soundCodec = .aac
    common.soundBitRate = 256_000
    let video = common.suiting(
      .webm, beside: common, .mp4, unless: RenditionOptions())
    #expect(video.encoder == nil && video.preset == nil && video.quality == nil)
    #expect(video.soundCodec == nil && video.soundBitRate == nil)
    let same = common.suiting(
      .mp4, beside: common, .mp4, unless: RenditionOptions())
    #expect(same.givenOptions.map(\.texts) == common.givenOptions.map(\.texts))
  }

  @Test("The files that options name can be listed and replaced")
  func files() throws {
    var request = RenderRequest("call", to: "call.mp4")
    for (name, texts) in OptionSamples.texts { try request.set(name, texts) }
    try request.set("layout", ["rooms/layout.json"])
    try request.set("theme", ["own.yaml"])
    try request.set("background", ["sky.png"])
    #expect(
      Set(request.files) == [
        "rooms/layout.json", "own.yaml", "sky.png", "logo.png", "call.vtt", "people.csv",
        "edits.yaml", "chapters.txt", "marks.csv", "ada.json",
      ])
    request.mapFiles { "/fetched/\($0)" }
    #expect(request.files.allSatisfy { $0.hasPrefix("/fetched/") })
    #expect(request.texts("transcript") == ["ada=/fetched/ada.json:start=-1.000"])
  }
}

extension MediaTime {
  fileprivate static let second = MediaTime(seconds: 1)
}
