import TesseraCodecs
import TesseraSystem
import TesseraTimeline

/// Follows a voice's clock: takes its decoded blocks to the place and the rate that they have on
/// the timeline, and judges nothing.
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
  private var reader: SoundReader?
  /// Timeline seconds in a second of the file.
  private let rate: Double
  /// Where the file's beginning lies, in samples.
  private let origin: Int64
  private var run = -1
  private var pace = 0
  /// Samples of the track up to the place that was reached.
  private var reached = 0.0
  /// Where what was taken so far ends, relative to the file's beginning.
  private var end = 0.0
  private var lastPacket = -1
  /// Whether the last block was made up for lost packets.
  private var isMadeUp = false
  private var sampleRate = 0
  private var resampler: Resampler?
  private var (decoded, resampled): ([Float], [Float]) = ([], [])
  /// The place in the middle of the track at which it goes on; nil once that is reached.
  private var restart: VoiceRestart?
  /// Samples of the track before the next block, until then.
  private var passed = 0.0

  /// Samples by which decoders may differ from what packets hold: 5 ms, for some hold a little
  /// back.
  private static let tolerance = 240.0

  /// What is made up may miss the place of what follows by that many samples: 0.5 ms.
  private static let rounding = 24.0
  /// The frames of what is made up that are as loud as that is; what follows fades away.
  private static let heardMadeUp = 4800

  private init(_ source: VoiceSource, from first: Int64) {
    self.source = source
    rate = source.rate.value
    origin = source.start.sample(atRate: Soundtrack.sampleRate)
    placed = PlacedSamples(from: first)
    counts.driftPartsPerMillion = source.clock.partsPerMillion
    counts.breakCount = source.clock.runs.count - 1
  }

  /// The voice of `source`, wanted from sample `first` of the timeline on.
  static func open(
    _ source: VoiceSource, from first: Int64, cancellation: Cancellation
  ) throws(MediaError) -> PlacedVoice {
    var voice = PlacedVoice(source, from: first)
    voice.restart = try VoiceRestart.find(source, first, cancellation)
    voice.reader = try SoundReader.open(
      source.sound, from: voice.restart?.packet ?? source.packet(at: first),
      filling: source.clock.gaps(in: source.sound), cancellation: cancellation)
    return voice
  }

  /// Whether everything was decoded.
  var hasEnded: Bool { reader == nil }

  /// Adds what lies in `range` to `mix`, whose first frame is at `origin`. Decodes as far as that
  /// needs, and as far as a fade has to be known before it begins.
  mutating func mix(
    _ range: Range<Int64>, into mix: inout [Float], origin: Int64, isLast: Bool
  ) {
    while reader != nil, placed.settledEnd < range.upperBound { decodeNext() }
    if isLast, placed.end > range.upperBound { placed.fadeOut(endingAt: range.upperBound) }
    placed.mix(range, into: &mix, origin: origin)
  }

  /// Ends the reading.
  mutating func close() {
    counts.losses = reader?.losses ?? counts.losses
    reader = nil
  }

  private mutating func decodeNext() {
    guard var block = reader?.next() else {
      finishResampling()
      return close()
    }
    let packet = reader?.packetNumber ?? 0
    let dropped = restart.map { pass(packet, block, until: $0) } ?? 0
    guard dropped < block.sampleCount else { return }
    switch block.making {
    case nil:
      counts.decodedSamples += block.sampleCount
      if packet != lastPacket { begin(packet, block) }
    case .concealed:
      guard run >= 0 else { return }
      counts.concealedSamples += block.sampleCount
    case .recovered:
      counts.recoveredSamples += block.sampleCount
      isMadeUp = true
      follow(packet, from: source.sound.length(before: packet) - block.length)
    }
    isMadeUp = block.making != nil
    if block.sampleRate != sampleRate || resampler == nil && !isPlain { changeRate(block) }
    reader?.readSamples(into: &decoded)
    if dropped > 0 {
      decoded.removeFirst(min(decoded.count, 2 * dropped))
      block.sampleCount -= dropped
    }
    counts.losses = reader?.losses ?? counts.losses
    counts.repairedSamples += SampleRepair.repair(&decoded)
    source.side?.center(&decoded)
    if block.making == .concealed { Self.fadeAway(&decoded) }
    takeDecoded(block)
  }

  /// The number of a block's samples before `restart`; all of them if it lies behind the block.
  private mutating func pass(
    _ packet: Int, _ block: SoundBlock, until restart: VoiceRestart
  ) -> Int {
    if packet != lastPacket { passed = place(of: packet, block) }
    lastPacket = packet
    let before = restart.place - passed
    passed += block.length
    guard block.making == nil, before < block.length - 1e-6 else { return block.sampleCount }
    self.restart = nil
    let dropped = max(0, before) * Double(block.sampleRate) / Double(Soundtrack.sampleRate)
    // Where a packet is missing that it lies in, the voice goes on after that.
    follow(packet, from: max(restart.place, passed - block.length), offset: restart.offset)
    return Int(saturating: dropped.rounded())
  }

  /// Fades out what is made up for a long gap.
  private static func fadeAway(_ samples: inout [Float]) {
    let count = samples.count / 2 - heardMadeUp
    for frame in 0..<max(0, count) {
      let gain = Float(count - frame) / Float(count + 1)
      samples[2 * (heardMadeUp + frame)] *= gain
      samples[2 * (heardMadeUp + frame) + 1] *= gain
    }
  }

  // MARK: - Following the clock

  private var runs: [ClockFit.Run] { source.clock.runs }

  /// Goes to where packet number `packet` lies, whose first block is `block`.
  private mutating func begin(_ packet: Int, _ block: SoundBlock) {
    lastPacket = packet
    follow(packet, from: place(of: packet, block))
  }

  /// The samples of the track before packet number `packet`, whose first block is `block`.
  private func place(of packet: Int, _ block: SoundBlock) -> Double {
    source.sound.length(before: packet) + block.skippedLength
  }

  /// Goes to where the sound with `place` samples of the track before it lies in the run of packet
  /// number `packet`, `offset` later.
  private mutating func follow(_ packet: Int, from place: Double, offset: Double = 0) {
    let number = source.clock.run(ofBlock: packet)
    guard number != run || abs(place - reached) > Self.tolerance else { return }
    let goesOn = run >= 0 && runs[run].paces == runs[number].paces
    (run, reached, pace) = (number, place, 0)
    let start = position(after: place) + offset
    choosePace()
    // What was made up fills a gap but for how places are rounded.
    if isMadeUp, abs(start - end) <= Self.rounding, goesOn { return }
    finishResampling()
    end = start
    placed.move(to: origin + Int64(saturating: start.rounded()), overMadeUp: isMadeUp)
  }

  /// Where the sound with `count` samples of the track before it lies in the run that is followed.
  private func position(after count: Double) -> Double {
    runs[run].position(after: count - firstCount) * rate
  }

  /// The samples before the run that is followed.
  private var firstCount: Double { source.sound.length(before: runs[run].firstBlock) }

  private mutating func choosePace() {
    let paces = runs[run].paces
    while pace + 1 < paces.count, paces[pace + 1].offset <= reached - firstCount + 1 { pace += 1 }
  }

  // MARK: - Resampling

  private var isPlain: Bool {
    runs[run].isPlain && rate == 1 && sampleRate == Soundtrack.sampleRate
  }

  /// Samples out for each sample in where the voice is played at `pace`.
  private func ratio(_ pace: ClockFit.Pace) -> Double {
    pace.ratio * rate * Double(Soundtrack.sampleRate) / Double(sampleRate)
  }

  private mutating func changeRate(_ block: SoundBlock) {
    finishResampling()
    sampleRate = block.sampleRate
    guard !isPlain else { return }
    let ratios = runs[run].paces.map { ratio($0) }
    resampler = Resampler(
      ratio: ratios[pace], isSteady: ratios.count == 1, lowest: ratios.min() ?? ratios[pace])
    if resampler == nil { counts.failure = .sampleRate(sampleRate) }
  }

  private mutating func takeDecoded(_ block: SoundBlock) {
    if isPlain {
      placed.append(decoded)
      end += block.length
    } else {
      choosePace()
      let pace = runs[run].paces[pace]
      end += block.length * pace.ratio * rate
      let ratio = ratio(pace)
      resampler?.change(to: ratio)
      resampled.removeAll(keepingCapacity: true)
      resampler?.convert(decoded, into: &resampled)
      placed.append(resampled)
      counts.stretchedSamples += abs(pace.ratio * rate - 1) * block.length
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
