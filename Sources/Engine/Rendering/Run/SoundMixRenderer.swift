import TesseraCodecs
import TesseraMessages
import TesseraPlan
import TesseraProof
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline

/// Makes the soundtrack of a rendition, or a piece of it.
struct SoundMixRenderer: Sendable {
  private let rendition: RenditionPlan
  private let folder: WorkFolder
  /// The number of the piece; nil for the encoded soundtrack.
  private let piece: Int?
  /// The crash losses that apply to the sound or the piece.
  private let losses: [CrashedTrackLoss]
  private let isStrict: Bool
  private let input: SoundtrackInput
  private let notes: [VoiceCrashNote]

  /// Prepares the sound of `rendition`, or one piece of it, with the crash losses `losses`, for its
  /// file in `folder`. `note` returns the crash note and the slot that record decoding of a track;
  /// nil if it is not recorded.
  init(
    _ rendition: RenditionPlan, piece: Int? = nil, in folder: WorkFolder,
    without losses: [CrashedTrackLoss], isStrict: Bool,
    note: (TrackID) -> (note: CrashNote, slot: Int)?
  ) {
    (self.rendition, self.piece, self.folder) = (rendition, piece, folder)
    self.isStrict = isStrict
    self.losses = piece.map { rendition.losses(losses, inSoundPiece: $0) } ?? losses
    let input = rendition.plan.soundInput(without: self.losses)
    self.input = input
    notes = input.voices.compactMap { voice in
      note(voice.id).map { VoiceCrashNote($0, track: $1, origin: input.origin.nanoseconds) }
    }
  }

  private var path: String {
    piece.map { folder.soundPiecePath($0, of: rendition) } ?? folder.soundtrackPath(of: rendition)
  }

  /// True if the soundtrack is encoded from finished pieces.
  private var isJoined: Bool { piece == nil && rendition.soundPieces.count > 1 }

  /// Makes all of `mixes` at the same time, so that a voice in several mixes is decoded once. If
  /// they are pieces, all must have the same number. `report` receives the finished share, 0...1.
  /// Returns one entry per mix: its error, or nil.
  static func make(
    _ mixes: [SoundMixRenderer], cancellation: Cancellation,
    _ report: @escaping @Sendable (Double) -> Void
  ) -> [RenderError?] {
    let voices = mixes.map { mix in
      VoiceDecodePool.MixVoices(
        mix.isJoined ? [] : mix.input.voices.map(\.source), sampleCount: mix.input.mixedCount,
        splices: mix.input.splices, notes: mix.notes)
    }
    let first = mixes.first.flatMap { mix in mix.piece.map(mix.rendition.soundPieces.firstSheet) }
    let pool = VoiceDecodePool(voices, firstSheet: first ?? 0, cancellation: cancellation)
    let begun = ConditionLock(0)
    let done = ConditionLock([Double](repeating: 0, count: mixes.count))
    let failures = ConditionLock([RenderError?](repeating: nil, count: mixes.count))
    let threads = ThreadGroup(count: mixes.count, name: "sound") {
      let number = begun.withLock { number in
        defer { number += 1 }
        return number
      }
      do throws(RenderError) {
        try mixes[number].make(number, pool, cancellation) { part in
          let sum = done.withLock { done in
            done[number] = part
            return done.reduce(0, +)
          }
          report(sum / Double(mixes.count))
        }
      } catch {
        pool.leave(number)
        failures.withLock { $0[number] = error }
      }
    }
    threads.join()
    return failures.withLock { $0 }
  }

  /// Makes the file, which is committed unless it is canceled. `report` receives the finished
  /// share, 0...1.
  private func make(
    _ number: Int, _ pool: VoiceDecodePool, _ cancellation: Cancellation,
    _ report: (Double) -> Void
  ) throws(RenderError) {
    if isJoined { pool.leave(number) }
    let files = isJoined ? try finishedPieces() : []
    let refused: Loss?
    do throws(FFmpegError) {
      if let piece {
        let mixer = PieceMixer(number, of: pool, piece: piece, of: rendition.soundPieces)
        refused = try write(mixer, rendition.soundPieces.samples(of: piece), cancellation, report)
      } else {
        let soundtrack =
          isJoined
          ? Soundtrack(
            PieceMixSource(rendition.soundPieces, files), sampleCount: input.mixedCount,
            splices: input.splices, cancellation: cancellation)
          : Soundtrack(number, of: pool)
        refused = try encode(soundtrack, files, cancellation, report)
      }
    } catch {
      throw RenderError(error, output: path)
    }
    if let refused { throw .refusing(refused) }
  }

