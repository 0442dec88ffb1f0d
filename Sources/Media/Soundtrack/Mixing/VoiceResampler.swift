import TesseraCodecs
import TesseraSystem
import TesseraTimeline

/// Decodes a voice and places its samples on the timeline, at the positions and speeds of its
/// ``VoiceClockFit``. All decisions are in the fit.
///
/// A block is identified by its packet number. Within a run, samples are only counted. If the
/// decoder returns fewer samples than the packets contain, because a packet is undecodable, the
/// missing samples remain silent.
struct VoiceResampler: ~Copyable {
  /// The queue of decoded samples.
  private(set) var placed: TimelineSampleBuffer
  /// The counts of decoded, concealed and lost samples so far.
  private(set) var counts = VoiceReport()

  private let source: VoiceSource
  /// The reader of the file; `nil` after the end.
  private var reader: SoundReader?
  /// The number of timeline seconds for each second of the file.
  private let rate: Double
  /// The position of the file's beginning on the timeline, in samples.
  private let origin: Int64
  /// The index of the current run in the voice's ``VoiceClockFit``; -1 before the first one.
  private var run = -1
  /// The index of the current pace in the run.
  private var pace = 0
  /// The number of the track's samples up to the current place.
  private var reached = 0.0
  /// The end of the sound placed so far, relative to the file's beginning, in samples.
  private var end = 0.0
  /// The number of the last packet.
  private var lastPacket = -1
  /// True if the last block was concealed or recovered, in place of lost packets.
  private var isMadeUp = false
  /// The sample rate of the last block, in hertz; 0 before the first one.
  private var sampleRate = 0
  private var resampler: SampleRateConverter?
  private var (decoded, resampled): ([Float], [Float]) = ([], [])
  /// The place in the middle of the track at which the voice starts; `nil` once the place is
  /// reached.
  private var restart: DecodeRestartPoint?
  /// The number of the track's samples before the next block, while ``restart`` is set.
  private var passed = 0.0

  /// The difference between decoded and expected samples that is ignored: 5 ms. Some decoders hold
  /// samples back.
  private static let tolerance = 240.0

  /// The distance between concealed sound and the following sound that counts as rounding, in
  /// samples: 0.5 ms.
  private static let rounding = 24.0
  /// The number of frames of concealed sound at full level; the rest fades out.
  private static let heardMadeUp = 4800

  private init(_ source: VoiceSource, from first: Int64) {
    self.source = source
    rate = source.rate.value
    origin = source.start.sample(atRate: Soundtrack.sampleRate)
    placed = TimelineSampleBuffer(from: first)
    counts.driftPartsPerMillion = source.clock.partsPerMillion
    counts.breakCount = source.clock.runs.count - 1
  }

  /// Opens the voice of `source`, which is heard from sample `first` of the timeline on.
  static func open(
    _ source: VoiceSource, from first: Int64, cancellation: Cancellation
  ) throws(MediaError) -> VoiceResampler {
    var voice = VoiceResampler(source, from: first)
    voice.restart = try DecodeRestartPoint.find(source, first, cancellation)
    voice.reader = try SoundReader.open(
      source.sound, from: voice.restart?.packet ?? source.packet(at: first),
      filling: source.clock.gaps(in: source.sound), cancellation: cancellation)
    return voice
  }

  /// True if the whole file is decoded.
  var hasEnded: Bool { reader == nil }

  /// Adds the samples in `range` to `mix`, whose first frame is at `origin`.
  ///
  /// Decodes as far as `range` needs, and further if a fade has to be known before it begins. If
  /// `isLast`, the voice fades out at the end of `range`.
  mutating func mix(
    _ range: Range<Int64>, into mix: inout [Float], origin: Int64, isLast: Bool
  ) {
    while reader != nil, placed.settledEnd < range.upperBound { decodeNext() }
    if isLast, placed.end > range.upperBound { placed.fadeOut(endingAt: range.upperBound) }
    placed.mix(range, into: &mix, origin: origin)
  }

  /// Closes the file and keeps the losses reported so far.
  mutating func close() {
    counts.losses = reader?.losses ?? counts.losses
    reader = nil
  }

