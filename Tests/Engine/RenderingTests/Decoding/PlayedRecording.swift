import TesseraTimeline

@testable import TesseraCodecs
@testable import TesseraJobs
@testable import TesseraPlan
@testable import TesseraPlanning
@testable import TesseraRendering

/// A simulated recording: packet times in microseconds, and the behavior of its decoder.
struct PlayedRecording {
  /// The presentation time of each packet's picture, in microseconds.
  var times: [Int64]
  /// The packets at which decoding can start, including the first.
  var keyframes: [Int] = [0]
  /// The packets whose pictures the decoder silently omits.
  var missing: Set<Int> = []
  /// The packets that cannot be decoded. Pictures that the decoder returns after them are damaged.
  var undecodable: Set<Int> = []
  /// The packets whose pictures are decoded but cannot be displayed, and report that.
  var blank: Set<Int> = []
  /// The packets whose pictures come out later, with the number of places.
  var delays: [Int: Int] = [:]
  /// True if the file can be opened.
  var isReadable = true
  /// The duration of a field pair in microseconds, whose fields are separate pictures; `nil`
  /// without field pairs.
  var pair: Int64?
  /// The time at which the recording is cut off; `nil` if it is not.
  var cutoff: ExactTime?
  /// The packets with progressive pictures.
  var progressive: Set<Int> = []

  static let frameRate = FrameRate(10) ?? .thirty

  /// Returns a recording of `count` pictures, one per frame, with a keyframe every `interval`.
  static func steady(_ count: Int, keyframes interval: Int) -> PlayedRecording {
    PlayedRecording(
      times: (0..<count).map { Int64($0) * 100_000 },
      keyframes: Array(stride(from: 0, to: count, by: interval)))
  }

  /// Returns the route through the frames `seen`.
  func route(_ seen: Range<Int>) -> PictureSchedule {
    var index = PacketIndex()
    index.ticks = PackedIntegerArray(times)
    index.flags = times.indices.map {
      PacketIndex.shownFlag | (keyframes.contains($0) ? PacketIndex.keyFlag : 0)
    }
    index.keyframes = keyframes.map(Int32.init)
    let base = Ratio(1, 1_000_000)
    let stream = StreamInfo(
      index: 0, kind: .video, codec: "played", isDecodable: true, isDefault: true, timeBase: base,
      language: nil, title: nil, video: nil, audio: nil)
    let clock = TrackTimeMapping(start: .zero, firstTicks: 0, timeBase: base)
    let track = MediaTrack(
      stream: stream, link: 0, packets: times.indices, clock: clock, start: .zero, end: .zero)
    var source = PictureSource(track: track, index: index, path: "played")
    (source.isInterlaced, source.pairTicks) = (pair != nil, pair)
    return PictureSchedule(source, clock: clock, frameRate: Self.frameRate, cutoff: cutoff, seen)
  }

  /// Returns the packets whose pictures come out if decoding starts at `start`, in output order.
  fileprivate func output(from start: Int) -> [Int] {
    let decoded = times.indices[start...].filter { times[$0] >= times[start] }
    let order = decoded.sorted { (times[$0], $0) < (times[$1], $1) }
    // A decoder reports an undecodable packet immediately, in input order.
    let places = order.enumerated().map { offset, packet in
      (offset + (undecodable.contains(packet) ? 0 : delays[packet] ?? 0), offset, packet)
    }
    return places.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
  }
}

/// A reader of a simulated recording.
struct PlayedReader: PictureSequence, ~Copyable {
  /// A packet's picture and, after damage, the last keyframe before the damage.
  struct Picture: Hashable {
    var packet: Int
    var isSecondField = false
    var damagedSince: Int?
  }

  private(set) var isWhole = true
  var fileLosses: [MediaLoss.Cause] { [] }
  private let recording: PlayedRecording
  private let opened: Opened
  private var output: [Int]
  private var found: DecodedPictureID?
  /// The second field of the picture found first.
  private var second: DecodedPictureID?
  private var kept: Picture?
  private var losses: [PacketLoss] = []
  /// The last keyframe that came out.
  private var keyframe: Int
  /// The last keyframe before the first damage.
  private var damagedSince: Int?

  /// Creates a reader that starts at `packet`, or at an earlier keyframe if that packet does not
  /// come out first. The pictures are counted in `opened`.
  fileprivate init(_ recording: PlayedRecording, from packet: Int, _ opened: Opened) {
    let lost = recording.missing.union(recording.undecodable)
    var start = packet
    while start > 0, recording.output(from: start).first(where: { !lost.contains($0) }) != start {
      start = recording.keyframes.last { $0 < start } ?? 0
    }
    (self.recording, self.opened, keyframe) = (recording, opened, start)
    output = recording.output(from: start).reversed()
  }

  mutating func next() -> DecodedPictureID? {
    found = second.take()
    if let found { return found }
    while let packet = output.popLast() {
      if recording.undecodable.contains(packet) {
        losses.append(PacketLoss(packet: packet, .undecodablePackets(1, "played")))
        isWhole = false
        damagedSince = damagedSince ?? keyframe
        continue
      }
      guard !recording.missing.contains(packet) else { continue }
      opened.decodedCount += 1
      if recording.keyframes.contains(packet) { keyframe = packet }
      found = DecodedPictureID(packet: packet)
      if recording.pair != nil, !recording.progressive.contains(packet) {
        second = DecodedPictureID(packet: packet, isSecondField: true)
      }
      return found
    }
    return nil
  }

