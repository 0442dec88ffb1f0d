import TesseraMedia
import TesseraSystem
import TesseraTimeline

/// Follows the fit of a voice's clock: takes its decoded blocks to the place and the rate that
/// they have on the timeline, and judges nothing.
///
/// A block is known by the number of its packet. Between the first block of a run and the last one
/// samples are only counted; where fewer came out of the decoder than the packets hold, because
/// one of them could not be decoded, what is missing stays silent.
struct PlacedVoice: ~Copyable {
  /// What it put out so far.
  private(set) var placed: PlacedSamples
  /// What it came to.
  private(set) var counts = VoiceReport()

  private let source: VoiceSource
  private let cancellation: Cancellation
  private var reader: SoundReader?
  private var facts: [SoundBlock]
  private var fit: ClockFit
  /// How many samples come before each packet.
  private var before: [Double] = []
  private var run = -1
  private var pace = 0
  /// Samples of the stream up to the place that was reached.
  private var reached = 0.0
  private var lastPacket = -1
  private var sampleRate = 0
  private var resampler: Resampler?
  private var isDecodedFit = false
  private var (decoded, resampled): ([Float], [Float]) = ([], [])

  /// Less of a file than that is read through rather than skipped.
  private static let shortestSkip = MediaTime(seconds: 5)
  /// Samples by which decoders may differ from what packets hold: 5 ms, for some hold a little
  /// back.
  private static let tolerance = 240.0

  private init(
    _ source: VoiceSource, from first: Int64, facts: [SoundBlock], cancellation: Cancellation
  ) {
    (self.source, self.cancellation, self.facts) = (source, cancellation, facts)
    placed = PlacedSamples(from: first)
    fit = ClockFit(facts, of: source)
  }

  /// The voice of `source`, wanted from sample `first` of the timeline on.
  static func open(
    _ source: VoiceSource, from first: Int64, cancellation: Cancellation
  ) throws(MediaError) -> PlacedVoice {
    let facts = try SoundPackets.read(source.sound, cancellation: cancellation)
    var voice = PlacedVoice(source, from: first, facts: facts, cancellation: cancellation)
    voice.countSamples()
    let begin =
      (MediaTime(sample: first, rate: Soundtrack.sampleRate) - source.start)
      * source.rate.inverse
    voice.reader = try SoundReader.open(
      source.sound, from: begin > shortestSkip ? begin : nil, cancellation: cancellation)
    return voice
  }

  private mutating func countSamples() {
    before.removeAll(keepingCapacity: true)
    var count = 0.0
    for fact in facts {
      before.append(count)
      count += fact.length
    }
    counts.driftPartsPerMillion = fit.partsPerMillion
    counts.breakCount = fit.runs.count - 1
  }

  /// Whether everything was decoded.
  var hasEnded: Bool { reader == nil }

  /// Adds what lies in `range` to `mix`, whose first frame is at `origin`. Decodes as far as that
  /// needs, and as far as a fade has to be known before it begins.
  mutating func mix(
    _ range: Range<Int64>, into mix: inout [Float], origin: Int64, isLast: Bool
  ) {
    while reader != nil, placed.end < range.upperBound + Int64(PlacedSamples.fade) { decodeNext() }
    if isLast, placed.end > range.upperBound { placed.fadeOut(endingAt: range.upperBound) }
    placed.mix(range, into: &mix, origin: origin)
  }

  /// Ends the reading.
  mutating func close() {
    counts.losses = reader?.losses ?? counts.losses
    reader = nil
  }

  private mutating func decodeNext() {
    guard let block = reader?.next() else {
      finishResampling()
      return close()
    }
    counts.decodedSamples += block.sampleCount
    let packet = reader?.packetNumber ?? 0
    if packet != lastPacket { begin(packet, block) }
    if block.sampleRate != sampleRate || resampler == nil && !isPlain { changeRate(block) }
    reader?.readSamples(into: &decoded)
    counts.losses = reader?.losses ?? counts.losses
    counts.repairedSamples += SampleRepair.repair(&decoded)
    source.side?.center(&decoded)
    takeDecoded(block)
  }

  // MARK: - Following the fit

  /// Goes to where packet number `packet` lies, whose first block is `block`.
  private mutating func begin(_ packet: Int, _ block: SoundBlock) {
    lastPacket = packet
    if facts.indices.contains(packet), facts[packet].sampleRate != block.sampleRate,
      !isDecodedFit
    {
      fitDecoded()
    }
    guard facts.indices.contains(packet) else {
      if run < 0 { startRun(0, at: 0) }
      return
    }
    let number = fit.run(ofBlock: packet)
    var place = before[packet]
    let missing = facts[packet].length - block.length
    // What the decoder cut off at the beginning is not there, what it cut off at the end is not
    // missed.
    if missing > 0, let time = block.time, let begin = facts[packet].time, time > begin {
      place += missing
    }
    if number != run {
      startRun(number, at: place)
    } else if abs(place - reached) > Self.tolerance {
      startRun(number, at: place)
    }
  }

  /// Looks at the decoder's output rather than the packets, because these do not say what the
  /// stream is.
  private mutating func fitDecoded() {
    isDecodedFit = true
    guard
      let decoded = try? SoundPackets.decoded(source.sound, cancellation: cancellation)
    else { return }
    facts = decoded
    fit = ClockFit(facts, of: source)
    countSamples()
    run = -1
  }

  private mutating func startRun(_ number: Int, at place: Double) {
    finishResampling()
    run = number
    reached = place
    pace = 0
    let inRun = place - firstCount
    placed.move(to: Int64(fit.runs[number].position(after: inRun).rounded()))
    choosePace()
  }

  /// The samples before the run that is followed.
  private var firstCount: Double {
    let block = fit.runs[run].firstBlock
    return before.indices.contains(block) ? before[block] : 0
  }

  private mutating func choosePace() {
    let paces = fit.runs[run].paces
    while pace + 1 < paces.count, paces[pace + 1].offset <= reached - firstCount + 1 { pace += 1 }
  }

  // MARK: - Resampling

  private var isPlain: Bool {
    fit.runs[run].isPlain && sampleRate == Soundtrack.sampleRate
  }

  private var ratio: Double {
    fit.runs[run].paces[pace].ratio * Double(Soundtrack.sampleRate) / Double(sampleRate)
  }

  private mutating func changeRate(_ block: SoundBlock) {
    finishResampling()
    sampleRate = block.sampleRate
    guard !isPlain else { return }
    let paces = fit.runs[run].paces
    let lowest = (paces.map(\.ratio).min() ?? 1) * ratio / paces[pace].ratio
    resampler = Resampler(ratio: ratio, isSteady: paces.count == 1, lowest: lowest)
    if resampler == nil { counts.failure = "cannot resample from \(sampleRate) Hz" }
  }

  private mutating func takeDecoded(_ block: SoundBlock) {
    if isPlain {
      placed.append(decoded)
    } else {
      choosePace()
      let ratio = ratio
      resampler?.change(to: ratio)
      resampled.removeAll(keepingCapacity: true)
      resampler?.convert(decoded, into: &resampled)
      placed.append(resampled)
      let pace = fit.runs[run].paces[pace].ratio
      counts.stretchedSamples += abs(pace - 1) * block.length
    }
    reached += block.length
    decoded.removeAll(keepingCapacity: true)
  }

  private mutating func finishResampling() {
    guard resampler != nil else { return }
    resampled.removeAll(keepingCapacity: true)
    resampler?.finish(into: &resampled)
    resampler = nil
    placed.append(resampled)
  }
}
