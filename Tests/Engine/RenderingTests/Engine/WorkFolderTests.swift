import Foundation
import TesseraSystem
import TestSupport
import Testing

@testable import TesseraJobs
@testable import TesseraPlan
@testable import TesseraPlanning
@testable import TesseraRendering

@Suite(.timed) struct WorkFolderTests {
  @Test("Remains of a dead render are removed; finished and foreign files stay")
  func remains() throws {
    let temporary = try TemporaryFolder()
    let folder = WorkFolder(temporary.path("out.mp4.tessera"))
    try folder.make()
    let call = try InputCall()
    let work = WorkPlan([RenditionPlan(try call.plan(try call.request()))])
    let rendition = work.renditions[0]
    let first = "segments/\(rendition.pieceName(of: 0)).tseg"
    let files = [
      first, "segments/.1.tseg.77.part", "notes/1-1.note", "soundtrack.tsnd", "mine",
      ".soundtrack.tsnd.8.part", "segments/7.tseg",
    ]
    for name in files {
      _ = FileManager.default.createFile(
        atPath: "\(folder.path)/\(name)", contents: Data("x".utf8))
    }
    do {
      let lock = try folder.enter()
      #expect(throws: RenderError.self) { _ = try folder.enter() }
      _ = consume lock
    }
    #expect((1..<7).contains(rendition.segments.count))
    folder.removePieces(notOf: work)
    let left = files.filter { FileOperations.exists("\(folder.path)/\($0)") }
    #expect(left == [first, "soundtrack.tsnd", "mine"])
    #expect(!folder.hasSegment(0, of: rendition, []))
    folder.remove()
    #expect(FileOperations.names(in: folder.path) == ["mine"])
  }

  @Test("Recorded losses add up until they are forgotten")
  func losses() throws {
    let temporary = try TemporaryFolder()
    let folder = WorkFolder(temporary.path)
    try folder.make()
    let loss = { CrashedTrackLoss(track: $0, time: 9, manner: "signal 11") }
    try folder.record(loss(1), for: .segments(4..<5))
    try folder.record(loss(2), for: .segments(4..<5))
    try folder.record(loss(3), for: .soundtrack)
    #expect(folder.losses(of: 4) == [loss(1), loss(2)])
    #expect(folder.losses(of: 3).isEmpty)
    #expect(folder.soundLosses == [loss(3)])
    // If a loss was not enough, the part before it is lost as well.
    try folder.record(loss(1), for: .segments(4..<5))
    let whole = CrashedTrackLoss(track: 1, time: 0, manner: "signal 11")
    #expect(folder.losses(of: 4).contains(whole))
    folder.jobs.forgetLosses()
    #expect(folder.losses(of: 4).isEmpty && folder.soundLosses.isEmpty)
  }

  @Test("Insufficient disk space is reported in advance")
  func disk() throws {
    let temporary = try TemporaryFolder()
    #expect(throws: Never.self) { try DiskSpaceCheck.require(1, at: temporary.path) }
    #expect(throws: RenderError.self) { try DiskSpaceCheck.require(1 << 55, at: temporary.path) }
  }
}
