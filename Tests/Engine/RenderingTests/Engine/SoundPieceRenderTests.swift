import Foundation
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraJobs
@testable import TesseraPlan
@testable import TesseraPlanning
@testable import TesseraRendering

@Suite(.timed) struct SoundPieceRenderTests {
  /// 22 s of sound in pieces of three blocks, about as many seconds.
  private static let call = Result { () throws -> (InputCall, WorkPlan) in
    let call = try InputCall()
    let plan = try call.plan(try call.request())
    return (call, WorkPlan([RenditionPlan(plan, soundPiece: 3)]))
  }

  private func work() throws -> WorkPlan { try Self.call.get().1 }

  private func folder(_ temporary: borrowing TemporaryFolder, _ name: String) throws -> WorkFolder {
    let folder = WorkFolder(temporary.path(name))
    try folder.make()
    return folder
  }

  /// Performs `jobs` of `work` one after another, and returns the finished parts.
  @discardableResult
  private func perform(
    _ jobs: [RenderJob], _ work: WorkPlan, _ folder: WorkFolder
  ) throws -> [Int] {
    let finished = ConditionLock([Int]())
    for job in jobs {
      try RenderJobHandler(work, folder: folder).perform(
        job, note: nil, cancellation: Cancellation()
      ) { event in
        if case .finished(let part) = event { finished.withLock { $0.append(part) } }
      }
    }
    return finished.withLock { $0 }
  }

  private func sound(_ folder: WorkFolder, _ work: WorkPlan) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: folder.soundtrackPath(of: work.renditions[0])))
  }

  @Test("Sound pieces in any order, or from the soundtrack's own job, give the same sound")
  func anyOrder() throws {
    let (work, temporary) = (try work(), try TemporaryFolder())
    #expect(work.soundPieceCount == 7 && work.soundPieceCosts.count == 7)
    let (one, other) = (try folder(temporary, "one"), try folder(temporary, "other"))
    try perform([.soundtrack], work, one)
    #expect(try perform([.sound(4..<7), .sound(0..<4)], work, other) == [4, 5, 6, 0, 1, 2, 3])
    #expect(FileOperations.names(in: "\(other.path)/sound").count == 7)
    // A damaged piece is rendered again.
    let path = other.soundPiecePath(1, of: work.renditions[0])
    try Data("x".utf8).write(to: URL(fileURLWithPath: path))
    #expect(!other.hasSoundPiece(1, of: work.renditions[0], []))
    try perform([.soundtrack], work, other)
    #expect(try sound(one, work) == sound(other, work))
    // Pieces are removed once the soundtrack is complete.
    #expect(FileOperations.names(in: "\(other.path)/sound").isEmpty)
  }

  @Test("A voice lost from a time on leaves earlier pieces unchanged")
  func losses() throws {
    let (work, temporary) = (try work(), try TemporaryFolder())
    let (folder, rendition) = (try folder(temporary, "work"), work.renditions[0])
    try perform([.sound(0..<7)], work, folder)
    let voice = try #require(rendition.plan.voices.first)
    let slots = CrashNoteSlots(work)
    let loss = CrashedTrackLoss(
      track: slots.slot(of: voice.id, in: 0), time: 13_000_000_000, manner: "signal 11")
    try folder.record(loss, for: .sound(4..<5))
    let losses = slots.losses(folder.soundLosses, in: 0)
    let left = (0..<7).filter { folder.hasSoundPiece($0, of: rendition, losses) }
    #expect(left == [0, 1, 2])
    try perform([.soundtrack], work, folder)
    #expect(folder.hasSoundtrack(of: rendition, losses))
    #expect(!folder.hasSoundtrack(of: rendition, []))
  }

  @Test("A worker stopped before a segment leaves that segment and all later ones")
  func shortened() throws {
    let (call, _) = try Self.call.get()
    let work = WorkPlan([RenditionPlan(try call.plan(try call.request()))])
    let (temporary, count) = (try TemporaryFolder(), work.sections.count)
    try #require(count >= 2)
    let (whole, part) = (try folder(temporary, "whole"), try folder(temporary, "part"))
    #expect(try perform([.segments(0..<count)], work, whole) == Array(0..<count))
    part.jobs.shorten(RenderJob.segments(0..<count), to: 1)
    #expect(try perform([.segments(0..<count)], work, part) == [0])
    #expect(!part.hasSegment(1, of: work.renditions[0], []))
    let made = [whole, part].map { $0.segmentPath(0, of: work.renditions[0]) }
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: made[0]))
        == Data(contentsOf: URL(fileURLWithPath: made[1])))
  }
}
