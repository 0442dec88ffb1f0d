import TesseraCodecs
import TesseraMessages
import TesseraProof
import TesseraSystem
import TesseraTimeline

/// Plays random excerpts of a finished file and reports deviations from its proof. "Stretch" in
/// this file means an excerpt, not a part with timestamps of its own.
struct ExcerptCheck: ~Copyable {
  /// The length of an excerpt in seconds.
  static let seconds = 2
  /// The pre-roll that is decoded before an excerpt, in seconds. Audio decoders need it.
  private static let lead = 1

  private let seconds: Range<Int>
  private let origin: ExactTime
  private var pictures: PictureCheck?
  private var sound: SoundCheck?
  private var soundPosition: Int64?
  private var (hasPictures, hasSound): (Bool, Bool)

  /// Chooses `count` random excerpts, in seconds, of a file of `length`; `nil` if they would cover
  /// it.
  static func stretches(_ count: Int, of length: MediaTime) -> [Range<Int>]? {
    let places = Int(length.seconds) / Self.seconds
    guard count < places else { return nil }
    return (0..<places).shuffled().prefix(count).sorted().map {
      $0 * Self.seconds..<($0 + 1) * Self.seconds
    }
  }

  /// Checks `stretches` of the file at `path`; returns false after a cancellation.
  ///
  /// - Throws: ``MediaError`` if the file cannot be opened.
  static func look(
    at stretches: [Range<Int>], of path: String, _ proof: OutputProof?, origin: ExactTime,
    _ verdict: inout VerificationReport, cancellation: Cancellation
  ) throws(MediaError) -> Bool {
    for stretch in stretches {
      var playback = try FilePlayer.open(path, cancellation: cancellation)
      guard playback.go(to: MediaTime(seconds: max(0, stretch.lowerBound - lead))) else {
        verdict.note(
          .decoding, from: Double(stretch.lowerBound), "nothing can be played from here on")
        continue
      }
      var check = ExcerptCheck(stretch, playback, proof, origin)
      while check.goesOn, let event = playback.next() { check.take(event, playback, &verdict) }
      guard !cancellation.isCancelled else { return false }
      check.finish(&verdict)
    }
    for subject in [VerificationReport.Subject.frames, .decoding] {
      verdict.look(at: subject, "\(stretches.count) stretches of \(seconds) s")
    }
    return true
  }

  private init(
    _ seconds: Range<Int>, _ playback: borrowing FilePlayer, _ proof: OutputProof?,
    _ origin: ExactTime
  ) {
    (self.seconds, self.origin) = (seconds, origin)
    (hasPictures, hasSound) = (playback.video != nil, playback.audio != nil)
    pictures = proof?.pictures.map { PictureCheck($0, seconds: seconds) }
    sound = proof?.sound.map {
      SoundCheck($0, tolerance: OutputFileCheck.tolerance(playback), from: seconds.lowerBound)
    }
  }

  /// True until pictures and sound have passed the stretch's end.
  private var goesOn: Bool { hasPictures || hasSound }

  private mutating func take(
    _ event: FilePlayer.Event, _ playback: borrowing FilePlayer, _ verdict: inout VerificationReport
  ) {
    switch event {
    case .picture(let clock):
      guard let time = clock.map({ $0 - origin }) else { return }
      if time.seconds >= Double(seconds.upperBound) {
        hasPictures = false
      } else {
        pictures?.see(playback, at: time, &verdict)
      }
    case .sound(let place):
      hear(
        playback.samples,
        at: place.map { $0 - origin.sample(atRate: SoundEnvelopeMeter.sampleRate) },
        &verdict)
    case .failure(let words):
      verdict.note(.decoding, from: Double(seconds.lowerBound), "\(words)")
    case .text, .disorder: break
    }
  }

  private mutating func hear(
    _ samples: [Float], at place: Int64?, _ verdict: inout VerificationReport
  ) {
    guard hasSound, let start = place ?? soundPosition else { return }
    let rate = Int64(SoundEnvelopeMeter.sampleRate)
    let first = max(0, min(Int64(samples.count / 2), Int64(seconds.lowerBound) * rate - start))
    let rest = Array(samples.dropFirst(2 * Int(clamping: first)))
    sound?.hear(rest.span, &verdict)
    soundPosition = start + Int64(samples.count / 2)
    // Sound continues 0.1 s past the stretch, so that the last second can be compared with shifts.
    if start > Int64(seconds.upperBound) * rate + rate / 10 { hasSound = false }
  }

  private mutating func finish(_ verdict: inout VerificationReport) {
    pictures?.finish(&verdict)
    sound?.finish(&verdict)
  }
}
