import Foundation
import TesseraPlanning
import TesseraRequest
import TesseraSystem
import TestSupport
import Testing

@testable import TesseraDelivery

@Suite("Requests with remote files, performed on local files", .timed) struct LocalRequestTests {
  @Test(
    "Remote inputs, outputs and files of options become local files, and messages name the originals"
  )
  func places() throws {
    let (folder, bucket) = (try TemporaryFolder(), try BucketStub())
    for name in ["ada.webm", "people.csv", "c.vtt", "logo.png"] {
      try Data(name.utf8).write(to: URL(filePath: folder.path(name)))
      try bucket.put(folder.path(name), at: "calls/\(name)")
    }
    var request = RenderRequest(
      ["s3://calls/ada.webm", folder.path("ben.webm")], to: [.file("s3://videos/out.mp4")])
    try request.set("people", ["s3://calls/people.csv"])
    try request.look.set("watermark", ["s3://calls/logo.png:height=0.2"])
    try request.look.set("captions-track", ["s3://calls/c.vtt:language=eng"])
    request.outputs.append(.stream("s3://videos/web/", [720]))
    request.sidecars.speakers = "s3://videos/turns.rttm"
    request.sidecars.stems = "s3://videos/stems/"
    request.means.secrets = bucket.secrets
    request.means.fetchCache = folder.path("cache")
    let local = try LocalRequest(
      request, beside: [RequestPlace("s3://videos/plan.json", isPlan: true)], Cancellation(),
      tell: { _ in })
    try local.fetch()
    #expect(local.files.outputs.map(\.isMain) == [true, false, false, false, false])
    #expect(local.files.outputs.map(\.isPlan) == [true, false, false, false, false])
    #expect(local.files.outputs.map(\.isFolder) == [false, false, true, false, true])
    #expect(local.files.outputs.map(\.entry) == [nil, nil, "master.m3u8", nil, nil])
    #expect(local.request.inputs[1] == folder.path("ben.webm"))
    let places = local.request.inputFiles + local.request.places.map(\.text)
    #expect(places.allSatisfy { $0.hasPrefix(folder.path("")) }, "\(places)")
    let text = PlainJSON.text(local.request)
    #expect(!text.contains("s3://"), "\(text)")
    let known = local.files.names.inJSON(text)
    for place in [
      "s3://calls/ada.webm", "s3://calls/people.csv", "s3://calls/logo.png:",
      "s3://calls/c.vtt:language=eng", "s3://videos/out.mp4", "s3://videos/web",
      "s3://videos/turns.rttm",
    ] {
      #expect(known.contains(place), "\(place): \(known)")
    }
  }

  @Test(
    "A session's outputs are beside the main output, even if only a report is in a bucket"
  )
  func main() throws {
    let (folder, bucket) = (try TemporaryFolder(), try BucketStub())
    var request = RenderRequest([folder.path("a.webm")], to: [.file(folder.path("out.mp4"))])
    request.sidecars.report = "s3://videos/out.json"
    request.means.secrets = bucket.secrets
    request.means.fetchCache = folder.path("cache")
    let local = try LocalRequest(request, Cancellation(), tell: { _ in })
    try local.fetch()
    #expect(local.files.outputs.map(\.isMain) == [false])
    #expect(local.request.outputs[0].place == folder.path("out.mp4"))
  }

  @Test("Texts and local folders are unchanged")
  func texts() throws {
    var request = RenderRequest(["a.webm"], to: [.file("b.mp4")])
    try request.look.set("title", ["https://host/"])
    #expect(try !request.hasRemotePlaces)
    request.means.workFolder = "s3://work/17/"
    #expect(try request.hasRemotePlaces)
  }
}
