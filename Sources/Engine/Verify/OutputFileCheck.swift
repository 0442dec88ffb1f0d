import Foundation
import Glibc
package import TesseraCodecs
import TesseraDocuments
import TesseraMessages
import TesseraPixels
package import TesseraProof
import TesseraSoundtrack
package import TesseraSystem
import TesseraTimeline

/// Plays a finished file and reports deviations from its proof, or general defects if it has no
/// proof.
package struct OutputFileCheck: ~Copyable {
  private let path: String
  private let proof: OutputProof?
  var verdict: VerificationReport
  private var pictures: PictureCheck?
  private var plain = NoReferenceCheck()
  private var sound: SoundCheck?
  private var loudness = LoudnessMeter()
  private var peaks = PeakMeter()
  /// The position of the next sample, in samples at 48 kHz.
  private var position: Int64 = 0
  /// The start of the file by its own clock.
  private var origin = ExactTime(0, over: 1)
  private var firstPicture: ExactTime?
  private var lastPicture: ExactTime?
  /// The number of pictures with a time.
  private var pictureCount = 0
  /// The captions found so far, by the stream's index.
  var captions: [Int: [OutputProof.TimedText]] = [:]

  /// Tolerances for lengths, texts and gaps of a file.
  enum Limit {
    /// Seconds between the ends of pictures and sound.
    static let length = 0.1
    /// Seconds by which chapters and captions may be misplaced.
    static let text = 0.05
    /// Samples by which sound may jump.
    static let jump: Int64 = 48
    /// The maximum number of samples inserted for a gap: 60 s.
    static let longestFilled: Int64 = 60 * 48_000
  }

  /// Checks the file at `path`, or the segments of the playlist at `path`, and returns the verdict.
  ///
  /// - Parameters:
  ///   - path: the file or playlist.
  ///   - proof: the proof to compare with; `nil` reports general defects only.
  ///   - verdict: earlier findings that the result includes.
  ///   - count: the number of random stretches to play; `nil` plays everything.
  ///   - cancellation: stops the check.
  /// - Returns: the verdict; `nil` after a cancellation.
  /// - Throws: ``MediaError`` if the file cannot be opened.
  package static func verdict(
    on path: String, _ proof: OutputProof?, into verdict: VerificationReport? = nil,
    sampling count: Int? = nil,
    cancellation: Cancellation
  ) throws(MediaError) -> VerificationReport? {
    var (path, verdict) = (
      path, verdict ?? VerificationReport(output: path, isProven: proof != nil)
    )
    if HLSPlaylist.isPlaylist(path) {
      // The first run of a playlist opens like a file.
      try lookAtSegments(path, &verdict)
      path += "/0"
    }
    var playback = try FilePlayer.open(path, cancellation: cancellation)
    var check = OutputFileCheck(path, proof, verdict)
    check.origin = try origin(of: path, playback.formatName, cancellation)
    check.lookAtStreams(playback)
    let length = proof?.duration ?? playback.declaredDuration ?? .zero
    if let count, let stretches = ExcerptCheck.stretches(count, of: length) {
      return try check.sampled(stretches, playback, cancellation)
    }
    while let event = playback.next() { check.take(event, playback) }
    guard !cancellation.isCancelled else { return nil }
    check.finish(playback)
    return check.verdict
  }

  /// Seconds by which pictures may start late. Containers without negative times start at the
  /// encoder's audio priming instead.
  private static let latestStart = 0.05

  /// Returns the start of the file by its own clock.
  ///
  /// Zero for MP4, which has edit lists. Otherwise the PTS of the first picture if it is at most
  /// 0.05 s, or of the first sample if the file has no pictures.
  private static func origin(
    of path: String, _ format: String, _ cancellation: Cancellation
  ) throws(MediaError) -> ExactTime {
    let zero = ExactTime(0, over: 1)
    guard !format.contains("mov") else { return zero }
    var playback = try FilePlayer.open(path, cancellation: cancellation)
    while let event = playback.next() {
      switch event {
      case .picture(let time?): return time.seconds <= latestStart ? time : zero
      case .sound(let place?) where playback.video == nil:
        return ExactTime(Int128(place), over: 48_000)
      default: break
      }
    }
    return zero
  }

  /// Checks only `stretches`, and the container's length and chapters.
  private consuming func sampled(
    _ stretches: [Range<Int>], _ playback: borrowing FilePlayer, _ cancellation: Cancellation
  ) throws(MediaError) -> VerificationReport? {
    if let proof, let length = playback.declaredDuration,
      abs(length.seconds - proof.duration.seconds) > Limit.length
    {
      verdict.note(
        .length,
        "the file lasts \(Self.text(length.seconds)) s, not \(Self.text(proof.duration.seconds)) s",
        measured: length.seconds, limit: proof.duration.seconds)
    }
    if let proof { compareChapters(playback, proof) }
    guard
      try ExcerptCheck.look(
        at: stretches, of: path, proof, origin: origin, &verdict, cancellation: cancellation)
    else { return nil }
    verdict.sort()
    return verdict
  }

  /// Returns the tolerance for the sound of `playback`.
  ///
  /// A copy into Matroska may shift sound by the codec's delay. AAC and MP3 attenuate tones that
  /// mask each other.
  static func tolerance(_ playback: borrowing FilePlayer) -> SoundCheck.Tolerance {
    var tolerance = SoundCheck.Tolerance()
    if playback.formatName.contains("matroska") { tolerance.place = 0.01 }
    if let audio = playback.audio, ["aac", "mp3"].contains(playback.streams[audio].codec) {
      tolerance.level = 1.5
    }
    return tolerance
  }

  /// Reports missing segments of the playlist at `path`, a missing end tag, and further runs, which
  /// are not checked.
  private static func lookAtSegments(
    _ path: String, _ verdict: inout VerificationReport
  ) throws(MediaError) {
    let list = try SegmentedFile(path)
    for hole in list.holes {
      verdict.note(
        .container, from: hole.start.seconds, to: hole.end.seconds,
        hole.count == 1
          ? "the segment \(file: hole.name ?? "") is missing"
          : "\(hole.count) segments from \(hole.name ?? "the first") on are missing")
    }
    if list.isOpenEnded { verdict.note(.container, "the playlist has no end marker") }
    if list.runCount > 1 {
      verdict.note(.container, "only the first of \(list.runCount) parts is looked at")
    }
  }

  private init(_ path: String, _ proof: OutputProof?, _ verdict: VerificationReport) {
    (self.path, self.proof, self.verdict) = (path, proof, verdict)
    pictures = proof?.pictures.map { PictureCheck($0) }
  }

  // MARK: Streams

  private mutating func lookAtStreams(_ playback: borrowing FilePlayer) {
    let tolerance = Self.tolerance(playback)
    sound = proof?.sound.map { SoundCheck($0, tolerance: tolerance) }
    let video = playback.video.map { playback.streams[$0] }
    let audio = playback.audio.map { playback.streams[$0] }
    verdict.look(
      at: .container,
      ([playback.formatName] + [video, audio].compactMap { $0?.codec }).joined(separator: ", "))
    if MovieBoxParser.hasIndexFirst(path) == false {
      verdict.note(.container, "the index is at the end: players start late over a network")
    }
    if let proof {
      require(video != nil || proof.pictures == nil, "there are no pictures")
      require(audio != nil || proof.sound == nil, "there is no sound")
    }
    if let video = video?.video { lookAtPictures(video) }
    if let rate = audio?.audio?.sampleRate, proof?.sound != nil {
      require(
        rate == SoundEnvelopeMeter.sampleRate, "sound has \(rate) samples a second, not 48000")
      if rate != SoundEnvelopeMeter.sampleRate { sound = nil }
    }
  }

  private mutating func lookAtPictures(_ video: StreamInfo.Video) {
    require(
      video.rotation == 0 && !video.isMirrored,
      "pictures are turned by \(video.rotation) degrees\(video.isMirrored ? " and mirrored" : "")")
    guard let wanted = proof?.pictures else { return }
    require(
      video.sampleAspectRatio == .square,
      "pixels are not square: \(video.sampleAspectRatio)")
    require(
      video.size == wanted.size,
      "pictures are \(video.size.width)x\(video.size.height) pixels large, not "
        + "\(wanted.size.width)x\(wanted.size.height)")
    require(
      video.color.matrix == .bt709,
      "the colors are tagged with the matrix \(video.color.matrix), not bt709")
    require(video.color.range == .limited, "the range is tagged as full")
    let (claimed, rate) = (video.averageFrameRate, wanted.frameRate)
    let exact = Double(rate.numerator) / Double(rate.denominator)
    let found = Double(claimed.numerator) / Double(max(1, claimed.denominator))
    if claimed.numerator > 0, abs(found - exact) > exact / 100, wanted.frameCount > 10 {
      verdict.note(
        .container, "the rate is \(found) frames a second", measured: found, limit: exact)
    }
  }

  private mutating func require(_ holds: Bool, _ text: UserMessage) {
    if !holds { verdict.note(.container, text) }
  }

  // MARK: Events

  private mutating func take(_ event: FilePlayer.Event, _ playback: borrowing FilePlayer) {
    switch event {
    case .picture(let clock):
      let time = clock.map { $0 - origin }
      firstPicture = firstPicture ?? time
      lastPicture = time ?? lastPicture
      pictureCount += time == nil ? 0 : 1
      if pictures != nil {
        pictures?.see(playback, at: time, &verdict)
      } else {
        plain.see(playback, at: time, &verdict)
      }
    case .sound(let place):
      hear(
        playback.samples,
        at: place.map { $0 - origin.sample(atRate: SoundEnvelopeMeter.sampleRate) })
    case .text(let stream, let start, let end, let text):
      captions[stream, default: []].append(
        OutputProof.TimedText(
          start: start.nanoseconds / 1_000_000, end: end.nanoseconds / 1_000_000, text: text))
    case .failure(let words): verdict.note(.decoding, from: lastPicture?.seconds, "\(words)")
    case .disorder(let stream, let time):
      verdict.note(
        .frames, from: time.seconds, "packets of stream \(stream) are not in their order")
    }
  }

  private mutating func hear(_ samples: [Float], at place: Int64?) {
    var samples = samples
    if let place, abs(place - position) > Limit.jump {
      let gap = place - position
      if position > 0 || gap > Int64(Limit.length * 48_000) {
        verdict.note(
          .place, from: Double(position) / 48_000,
          gap > 0 ? "a stretch of sound is missing" : "sound overlaps",
          measured: Double(gap) / 48_000,
          limit: Double(Limit.jump) / 48_000)
      }
      if gap > 0 {
        // The length of the gap comes from the file and has no bound.
        let filled = min(gap, Limit.longestFilled)
        samples.insert(contentsOf: repeatElement(0, count: 2 * Int(filled)), at: 0)
        position = place - filled
      } else {
        samples.removeFirst(min(samples.count, 2 * Int(clamping: -gap)))
      }
    }
    peaks.add(samples, from: position)
    loudness.add(samples)
    sound?.hear(samples.span, &verdict)
    position += Int64(samples.count / 2)
  }

  // MARK: The end

  private mutating func finish(_ playback: borrowing FilePlayer) {
    if pictures != nil {
      pictures?.finish(&verdict)
    } else if playback.video != nil {
      plain.finish(&verdict)
    }
    sound?.finish(&verdict)
    verdict.look(at: .decoding)
    if playback.audio != nil { finishPeaks() }
    compareLengths(playback)
    if let proof {
      compareChapters(playback, proof)
      compareCaptions(playback, proof)
    }
    verdict.sort()
  }

  private mutating func finishPeaks() {
    let loud = loudness.integrated.map { "\(($0 * 10).rounded() / 10) LUFS" } ?? "silence"
    peaks.finish()
    let peak = peaks.highest > 0 ? 20 * log10(Double(peaks.highest)) : -120
    verdict.look(at: .peaks, "\(loud), true peak \((peak * 10).rounded() / 10) dBTP")
    if proof == nil {
      for run in peaks.silent {
        let (start, end) = (Double(run.lowerBound) / 48_000, Double(run.upperBound) / 48_000)
        verdict.remark(.level, from: start, to: end, "nothing is heard")
      }
    }
    for run in peaks.clipped {
      let (start, end) = (Double(run.lowerBound) / 48_000, Double(run.upperBound) / 48_000)
      verdict.note(.peaks, from: start, to: end, "sound is clipped")
    }
    if let ceiling = proof?.sound?.ceiling, peak > ceiling + 0.3 {
      verdict.note(
        .peaks, "sound is above the highest level that was allowed", measured: peak,
        limit: ceiling)
    }
  }

  private mutating func compareLengths(_ playback: borrowing FilePlayer) {
    let sound = playback.audio == nil ? nil : Double(position) / 48_000
    var picture: Double?
    if let first = firstPicture, let last = lastPicture {
      let rate = proof?.pictures?.frameRate
      let spacing = (last - first).seconds / Double(max(1, pictureCount - 1))
      let frame =
        rate.map { Double($0.denominator) / Double($0.numerator) }
        ?? playback.pictureDuration?.seconds ?? spacing
      picture = last.seconds + frame
      if abs(first.seconds) > frame {
        verdict.note(
          .length, "pictures begin late", measured: first.seconds, limit: frame)
      }
    }
    let words = [
      picture.map { "pictures \(Self.text($0)) s" }, sound.map { "sound \(Self.text($0)) s" },
    ]
    verdict.look(at: .length, words.compactMap(\.self).joined(separator: ", "))
    if let picture, let sound, abs(picture - sound) > Limit.length {
      verdict.note(
        .length, "pictures and sound do not end together", measured: picture - sound,
        limit: Limit.length)
    }
    guard let wanted = proof?.duration.seconds else { return }
    for (what, length) in [("pictures", picture), ("sound", sound)] {
      guard let length, abs(length - wanted) > Limit.length else { continue }
      verdict.note(
        .length, "\(what) last \(Self.text(length)) s, not \(Self.text(wanted)) s",
        measured: length, limit: wanted)
    }
  }

  private static func text(_ seconds: Double) -> String { String(format: "%.3f", seconds) }
}
