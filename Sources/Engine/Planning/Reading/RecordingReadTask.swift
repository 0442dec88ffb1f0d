import Foundation
package import TesseraArchives
package import TesseraCodecs
package import TesseraFaces
import TesseraJobs
package import TesseraMessages
package import TesseraPixels
import TesseraPlan
package import TesseraRecordings
package import TesseraSoundtrack
package import TesseraSystem
import TesseraTimeline

/// A task that reads or decodes recordings for planning, in a worker process or on a thread.
///
/// ``TaskWorkerPool`` starts the workers; `result` is the code that they run.
package enum RecordingReadTask: Sendable, Codable {
  /// Scans all packets of the file at the path.
  case probe(String)
  /// Reads the list of streams from the container at the path.
  case streams(String)
  /// Finds the duration and start time of the file at the path; reads all packets if the header
  /// states no duration.
  case span(String)
  /// Reads the duration and start time from the header of the file at the path. The duration is
  /// zero if the header does not state it.
  case header(String)
  /// Analyzes a voice: loudness and speech.
  case hear(VoiceSource)
  /// Determines the side of a voice that is only on one stereo channel.
  case side(VoiceSource)
  /// Computes the ``AlignmentAudio`` of voices heard together, for at most that many seconds.
  case alignmentAudio([VoiceSource], seconds: Int)
  /// Measures the power of voices mixed together, in the given steps of the timeline.
  case mix([VoiceSource], steps: [Range<Int>])
  /// Finds the quietest place of a voice in each of the windows.
  case quiet(VoiceSource, [QuietCutFinder.Window])
  /// Writes the speech of voices as an audio file with this name into the folder, for a speech
  /// recognizer.
  case speech([VoiceSource], SpeechWaveFile, name: String, into: String)
  /// Detects faces in the given pictures of a track.
  case faces(PictureSource, PictureSamplingPlan)
  /// Checks if the first or the last picture of a track is black.
  case blackness(PictureSource, isLast: Bool)
  /// Inspects the file at the path; a known scan of it is not repeated.
  case inspect(String, known: ScannedFile?)
  /// Decodes the still image at the path, scaled to at most this longer side in pixels.
  case image(String, longestSide: Int)
  /// Unpacks the archive at the path into a folder, within the limits.
  case unpack(String, into: String, ArchiveLimits)
}

extension RecordingReadTask: WorkerTask {
  package typealias Result = RecordingReadResult

  package static let name = "recordings"

  package var phase: String {
    let phase: PlanningProgress.Phase =
      switch self {
      case .probe, .streams, .span, .header, .inspect, .image, .blackness: .reading
      case .faces: .framing
      case .unpack: .unpacking
      case .hear, .side, .quiet, .speech: .listening
      case .alignmentAudio: .aligning
      case .mix: .measuring
      }
    return phase.rawValue
  }

  package var paths: [String] {
    switch self {
    case .probe(let path), .streams(let path), .span(let path), .header(let path),
      .inspect(let path, _), .image(let path, _),
      .unpack(let path, _, _):
      [path]
    case .hear(let voice), .side(let voice), .quiet(let voice, _): [voice.path]
    case .faces(let source, _), .blackness(let source, _): [source.path]
    case .alignmentAudio(let voices, _), .mix(let voices, _), .speech(let voices, _, _, _):
      voices.map(\.path)
    }
  }

  package var target: String? {
    switch self {
    case .unpack(_, let folder, _), .speech(_, _, _, let folder): folder
    default: nil
    }
  }

  package var work: Double {
    let bytes = paths.reduce(0) { $0 + FileOperations.byteCount(of: $1) }
    return 100_000 + Double(bytes) * (isDecoding ? 30 : 1)
  }

  private var isDecoding: Bool {
    switch self {
    case .probe, .streams, .span, .header, .inspect, .unpack: false
    case .hear, .side, .alignmentAudio, .mix, .quiet, .speech, .image, .faces, .blackness: true
    }
  }

  package func loadLibraries() {
    if case .faces = self { _ = FaceCascade.installed }
  }

  package func refusal(of path: String, outside root: String) -> RecordingReadResult {
    .unreadable(MediaError(path: path, reason: .outside(root)))
  }
}

