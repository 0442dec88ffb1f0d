import TesseraCodecs
import TesseraJobs
import TesseraMessages
import TesseraPlan
import TesseraProof
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline

/// The finished pieces of one rendition: combines their notes into a report and a proof, and
/// stitches them.
struct RenditionPieces {
  private let rendition: RenditionPlan
  /// The rendition whose soundtrack file this rendition uses.
  private let soundOwner: RenditionPlan
  private let folder: WorkFolder
  /// The crash losses of each segment.
  private let losses: [[CrashedTrackLoss]]
  /// The crash losses of the sound, by track identifiers of the owner and of this rendition.
  private let (soundLosses, ownSoundLosses): ([CrashedTrackLoss], [CrashedTrackLoss])

  /// Collects the pieces of rendition `number` of `work`. `rendition` describes the output.
  init(_ work: WorkPlan, _ number: Int, as rendition: RenditionPlan, in folder: WorkFolder) {
    let slots = CrashNoteSlots(work)
    (self.rendition, self.folder) = (rendition, folder)
    let owner = work.soundtrack(of: number)
    soundOwner = work.renditions[owner]
    let lost = folder.soundLosses
    (soundLosses, ownSoundLosses) = (slots.losses(lost, in: owner), slots.losses(lost, in: number))
    losses = work.sections.indices.flatMap { section in
      let own = slots.losses(folder.losses(of: section), in: number)
      return work.sections[section].segments[number].map { _ in own }
    }
  }

  /// The stitcher that joins the pieces.
  var stitcher: Stitcher {
    let output = rendition.plan.output
    var stitcher = Stitcher(
      segments: rendition.segments.indices.map { number in
        Stitcher.Input(
          path: folder.segmentPath(number, of: rendition),
          digest: rendition.digest(of: number, losses: losses[number]))
      },
      soundtrack: Stitcher.Input(
        path: folder.soundtrackPath(of: soundOwner),
        digest: soundOwner.soundtrackDigest(losses: soundLosses)),
      container: rendition.container)
    stitcher.tags = rendition.container.tags
    stitcher.tags["title"] = output.title
    stitcher.captions = output.captions
    stitcher.chapters = output.chapters.map {
      Stitcher.Chapter($0.title, start: $0.start.nanoseconds / 1_000_000)
    }
    return stitcher
  }

  /// Combines the notes of all pieces into a report.
  ///
  /// - Throws: ``RenderError`` if a piece is damaged.
  func report() throws(RenderError) -> RenderReport {
    let (plan, segments) = (rendition.plan, rendition.segments)
    // Nothing is decoded of tracks that are never visible.
    var pictures: [TrackID: PictureReport] =
      segments.isEmpty
      ? [:] : Dictionary(uniqueKeysWithValues: plan.tracks.map { ($0.id, PictureReport()) })
    var (pixels, crashes) = (0, [Loss]())
    for number in segments.indices {
      let path = folder.segmentPath(number, of: rendition)
      guard let note = SegmentReport(try Self.tail(path)) else { continue }
      pixels += note.pixelsWritten
      for (track, report) in rendition.pictures(in: note, of: number) {
        pictures[track.id] = pictures[track.id].map { $0 + report } ?? report
      }
      crashes += note.crashes.compactMap {
        plan.loss(
          $0,
          until: rendition.callFrame(segments[number].lowerBound)..<rendition.callFrame(
            segments[number].upperBound - 1) + 1)
      }
    }
    let sound = SoundReport(try Self.tail(folder.soundtrackPath(of: soundOwner)))
    crashes += ownSoundLosses.compactMap { plan.loss($0, until: plan.frames) }
    var report = RenderReport(
      plan, pictures: pictures, voices: sound?.voices ?? plan.voices.map { _ in VoiceReport() },
      pixelsWritten: pixels, hasPictures: rendition.container.hasPictures)
    for index in report.inputs.indices {
      report.inputs[index].losses += crashes.filter { $0.participant == report.inputs[index].id }
    }
    return report
  }

  /// Combines the proofs of `pieces`, which are the rungs of one HLS folder or a single file.
  static func proof(of pieces: [RenditionPieces]) throws(RenderError) -> OutputProof {
    var proof = try pieces[0].proof()
    guard pieces[0].rendition.rung != nil else {
      proof.pictures = try pieces[0].pictures()
      return proof
    }
    var rungs: [OutputProof.Rung] = []
    for piece in pieces {
      if let pictures = try piece.pictures() {
        rungs.append(OutputProof.Rung(piece.rendition.rung ?? "", pictures))
      }
    }
    proof.rungs = rungs
    return proof
  }

  /// Returns the expected pictures of the output, from the measurements of its canvases in the
  /// segment files; `nil` for sound alone.
  private func pictures() throws(RenderError) -> OutputProof.Pictures? {
    guard !rendition.segments.isEmpty else { return nil }
    let (plan, video) = (rendition.plan, rendition.plan.output.video)
    var pictures = OutputProof.Pictures(
      size: video.size, frameRate: video.frameRate, frameCount: plan.cut.count,
      slots: plan.proofSlots)
    for (number, frames) in rendition.segments.enumerated() {
      let note = SegmentReport(try Self.tail(folder.segmentPath(number, of: rendition)))
      guard let marks = note?.marks else { continue }
      pictures.segments.append(
        OutputProof.Segment(first: frames.lowerBound, count: frames.count, marks: marks))
    }
    return pictures
  }

  /// Returns the rendition's proof without pictures.
  private func proof() throws(RenderError) -> OutputProof {
    let plan = rendition.plan
    var proof = plan.proof
    let sound = SoundReport(try Self.tail(folder.soundtrackPath(of: soundOwner)))
    if let levels = sound?.levels {
      proof.sound = OutputProof.Sound(
        sampleCount: plan.soundInput(without: []).sampleCount, levels: levels,
        ceiling: Double(PeakCeiling.decibels), turns: plan.proofTurns)
    }
    return proof
  }

  private static func tail(_ path: String) throws(RenderError) -> String {
    do throws(PacketFile.OpenError) {
      return try PacketFileReader(path).tail.note
    } catch {
      throw RenderError(.failure, "\(error); render it again.")
    }
  }
}

extension OutputContainer {
  /// The tag that names the program: libavformat keeps `encoding_tool` only in MP4, and
  /// `encoded_by` in the other containers.
  var tags: [String: String] {
    [[.mp4, .m4a].contains(self) ? "encoding_tool" : "encoded_by": TesseraVersion.tag]
  }
}