  /// Decodes the next block and appends its samples to ``placed``, or ends the voice.
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
    counts.repairedSamples += InvalidSampleRepair.repair(&decoded)
    source.side?.center(&decoded)
    if block.making == .concealed { Self.fadeAway(&decoded) }
    takeDecoded(block)
  }

  /// Returns the number of the block's samples that are before `restart`; all of them if `restart`
  /// is after the block.
  private mutating func pass(
    _ packet: Int, _ block: SoundBlockInfo, until restart: DecodeRestartPoint
  ) -> Int {
    if packet != lastPacket { passed = place(of: packet, block) }
    lastPacket = packet
    let before = restart.place - passed
    passed += block.length
    guard block.making == nil, before < block.length - 1e-6 else { return block.sampleCount }
    self.restart = nil
    let dropped = max(0, before) * Double(block.sampleRate) / Double(Soundtrack.sampleRate)
    // If the packet that contains the place is missing, the voice starts after it.
    follow(packet, from: max(restart.place, passed - block.length), offset: restart.offset)
    return Int(saturating: dropped.rounded())
  }

  /// Fades out sound that conceals a long gap.
  private static func fadeAway(_ samples: inout [Float]) {
    let count = samples.count / 2 - heardMadeUp
    for frame in 0..<max(0, count) {
      let gain = Float(count - frame) / Float(count + 1)
      samples[2 * (heardMadeUp + frame)] *= gain
      samples[2 * (heardMadeUp + frame) + 1] *= gain
    }
  }

  // MARK: - Following the clock

  private var runs: [VoiceClockFit.ContinuousRun] { source.clock.runs }

  /// Moves to the place of packet number `packet`, whose first block is `block`.
  private mutating func begin(_ packet: Int, _ block: SoundBlockInfo) {
    lastPacket = packet
    follow(packet, from: place(of: packet, block))
  }

  /// Returns the number of the track's samples before packet number `packet`, whose first block is
  /// `block`.
  private func place(of packet: Int, _ block: SoundBlockInfo) -> Double {
    source.sound.length(before: packet) + block.skippedLength
  }

  /// Moves to the position of the sound that has `place` samples of the track before it.
  ///
  /// The position is that of the run of packet number `packet`, plus `offset`. Nothing moves within
  /// a run, unless samples are missing.
  private mutating func follow(_ packet: Int, from place: Double, offset: Double = 0) {
    let number = source.clock.run(ofBlock: packet)
    guard number != run || abs(place - reached) > Self.tolerance else { return }
    let goesOn = run >= 0 && runs[run].paces == runs[number].paces
    (run, reached, pace) = (number, place, 0)
    let start = position(after: place) + offset
    choosePace()
    // Concealed sound fills a gap except for rounding.
    if isMadeUp, abs(start - end) <= Self.rounding, goesOn { return }
    finishResampling()
    end = start
    placed.move(to: origin + Int64(saturating: start.rounded()), overMadeUp: isMadeUp)
  }

  /// Returns the position, in the current run, of the sound that has `count` samples of the track
  /// before it.
  private func position(after count: Double) -> Double {
    runs[run].position(after: count - firstCount) * rate
  }

  /// The number of the track's samples before the current run.
  private var firstCount: Double { source.sound.length(before: runs[run].firstBlock) }

  /// Advances ``pace`` to the pace at the current place.
  private mutating func choosePace() {
    let paces = runs[run].paces
    while pace + 1 < paces.count, paces[pace + 1].offset <= reached - firstCount + 1 { pace += 1 }
  }

  // MARK: - Resampling

  /// True if the current run needs no resampling.
  private var isPlain: Bool {
    runs[run].isPlain && rate == 1 && sampleRate == Soundtrack.sampleRate
  }

  /// Returns the number of output samples for each input sample at `pace`.
  private func ratio(_ pace: VoiceClockFit.SpeedSegment) -> Double {
    pace.ratio * rate * Double(Soundtrack.sampleRate) / Double(sampleRate)
  }

  /// Finishes the current resampler and creates one for the sample rate of `block` if needed.
  private mutating func changeRate(_ block: SoundBlockInfo) {
    finishResampling()
    sampleRate = block.sampleRate
    guard !isPlain else { return }
    let ratios = runs[run].paces.map { ratio($0) }
    resampler = SampleRateConverter(
      ratio: ratios[pace], isSteady: ratios.count == 1, lowest: ratios.min() ?? ratios[pace])
    if resampler == nil { counts.failure = .sampleRate(sampleRate) }
  }

  /// Appends the decoded samples to ``placed``, resampled if needed.
  private mutating func takeDecoded(_ block: SoundBlockInfo) {
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

  /// Appends the samples that the resampler holds back, and removes it.
  private mutating func finishResampling() {
    guard resampler != nil else { return }
    resampled.removeAll(keepingCapacity: true)
    resampler?.finish(into: &resampled)
    resampler = nil
    placed.append(resampled)
  }
}
