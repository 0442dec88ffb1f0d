import TesseraJobs
package import TesseraPlan
package import TesseraRendering
import TesseraRequest
package import TesseraSystem

/// A file of a piece: a segment of one rendition, or sound.
package struct PieceFile {
  /// What it is called in a bucket.
  package let name: PieceName
  /// Where it is in the work folder of this machine.
  package let path: String
  fileprivate let check: () -> Bool

  /// Whether it is there, whole and made from files that were all there.
  package var isFinished: Bool { check() }
}

/// What the pieces of a plan consist of: a file for each rendition's segments, and one for each
/// sound. Equal ones of several renditions are the same object.
package struct PieceFiles {
  private let work: WorkPlan
  private let slots: CrashNoteSlots
  /// The work folder of this machine.
  package let folder: WorkFolder

  /// Those of `work`, in `folder`.
  package init(_ work: WorkPlan, in folder: WorkFolder) {
    (self.work, self.folder) = (work, folder)
    slots = CrashNoteSlots(work)
  }

  /// The pieces that the outputs are joined of.
  package var pieces: [Piece] { work.sections.indices.map { .segment($0) } + [.soundtrack] }

  /// The names of the files of `piece` where it is made without `losses`.
  package func names(of piece: Piece, without losses: [CrashLoss]) -> [PieceName] {
    parts(of: piece).map { name(of: $0, piece, losses) }
  }

  /// The files of `piece`, which is made without what is recorded.
  package func files(of piece: Piece) -> [PieceFile] {
    let losses = folder.jobs.losses(of: piece.loser.name)
    return parts(of: piece).map { part in
      let rendition = work.renditions[part.rendition]
      let own = slots.losses(losses, in: part.rendition)
      return PieceFile(name: name(of: part, piece, losses), path: path(of: part, piece)) {
        switch piece {
        case .segment: part.number.map { folder.hasSegment($0, of: rendition, own) } ?? false
        case .sound: part.number.map { folder.hasSoundPiece($0, of: rendition, own) } ?? false
        case .soundtrack: folder.hasSoundtrack(of: rendition, own)
        }
      }
    }
  }

  /// Whether there are files in the places of all those of `piece`.
  package func arePlacesTaken(of piece: Piece) -> Bool {
    parts(of: piece).allSatisfy { FileSystem.exists(path(of: $0, piece)) }
  }

  /// Has workers know what is recorded in the bucket.
  ///
  /// - Returns: the pieces that are finished there, and those that are not.
  package func sort(
    _ pieces: [Piece], _ listing: PieceListing
  ) throws -> (finished: [Piece], missing: [Piece]) {
    var (finished, missing): ([Piece], [Piece]) = ([], [])
    for piece in pieces {
      if case .sound = piece {
        let known = (listing.losses[.soundtrack] ?? [:]).values + folder.soundLosses
        if !known.isEmpty { try folder.jobs.keep(known, of: Piece.soundtrack.name) }
        let wanted = names(of: piece, without: folder.soundLosses)
        if wanted.allSatisfy(listing.names.contains) {
          finished.append(piece)
        } else {
          missing.append(piece)
        }
        continue
      }
      let made = listing.finished(piece) { names(of: piece, without: $0) }
      if let made {
        try folder.jobs.keep(made, of: piece.name)
        finished.append(piece)
      } else {
        let known = Array((listing.losses[piece] ?? [:]).values)
        if !known.isEmpty {
          try folder.jobs.keep(known + folder.jobs.losses(of: piece.name), of: piece.name)
        }
        missing.append(piece)
      }
    }
    return (finished, missing)
  }

  /// A rendition's number, and that of its segment or piece of sound; nil is all of its sound.
  private typealias Part = (rendition: Int, number: Int?)

  private func parts(of piece: Piece) -> [Part] {
    switch piece {
    case .soundtrack: work.soundtracks.map { ($0, nil) }
    case .sound(let number): work.renditions(ofSoundPiece: number).map { ($0, number) }
    case .segment(let number):
      work.sections[number].segments.enumerated().flatMap { rendition, segments in
        segments.map { (rendition, $0) }
      }
    }
  }

  private func path(of part: Part, _ piece: Piece) -> String {
    let rendition = work.renditions[part.rendition]
    return switch (piece, part.number) {
    case (.segment, let number?): folder.segmentPath(number, of: rendition)
    case (.sound, let number?): folder.soundPiecePath(number, of: rendition)
    default: folder.soundtrackPath(of: rendition)
    }
  }

  private func name(of part: Part, _ piece: Piece, _ losses: [CrashLoss]) -> PieceName {
    let rendition = work.renditions[part.rendition]
    let own = slots.losses(losses, in: part.rendition)
    let names = losses.map(PieceName.name)
    return switch (piece, part.number) {
    case (.segment, let number?):
      PieceName(piece, digest: rendition.digest(of: number, losses: own), losses: names)
    case (.sound, let number?):
      PieceName(piece, digest: rendition.digest(ofSoundPiece: number, losses: own), losses: [])
    default: PieceName(piece, digest: rendition.soundtrackDigest(losses: own), losses: names)
    }
  }
}