  var isBlank: Bool { found.map { recording.blank.contains($0.packet) } ?? false }

  private var picture: Picture? {
    found.map {
      Picture(packet: $0.packet, isSecondField: $0.isSecondField, damagedSince: damagedSince)
    }
  }

  mutating func makePicture() -> Picture? { picture }
  mutating func keep() { kept = picture }
  mutating func makeKeptPicture() -> Picture? { kept }

  mutating func takeLosses() -> [PacketLoss] {
    defer { losses = [] }
    return losses
  }
}

/// The content that a track shows in a frame.
enum VisibleOverlay: Hashable {
  case nothing
  case picture(PlayedReader.Picture)
  case lost

  /// The packet of the picture; `nil` without a picture.
  var packet: Int? { picture?.packet }
  /// The picture; `nil` without a picture.
  var picture: PlayedReader.Picture? {
    if case .picture(let picture) = self { picture } else { nil }
  }
}

/// The result of playing a simulated recording.
struct Played {
  /// The content of each frame.
  var shown: [Int: VisibleOverlay] = [:]
  var parts: [PictureStatistics.TimelinePart] = []
  /// The packets at which readers started.
  var starts: [Int] = []
  var decodedCount = 0
  /// The reason why a render would hang; `nil` if it would not.
  var hang: String?
}

extension PlayedRecording {
  /// Plays the frames of `wanted` inside `frames` like a composing thread: it waits for due
  /// pictures and has room for two pictures besides the one shown. The last picture before `fading`
  /// is needed for some frames after it.
  func play(
    _ wanted: [Range<Int>], in frames: Range<Int>? = nil, cuts: [Int] = [], parts: [Int] = [],
    lost: Int = .max, fading: SegmentInput.Crossfade? = nil, ahead: (Int) -> Int = { _ in 0 }
  ) -> Played {
    var played = Played()
    guard let last = wanted.last else { return played }
    let frames = frames ?? 0..<last.upperBound
    let whole = route(0..<last.upperBound)
    let seen = SegmentInput.Track.seen(wanted, in: frames) { frame in
      guard whole.count > 0 else { return frame }
      let start = whole.start(toShow: whole.picture(shownIn: frame))
      return whole.frame(of: whole.picture(of: start) ?? 0)
    }
    let needed = { (ranges: [Range<Int>]) in
      let faded = [fading].compactMap { $0 }.filter { $0.frames.overlaps(ranges) }
      return (seen.intersection(ranges) + faded.map { $0.last..<$0.last + 1 }).merged
    }
    let all = needed([Int.min / 2..<frames.upperBound])
    let opened = Opened()
    var cursor = PictureCursor<PlayedReader>(
      route((all.first?.lowerBound ?? 0)..<(all.last?.upperBound ?? 0)),
      DecodeWindow.windows(of: seen, in: [frames], cuts: cuts, lost: lost, needed: needed),
      end: (times.max().map { Int($0 / 100_000) } ?? 0) + 1, longestHold: 5,
      statistics: PictureStatistics(starts: parts)
    ) { packet, _ throws(MediaError) in
      opened.starts.append(packet)
      guard isReadable else { throw MediaError(path: "played", reason: .empty) }
      return PlayedReader(self, from: packet, opened)
    }
    var queue: [PictureCursor<PlayedReader>.FrameContent] = []
    var (shown, due) = (VisibleOverlay.nothing, Int.min)
    for frame in frames {
      if cuts.contains(frame) { shown = .nothing }
      var (steps, extra) = (0, ahead(frame))
      while played.hang == nil {
        let isComplete = cursor.due > frame
        while let entry = queue.first, entry.frame <= frame {
          shown = entry.picture.map { .picture($0) } ?? .lost
          queue.removeFirst()
        }
        if isComplete, extra == 0 || queue.count == 2 { break }
        if isComplete { extra -= 1 }
        steps += 1
        if queue.count == 2 { played.hang = "\(frame) waits, and later pictures fill the queue" }
        if steps > 10 * times.count + 100 { played.hang = "\(frame) is never complete" }
        if let entry = cursor.advance() {
          queue.append(entry)
          if entry.frame > cursor.due { played.hang = "\(entry.frame) is put before it is due" }
        }
        if cursor.due < due { played.hang = "\(cursor.due) is due again" }
        due = cursor.due
      }
      let isSeen = wanted.contains { $0.contains(frame) } || fading?.frames.contains(frame) == true
      if isSeen { played.shown[frame] = shown }
    }
    played.parts = cursor.statistics.parts
    (played.starts, played.decodedCount) = (opened.starts, opened.decodedCount)
    return played
  }
}

/// The packets at which readers started, and the number of pictures from all readers.
private final class Opened: @unchecked Sendable {
  // `Sendable` is safe: a test uses one thread.
  var starts: [Int] = []
  var decodedCount = 0
}

extension Range<Int> {
  fileprivate func overlaps(_ others: [Range<Int>]) -> Bool {
    others.contains { $0.overlaps(self) }
  }
}
