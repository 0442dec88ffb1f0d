import TesseraCodecs
import TesseraSoundtrack
import TesseraTimeline

/// Algorithms on times of recordings, with arbitrary values.
extension FuzzTarget {
  /// Reads the packets of two streams; each packet is in one stretch of its stream.
  static func readStretches(_ bytes: [UInt8]) {
    var numbers = Numbers(bytes)
    let names = ["matroska,webm", "mov,mp4", "ogg", "mpegts", "flv", "wav", "h264"]
    let name = names[numbers.byte() % names.count]
    let scale = [(1, 1000), (1, 90_000), (1, 48_000), (0, 0), (1, 0), (7200, 1), (-1, 25)]
    var streams = [true, false].map { isSound in
      let (numerator, denominator) = scale[numbers.byte() % scale.count]
      return StreamPackets(
        StreamInfo(isSound ? .audio : .video, timeBase: Ratio(numerator, denominator)))
    }
    while !numbers.isEmpty, streams[0].packets.count + streams[1].packets.count < 2000 {
      let (head, stream) = (numbers.byte(), numbers.byte() & 1)
      var packet = PacketInfo(
        size: 100, sequence: streams[0].packets.count + streams[1].packets.count)
      packet.isKeyframe = head & 1 != 0
      packet.isDiscarded = head & 64 != 0
      if head & 2 == 0 { packet.presentation = numbers.next() }
      if head & 4 == 0 { packet.decoding = numbers.next() }
      if head & 8 != 0 { packet.duration = numbers.next() }
      if head & 16 != 0 { packet.padding = Int(clamping: numbers.next()) }
      if head & 32 != 0 { streams[stream].mayReorder = true }
      streams[stream].packets.append(packet)
    }
    let found = ClockStretchFinder.stretches(of: streams, in: ContainerTraits(name))
    for (stream, stretches) in Swift.zip(streams, found) {
      precondition(stretches.map(\.packets).joined().elementsEqual(stream.packets.indices))
      precondition(stretches.allSatisfy { $0.ticks.count == $0.packets.count })
    }
  }

  /// Reads blocks of sound; each block is in one run.
  static func readClock(_ bytes: [UInt8]) {
    var (numbers, blocks) = (Numbers(bytes), [SoundBlockInfo]())
    let rates = [48_000, 44_100, 8_000, 1, 384_000]
    let rate = rates[numbers.byte() % rates.count]
    while !numbers.isEmpty, blocks.count < 2000 {
      let head = numbers.byte()
      let time = head & 1 == 0 ? MediaTime(nanoseconds: numbers.next() *| 1_000_000) : nil
      let count = head & 2 == 0 ? 960 : Int(clamping: max(0, numbers.next()) % 1_000_000)
      blocks.append(SoundBlockInfo(time: time, sampleCount: count, sampleRate: rate))
    }
    let fit = VoiceClockFit(blocks)
    precondition(!fit.runs.isEmpty && fit.runs[0].firstBlock == 0)
    precondition(
      Swift.zip(fit.runs, fit.runs.dropFirst()).allSatisfy { $0.firstBlock < $1.firstBlock })
    for run in fit.runs {
      precondition(!run.paces.isEmpty && run.position(after: 1e6).isFinite)
      precondition(run.paces.allSatisfy { abs($0.ratio - 1) <= 0.1 + 1e-9 })
    }
  }

  /// Reads parts of a call; kept and cut parts together are the whole, in times and in frames.
  static func readRanges(_ bytes: [UInt8]) {
    var (numbers, ranges) = (Numbers(bytes), [TimeRange]())
    let rates = [(25, 1), (30_000, 1001), (1, 1), (240, 1)]
    let (numerator, denominator) = rates[numbers.byte() % rates.count]
    while !numbers.isEmpty, ranges.count < 200 {
      let start = MediaTime(nanoseconds: numbers.next() *| 10_000_000)
      ranges.append(
        TimeRange(start: start, end: start + MediaTime(nanoseconds: numbers.next() *| 10_000_000)))
    }
    for list in [KeptRanges(keeping: ranges), KeptRanges(cutting: ranges)] {
      checkRanges(list)
      guard let rate = FrameRate(numerator, denominator) else { continue }
      checkFrames(list, rate)
    }
  }

  /// Checks that parts are sorted and separate, and checks the gaps between them.
  static func checkRanges(_ list: KeptRanges) {
    precondition(list.kept.allSatisfy { $0.start < $0.end && $0.start >= .zero })
    precondition(Swift.zip(list.kept, list.kept.dropFirst()).allSatisfy { $0.end < $1.start })
    let end = MediaTime(seconds: 1000)
    let all = list.clipped(to: TimeRange(start: .zero, end: end)) + list.holes(before: end)
    let length = all.reduce(MediaTime.zero) { $0 + $1.duration }
    precondition(length == end, "\(length)")
  }

  private static func checkFrames(_ list: KeptRanges, _ rate: FrameRate) {
    let cut = FrameSelection(list, at: rate, frameCount: 1000)
    precondition(cut.count <= 1000)
    for frame in [0, cut.count / 2, cut.count - 1] where frame >= 0 && frame < cut.count {
      precondition(cut.output(of: cut[frame]) == frame)
    }
    let half = cut.count / 2
    precondition(cut.call(0..<half).reduce(0) { $0 + $1.count } == half)
    let times = CutTimeMapping(cut, at: rate)
    let seconds = (0...40).map { times.output(MediaTime(seconds: $0)) }
    precondition(Swift.zip(seconds, seconds.dropFirst()).allSatisfy { $0 <= $1 })
  }
}