/// The result of a reading task.
package enum RecordingReadResult: Sendable, Codable {
  case scan(ScannedFile)
  case streams([RecordingSource.StreamHeader]?)
  case span(RecordingSource.ContainerInfo?)
  case unreadable(MediaError)
  case heard(VoiceAnalyses.AnalyzedVoice)
  /// The side that a voice is on; `nil` for both.
  case side(StereoChannel?)
  /// The side of a voice could not be determined.
  case unknownSide
  case alignmentAudio(AlignmentAudio)
  /// The power of the mix in every step, for each range of steps; `nil` if it could not be
  /// measured.
  case powers([[Double]]?)
  /// The end of writing a file: `nil` for success, otherwise the reason of the failure.
  case wrote(String?)
  /// The quietest place in each window; `nil` if they could not be determined.
  case places([Int64]?)
  /// The faces in the pictures; empty if face detection is not installed.
  case faces([DetectedFaces])
  /// True if the picture is black; `nil` if it cannot be decoded.
  case black(Bool?)
  case inspected(RecordingInspection, ScannedFile)
  case image(DecodedImage)
  case unusable(ImageFileError)
  /// Notes for the user about the unpacked files.
  case unpacked(notes: [UserMessage])
  case notUnpacked(ArchiveError)
}

extension RecordingReadTask {
  package func result(
    _ number: Int, note: CrashNote?, without losses: [CrashedTrackLoss], cancellation: Cancellation
  ) -> RecordingReadResult? {
    let (crash, manner) = (losses.last, losses.last?.manner)
    // Decoders of voices record the voice and the time in the note.
    let voiceNote = note.map { VoiceCrashNote($0, track: number) }
    if !isListening { note?.enter(.probing, track: number, time: 0) }
    defer { if !isListening { note?.leave(track: number) } }
    switch self {
    case .probe(let path):
      if let manner { return .unreadable(MediaError(path: path, reason: .crash(manner))) }
      do throws(MediaError) {
        return .scan(ScannedFile(try MediaFileInfo.scan(path, cancellation: cancellation)))
      } catch {
        return .unreadable(error)
      }
    case .streams(let path):
      return .streams(manner == nil ? StreamLister.facts(path, cancellation) : nil)
    case .span(let path):
      return .span(manner == nil ? StreamLister.span(path, cancellation) : nil)
    case .header(let path):
      return .span(manner == nil ? StreamLister.span(path, isWhole: false, cancellation) : nil)
    case .faces(let source, let samples):
      return Self.faces(source, samples, crash: manner, cancellation)
    case .blackness(let source, let isLast):
      return .black(manner == nil ? Self.isBlack(source, isLast: isLast, cancellation) : nil)
    case .inspect(let path, let known):
      if let manner { return .unreadable(MediaError(path: path, reason: .crash(manner))) }
      return Self.inspect(path, known, cancellation)
    case .image(let path, let side):
      return Self.image(path, longestSide: side, crash: manner)
    case .unpack(let path, let folder, let limits):
      do throws(ArchiveError) {
        if let manner { throw ArchiveError(path: path, reason: Self.words(manner)) }
        // A worker that crashed may have left files.
        for name in FileOperations.names(in: folder) {
          try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
        let contents = try ZipArchive(path, limits: limits).unpack(
          into: folder, isCancelled: { cancellation.isCancelled })
        return cancellation.isCancelled ? nil : .unpacked(notes: contents.notes)
      } catch {
        return .notUnpacked(error)
      }
    case .hear(let voice):
      let heard = try? VoiceAnalyzer.analyze(
        voice.ended(by: crash, from: voice.start), note: voiceNote, cancellation: cancellation)
      return heard.map {
        .heard(VoiceAnalyses.AnalyzedVoice(analysis: $0.analysis, report: $0.report, crash: crash))
      }
    case .side(let voice):
      guard losses.isEmpty else { return .unknownSide }
      let side = try? VoiceAnalyzer.side(of: voice, note: voiceNote, cancellation: cancellation)
      return side.map { .side($0) }
    case .alignmentAudio(let voices, let seconds):
      let audio = try? AlignmentAudio.read(
        voices.map { $0.ended(by: crash, from: .zero) }, seconds: seconds, note: voiceNote,
        cancellation: cancellation)
      return audio.map { .alignmentAudio($0) }
    case .mix(let voices, let steps):
      guard losses.isEmpty else { return .powers(nil) }
      let powers = try? steps.map {
        try MixPowerMeter.powers(of: voices, in: $0, note: voiceNote, cancellation: cancellation)
      }
      return powers.map { .powers($0) }
    case .quiet(let voice, let windows):
      guard losses.isEmpty else { return .places(nil) }
      let places = try? QuietCutFinder.find(
        in: voice, windows, note: voiceNote, cancellation: cancellation)
      return places.map { .places($0) }
    case .speech(let voices, let wave, let name, let folder):
      do throws(SystemError) {
        let isWritten = try wave.write(
          voices.map { $0.ended(by: crash, from: .zero) }, to: "\(folder)/\(name)",
          notes: voices.compactMap { _ in voiceNote }, cancellation: cancellation)
        return isWritten ? .wrote(nil) : nil
      } catch {
        return .wrote(error.reason)
      }
    }
  }

  /// True if the task decodes voices.
  private var isListening: Bool {
    switch self {
    case .hear, .side, .alignmentAudio, .mix, .quiet, .speech: true
    case .probe, .streams, .span, .header, .faces, .blackness, .inspect, .image, .unpack: false
    }
  }

  private static func inspect(
    _ path: String, _ known: ScannedFile?, _ cancellation: Cancellation
  ) -> RecordingReadResult {
    do throws(MediaError) {
      let scanned: ScannedFile
      if let known {
        scanned = known
      } else {
        scanned = ScannedFile(try MediaFileInfo.scan(path, cancellation: cancellation))
      }
      let probe = InputProbe(path, .success(scanned))
      return .inspected(try RecordingInspection.inspect(probe, cancellation: cancellation), scanned)
    } catch {
      return .unreadable(error)
    }
  }

  private static func faces(
    _ source: PictureSource, _ samples: PictureSamplingPlan, crash manner: String?,
    _ cancellation: Cancellation
  ) -> RecordingReadResult? {
    guard manner == nil, let cascade = FaceCascade.installed else { return .faces([]) }
    let detector = FaceDetector(cascade)
    var sightings: [DetectedFaces] = []
    try? samples.read(source, cancellation: cancellation) { packet, picture in
      sightings.append(
        DetectedFaces(packet: packet, faces: detector.faces(in: GrayPicture(picture))))
    }
    return cancellation.isCancelled ? nil : .faces(sightings)
  }

  /// Returns true if the first or the last picture of `source` is black, or `nil` if it cannot be
  /// decoded.
  private static func isBlack(
    _ source: PictureSource, isLast: Bool, _ cancellation: Cancellation
  ) -> Bool? {
    let packet = isLast ? source.order.last.map(Int.init) : source.track.firstPicture?.packet
    guard let packet,
      var reader = try? PictureReader.open(
        source, from: source.decodingStart(toShow: packet), cancellation: cancellation),
      reader.next() != nil
    else { return nil }
    reader.keep()
    while isLast, reader.next() != nil { reader.keep() }
    return reader.makeKeptPicture().map { GrayPicture($0).isBlack }
  }

  private static func image(
    _ path: String, longestSide: Int, crash manner: String?
  ) -> RecordingReadResult {
    do throws(ImageFileError) {
      if let manner { throw ImageFileError(path: path, reason: .damaged(Self.words(manner))) }
      return .image(DecodedImage(try StillDecoder().image(at: path, longestSide: longestSide)))
    } catch {
      return .unusable(error)
    }
  }

  private static func words(_ manner: String) -> UserMessage {
    "reading it crashed a worker (\(manner))"
  }
}

extension VoiceSource {
  /// Returns the voice cut off before the place where it crashed a worker. Times of the crash are
  /// relative to `origin`.
  func ended(by crash: CrashedTrackLoss?, from origin: MediaTime) -> VoiceSource {
    guard let crash else { return self }
    var voice = self
    let end = max(interval.start, min(interval.end, origin + crash.end))
    voice.interval = TimeRange(start: interval.start, end: end)
    return voice
  }
}
