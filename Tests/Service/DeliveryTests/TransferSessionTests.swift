import Foundation
import TesseraMessages
import TesseraPlanning
import TesseraRequest
import TesseraSystem
import TestSupport
import Testing

@testable import TesseraDelivery

@Suite("Sessions", .timed) struct TransferSessionTests {
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
    try request.outputDefaults.set("watermark", ["s3://calls/logo.png:height=0.2"])
    try request.outputDefaults.set("captions-track", ["s3://calls/c.vtt"])
    request.outputs.append(.stream("s3://videos/web/", [720]))
    request.sidecars.speakers = "s3://videos/turns.rttm"
    request.sidecars.stems = "s3://videos/stems/"
    request.execution.secrets = bucket.secrets
    request.execution.fetchCache = folder.path("cache")
    let session = try TransferSession(
      request, beside: [OutputLocation("s3://videos/plan.json", isPlan: true)],
      RequestContext(Cancellation()))
    try session.fetch()
    #expect(session.places.map(\.isPlan) == [true, false, false, false, false])
    #expect(session.places.map(\.isFolder) == [false, false, true, false, true])
    #expect(session.places.map(\.entry) == [nil, nil, "master.m3u8", nil, nil])
    #expect(session.places.allSatisfy { $0.file.hasPrefix(folder.path("cache")) })
    #expect(session.request.inputs[1] == folder.path("ben.webm"))
    let places = session.request.inputFiles + session.request.places.map(\.name)
    #expect(places.allSatisfy { $0.hasPrefix(folder.path("")) }, "\(places)")
    let text = CanonicalJSON.text(session.request)
    #expect(!text.contains("s3://"), "\(text)")
    let known = places.map(session.names.name)
    for place in [
      "s3://calls/ada.webm", "s3://calls/people.csv", "s3://calls/logo.png",
      "s3://calls/c.vtt", "s3://videos/out.mp4", "s3://videos/web",
      "s3://videos/turns.rttm",
    ] {
      #expect(known.contains { $0.hasPrefix(place) }, "\(place): \(known)")
    }
  }

  @Test(
    "A session's outputs are beside the main output, even if only a report is in a bucket"
  )
  func main() throws {
    let (folder, bucket) = (try TemporaryFolder(), try BucketStub())
    var request = RenderRequest([folder.path("a.webm")], to: [.file(folder.path("out.mp4"))])
    request.sidecars.report = "s3://videos/out.json"
    request.execution.secrets = bucket.secrets
    request.execution.fetchCache = folder.path("cache")
    let session = folder.path("session.yaml")
    let text = """
      version: 1
      participants: [{id: a, tracks: [{file: "s3://calls/a.webm"}]}]
      outputs: [{file: "out.m4a"}]
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: session))
    try bucket.put(session, at: "calls/a.webm")
    // An object of that name does not matter: the output is beside a local file.
    try bucket.put(session, at: "videos/out.m4a")
    request.inputs = [session]
    let fetched = try TransferSession(request, RequestContext(Cancellation()))
    try fetched.fetch()
    #expect(fetched.places.map { $0.location != nil } == [false, true])
    #expect(fetched.request.outputs[0].destination == folder.path("out.mp4"))
  }

  @Test("The folder of outputs is removed after a complete run, and kept otherwise")
  func folders() throws {
    let (folder, bucket) = (try TemporaryFolder(), try BucketStub())
    var request = RenderRequest([folder.path("a.webm")], to: [.file("s3://videos/out.mp4")])
    request.execution.secrets = bucket.secrets
    request.execution.fetchCache = folder.path("cache")
    for isDone in [false, true] {
      var made = ""
      _ = try TransferSession(request, RequestContext(Cancellation())).perform(isDone: { $0 }) {
        made = $0.folder
        #expect(FileOperations.exists("\(made)/0") == true)
        return isDone
      }
      #expect(FileOperations.exists(made) != isDone)
    }
    let error = #expect(throws: RenderError.self) {
      try TransferSession(request, RequestContext(Cancellation())).perform { session in
        throw RenderError(.failure, "\(file: session.places[0].file) is bad.")
      }
    }
    #expect(error?.message == "s3://videos/out.mp4 is bad.")
  }

  @Test("Texts and local folders are unchanged")
  func texts() throws {
    var request = RenderRequest(["a.webm"], to: [.file("b.mp4")])
    try request.outputDefaults.set("title", ["https://host/"])
    #expect(try !request.hasRemotePlaces)
    request.execution.workFolder = "s3://work/17/"
    #expect(try request.hasRemotePlaces)
  }
}
