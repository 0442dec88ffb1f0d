import Foundation
import TesseraSystem
import TestSupport
import Testing

@testable import TesseraDelivery

@Suite("Pieces in a bucket", .timed) struct PieceNameTests {
  private let early = CrashedTrackLoss(track: 3, time: 1_200_000_000, manner: "signal 11")
  private let late = CrashedTrackLoss(track: 5, time: 7_000_000_000, manner: "signal 6")

  /// Returns a shortened digest of a plan's piece.
  private func digest(_ losses: [CrashedTrackLoss]) -> String {
    losses.isEmpty ? "aa" : "aa" + losses.map { String($0.track, radix: 16) }.joined()
  }

  private func names(_ piece: RenderPiece) -> ([CrashedTrackLoss]) -> [PieceName] {
    { [PieceName(piece, digest: digest($0), losses: $0.map(PieceName.name))] }
  }

  private func name(_ piece: RenderPiece, without losses: [CrashedTrackLoss]) -> PieceName {
    PieceName(piece, digest: digest(losses), losses: losses.map(PieceName.name))
  }

  @Test("A name states the piece, its digest and its losses")
  func names() throws {
    for piece in [RenderPiece.segment(0), .segment(12), .sound(0), .sound(31), .soundtrack] {
      for losses in [[], [early], [early, late]] {
        let name = name(piece, without: losses)
        #expect(PieceName(name.text) == name)
      }
    }
    #expect(name(.segment(12), without: []).text == "12-aa.tseg")
    #expect(name(.soundtrack, without: []).text == "soundtrack-aa.tsnd")
    #expect(name(.sound(3), without: []).text == "sound3-aa.tsnd")
    #expect(
      RenderPiece.sound(3).loser == .soundtrack && RenderPiece.segment(3).loser == .segment(3))
    #expect(
      name(.segment(1), without: [early, late])
        == name(.segment(1), without: [late, early]).with(
          digest: digest([early, late])))
  }

  @Test(
    "Other files are not pieces",
    arguments: [
      "", "3.tseg", "3-.tseg", "3-xyz.tseg", "03-aa.tseg", "-1-aa.tseg", "3-aa.tsnd", "3-aa",
      "soundtrack-aa.tseg", "sound3-aa.tseg", "sound-aa.tsnd", "sound03-aa.tsnd", "a/3-aa.tseg",
      "3-aa-.tseg", "3-aa-c-b.tseg",
    ]) func foreign(_ text: String)
  { #expect(PieceName(text) == nil) }

  @Test("Of several finished versions, the one with the fewest losses is joined, in every process")
  func choice() throws {
    var listing = BucketPieceListing()
    let piece = RenderPiece.segment(2)
    listing.losses[piece] = [PieceName.name(of: early): early, PieceName.name(of: late): late]
    listing.names = [
      name(piece, without: [early, late]), name(.segment(1), without: []),
      name(piece, without: [late]), name(piece, without: [early]),
    ]
    let first = try #require([early, late].min { PieceName.name(of: $0) < PieceName.name(of: $1) })
    #expect(listing.finished(piece, names: names(piece)) == [first])
    listing.names.reverse()
    #expect(listing.finished(piece, names: names(piece)) == [first])
    listing.names.append(name(piece, without: []))
    #expect(listing.finished(piece, names: names(piece)) == [])
    #expect(listing.finished(.soundtrack, names: names(.soundtrack)) == nil)
  }

  @Test("With several outputs, all files of a piece must have the same losses") func outputs() {
    let piece = RenderPiece.segment(4)
    let names = { (losses: [CrashedTrackLoss]) in
      ["11", "22"].map { PieceName(piece, digest: $0, losses: losses.map(PieceName.name)) }
    }
    var listing = BucketPieceListing()
    listing.losses[piece] = [PieceName.name(of: late): late]
    listing.names = [names([])[0], names([late])[1]]
    #expect(listing.finished(piece, names: names) == nil)
    listing.names.append(names([late])[0])
    #expect(listing.finished(piece, names: names) == [late])
    listing.names.append(names([])[1])
    #expect(listing.finished(piece, names: names) == [])
  }

  @Test("A piece of another plan, or with unknown losses, is ignored")
  func outdated() {
    var listing = BucketPieceListing()
    listing.names = [
      PieceName(.segment(0), digest: "bb", losses: []), name(.segment(0), without: [early]),
    ]
    #expect(listing.finished(.segment(0), names: names(.segment(0))) == nil)
    listing.losses[.segment(0)] = [PieceName.name(of: early): early]
    #expect(listing.finished(.segment(0), names: names(.segment(0))) == [early])
  }
}

extension PieceName {
  fileprivate func with(digest: String) -> PieceName {
    PieceName(piece, digest: digest, losses: losses)
  }
}
