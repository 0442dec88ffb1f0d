import TesseraJobs
package import TesseraPlan
package import TesseraRendering
package import TesseraSystem

/// A file of a piece: a segment of one rendition, or sound.
package struct PieceFile {
  /// The file's name in a bucket.
  package let name: PieceName
  /// The file's path in the local work folder.
  package let path: String
  fileprivate let check: () -> Bool

  /// True if the file exists, is complete, and was made from complete inputs.
  package var isFinished: Bool { check() }
}

/// Maps the pieces of a plan to files: one per rendition's segment, and one per distinct sound.
/// Equal files of several renditions are one object in a bucket.
package struct PieceFileTable {
  private let work: WorkPlan
  private let slots: CrashNoteSlots
  /// The local work folder.
  package let folder: WorkFolder

  package init(_ work: WorkPlan, in folder: WorkFolder) {
    (self.work, self.folder) = (work, folder)
    slots = CrashNoteSlots(work)
  }

  /// The pieces that the outputs are joined from: a segment per section, and the soundtrack.
  package var pieces: [RenderPiece] { work.sections.indices.map { .segment($0) } + [.soundtrack] }

  /// Returns the names of the files of `piece` if it has the crash losses `losses`.
  package func names(of piece: RenderPiece, without losses: [CrashedTrackLoss]) -> [PieceName] {
    parts(of: piece).map { name(of: $0, piece, losses) }
  }

  /// Returns the files of `piece` with the crash losses that the local work folder records.
  package func files(of piece: RenderPiece) -> [PieceFile] {
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

  /// True if all files of `piece` exist, finished or not. Cheaper than ``PieceFile/isFinished``.
  package func arePlacesTaken(of piece: RenderPiece) -> Bool {
    parts(of: piece).allSatisfy { FileOperations.exists(path(of: $0, piece)) }
  }

  /// Separates finished from missing pieces, and records the bucket's crash losses for the local
  /// workers.
  ///
  /// - Returns: the pieces that are finished in the bucket, and all others.
  package func sort(
    _ pieces: [RenderPiece], _ listing: BucketPieceListing
  ) throws -> (finished: [RenderPiece], missing: [RenderPiece]) {
    var (finished, missing): ([RenderPiece], [RenderPiece]) = ([], [])
    for piece in pieces {
      if case .sound = piece {
        let known = (listing.losses[.soundtrack] ?? [:]).values + folder.soundLosses
        if !known.isEmpty { try folder.jobs.keep(known, of: RenderPiece.soundtrack.name) }
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

  /// A rendition's index, and the number of its segment or sound piece; `nil` for its whole sound.
  private typealias PartIndex = (rendition: Int, number: Int?)

  private func parts(of piece: RenderPiece) -> [PartIndex] {
    switch piece {
    case .soundtrack: work.soundtracks.map { ($0, nil) }
    case .sound(let number): work.renditions(ofSoundPiece: number).map { ($0, number) }
    case .segment(let number):
      work.sections[number].segments.enumerated().flatMap { rendition, segments in
        segments.map { (rendition, $0) }
      }
    }
  }

  private func path(of part: PartIndex, _ piece: RenderPiece) -> String {
    let rendition = work.renditions[part.rendition]
    return switch (piece, part.number) {
    case (.segment, let number?): folder.segmentPath(number, of: rendition)
    case (.sound, let number?): folder.soundPiecePath(number, of: rendition)
    default: folder.soundtrackPath(of: rendition)
    }
  }

  private func name(of part: PartIndex, _ piece: RenderPiece, _ losses: [CrashedTrackLoss])
    -> PieceName
  {
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