  /// Opens the finished pieces of the mix.
  private func finishedPieces() throws(RenderError) -> [SoundPieceFile.Reader] {
    var files: [SoundPieceFile.Reader] = []
    for number in 0..<rendition.soundPieces.count {
      let digest = rendition.digest(ofSoundPiece: number, losses: losses)
      do throws(PacketFile.OpenError) {
        files.append(
          try SoundPieceFile.Reader(folder.soundPiecePath(number, of: rendition), digest: digest))
      } catch {
        throw RenderError(.failure, "\(error); render it again.")
      }
    }
    return files
  }

  /// Writes a piece of the mix. Returns the loss for which a strict render discards the file; nil
  /// if there is none.
  private func write(
    _ mixer: consuming PieceMixer, _ samples: Range<Int64>, _ cancellation: Cancellation,
    _ report: (Double) -> Void
  ) throws(FFmpegError) -> Loss? {
    let digest = rendition.digest(ofSoundPiece: piece ?? 0, losses: losses)
    var writer = try SoundPieceFile.Writer.create(path, digest: digest, samples: samples)
    var (block, count): ([Float], Int) = ([], 0)
    while true {
      do throws(CancellationError) {
        guard try mixer.next(into: &block) else { break }
      } catch {
        return nil
      }
      try writer.write(&block)
      count += block.count / 2
      report(Double(count) / Double(max(1, samples.count)))
    }
    let voices = reports(of: mixer.voiceReports)
    if isStrict, let lost = firstLoss(of: voices) { return lost }
    try writer.finish(note: SoundReport(voices: voices, crashes: losses, levels: nil).text)
    return nil
  }

  /// Encodes `soundtrack`, which comes from `files` if there are any. Returns the loss for which a
  /// strict render discards the file; nil if there is none.
  private func encode(
    _ soundtrack: Soundtrack, _ files: [SoundPieceFile.Reader], _ cancellation: Cancellation,
    _ report: (Double) -> Void
  ) throws(FFmpegError) -> Loss? {
    let encoder = try SoundtrackEncoder(soundtrack, input.encoder)
    var writer = try PacketFileWriter.create(
      path,
      head: PacketFile.Header(
        digest: rendition.soundtrackDigest(losses: losses), segment: nil,
        range: 0..<input.sampleCount, parameters: try encoder.parameters()))
    while let packets = try encoder.next() {
      for packet in packets { try writer.append(packet) }
      report(Double(encoder.sampleCount) / Double(max(1, input.sampleCount)))
    }
    guard !cancellation.isCancelled else { return nil }
    let voices =
      files.isEmpty
      ? reports(of: encoder.voiceReports)
      : files.map { SoundReport($0.note)?.voices ?? [] }.reduce([]) { all, next in
        all.isEmpty ? next : zip(all, next).map { $0.joined(with: $1) }
      }
    if isStrict, let lost = firstLoss(of: voices) { return lost }
    try writer.finish(
      note: SoundReport(voices: voices, crashes: losses, levels: encoder.envelope.levels).text)
    return nil
  }

  /// Returns the reports on all voices of the plan, given the reports on the mixed voices.
  private func reports(of mixed: [VoiceReport]) -> [VoiceReport] {
    let known = Dictionary(uniqueKeysWithValues: zip(input.voices.map(\.number), mixed))
    return rendition.plan.voices.indices.map { known[$0] ?? VoiceReport() }
  }

  private func firstLoss(of voices: [VoiceReport]) -> Loss? {
    zip(rendition.plan.voices, voices).lazy.flatMap { $1.losses(of: $0) }.first
  }
}
