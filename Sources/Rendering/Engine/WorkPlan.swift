import Foundation
import TesseraLayout
import TesseraLettering
public import TesseraMedia
import TesseraPixels
import TesseraSoundtrack
public import TesseraSystem
import TesseraTimeline

/// A plan with all that is decided about rendering it: where it is cut, and from what each piece is
/// made. What workers read.
public struct WorkPlan: Sendable, Codable {
  /// The program that wrote it: no other reads it.
  public var build: String
  /// What is drawn when.
  public var plan: Plan
  /// The frames of each segment, on the plan's timeline.
  public var segments: [Range<Int>]
  /// What each segment is made from, losses aside.
  public var digests: [String]
  /// What the sound is made from, losses aside.
  public var soundtrackDigest: String
  /// What making each segment is expected to cost.
  var costs: [Runs.Cost]
  /// The format of the output.
  public var container: Container
  /// Its format where it holds nothing but sound; there are no segments then.
  public var soundContainer: SoundContainer?

  /// Decides how `plan` is rendered; where `sound` is given, without pictures.
  public init(
    _ plan: Plan, container: Container = .mp4, sound: SoundContainer? = nil
  ) {
    self.plan = plan
    self.container = container
    soundContainer = sound
    build = Self.build
    soundtrackDigest = plan.soundtrackDigest
    guard sound == nil else {
      (segments, digests, costs) = ([], [], [])
      return
    }
    let needs = plan.trackNeeds
    let first = plan.frames.lowerBound
    let cut = Segmentation(
      frameCount: plan.frames.count, group: plan.output.video.keyframeInterval,
      tracks: needs.flatMap { $0.segmentation(in: plan.frames) },
      isDivisible: plan.output.video.isRepeatable)
    segments = cut.segments.map { ($0.lowerBound + first)..<($0.upperBound + first) }
    digests = segments.map { plan.digest(of: $0, needs) }
    costs = segments.map { plan.cost(of: $0, needs) }
  }

  /// This program: its version, its libraries and its own size, which hardly ever is another
  /// build's.
  static let build: String = {
    let libraries = LibraryVersions.all.map { "\($0.name) \($0.version)" }
    let size = FileSystem.byteCount(of: "/proc/self/exe")
    return (["tessera \(TesseraVersion.current) \(size)"] + libraries).joined(separator: ", ")
  }()

  /// Reads the plan at `path`.
  public static func read(_ path: String) throws(RenderError) -> WorkPlan {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw RenderError(.failure, "cannot read the plan \(path); check its name.")
    }
    struct Build: Decodable { var build: String }
    guard let build = try? JSONDecoder().decode(Build.self, from: data) else {
      throw RenderError(.failure, "\(path) is no plan; make one with \"tessera plan\".")
    }
    guard build.build == Self.build else {
      throw RenderError(
        .failure,
        "the plan \(path) was made by another build (\(build.build)); write it again with this one."
      )
    }
    do {
      let decoder = JSONDecoder()
      decoder.userInfo[SideFolder.key] = WorkFolder.sideFolder(of: path)
      return try decoder.decode(WorkPlan.self, from: data)
    } catch {
      throw RenderError(.failure, "the plan \(path) is damaged (\(error)); write it again.")
    }
  }

  /// Writes the plan to `path`, whole or not at all.
  public func write(to path: String) throws(RenderError) { try WorkFolder.write(self, to: path) }

  /// What segment `number` is made from, if workers lost so much of it.
  func digest(of number: Int, losses: [CrashLoss]) -> String {
    Self.digest(digests[number], losses)
  }

  /// What the sound is made from, if workers lost so much of it.
  func soundtrackDigest(losses: [CrashLoss]) -> String { Self.digest(soundtrackDigest, losses) }

  private static func digest(_ base: String, _ losses: [CrashLoss]) -> String {
    guard !losses.isEmpty else { return base }
    var digest = ContentDigest()
    digest.add(base)
    digest.add(losses)
    return digest.finish()
  }

  /// The number of samples of the output's sound.
  var sampleCount: Int64 { plan.sampleCount }

  /// The bytes that a worker may take before the system refuses it more: far beyond what it needs.
  public var memoryLimit: Int { max(4 << 30, 4 * plan.workerMemory) }

  /// Joins the finished pieces in `folder` into the file `path`, which appears when it is whole.
  public func stitch(
    _ folder: WorkFolder, to path: String, cancellation: Cancellation
  ) throws(RenderError) -> RenderReport {
    var work = self
    work.container = try Renderer.container(path, plan)
    work.soundContainer = SoundContainer(path: path)
    guard (work.soundContainer != nil) == segments.isEmpty else {
      throw RenderError(
        .usage, "\(path): the plan is one of pictures and sound; give -o the ending of a video.")
    }
    var file = try OutputFile(path, protecting: plan.files)
    var report = try RenderRun.stitch(work, folder, to: file.temporaryPath, cancellation)
    try file.commit()
    report.output = path
    report.byteCount = FileSystem.byteCount(of: path)
    return report
  }

  /// The segments, what they cost, and what disk and memory they need, as people read it.
  public var explanation: String {
    let rate = plan.output.video.frameRate
    let total = max(1, costs.reduce(0) { $0 + $1.work })
    var lines = ["segment  from        to          work    pre-roll"]
    for (number, frames) in segments.enumerated() {
      let cost = costs[number]
      let times = [frames.lowerBound, frames.upperBound].map { frame in
        rate.time(ofFrame: frame).clock.padding(toLength: 12, withPad: " ", startingAt: 0)
      }
      lines.append(
        "\(number)".padding(toLength: 9, withPad: " ", startingAt: 0) + times.joined()
          + String(format: "%5.1f %%", 100 * cost.work / total)
          + String(format: "  %5.1f %%", 100 * cost.preroll / max(1, cost.work)))
    }
    let preroll = costs.dropFirst().reduce(0) { $0 + $1.preroll }
    lines.append(
      String(
        format:
          "Decoding again at joints would cost %.1f %% more; rows of segments save that.",
        100 * preroll / total))
    lines.append(
      "A worker takes about \(plan.workerMemory >> 20) MB; here, "
        + "\(RenderSettings().slots(for: plan)) run at once.")
    lines.append("The work folder takes about \(diskEstimate >> 20) MB.")
    return lines.joined(separator: "\n")
  }

  /// Bytes that all pieces take, about: a twenty-fifth of a bit a pixel, which calls stay below at
  /// usual qualities.
  var diskEstimate: Int {
    let video = plan.output.video
    let bits =
      segments.isEmpty
      ? 0 : Double(video.size.width * video.size.height) * Double(plan.frames.count) / 25
    return Int(
      bits / 8 + Double(plan.output.audio.expectedBitRate) / 8 * plan.duration.seconds)
  }

  /// What the sound costs, in the unit of ``costs``.
  var soundCost: Double {
    Double(plan.frames.count) * Double(plan.voices.count + 1) * 40_000
  }
}

/// What a track has to decode, and when it is seen.
struct TrackNeed: Sendable {
  let id: TrackID
  /// The frames in which it is seen.
  let wanted: [Range<Int>]
  /// The frames at which decoding can begin, ascending.
  let keyframes: [Int]
  /// What decoding a frame costs: its pixels.
  let weight: Int
  /// Which picture each frame shows.
  let route: PictureRoute

  /// What segmentation has to know of it, in frames from the first one of `frames` on.
  func segmentation(in frames: Range<Int>) -> [Segmentation.Track] {
    wanted.intersection([frames]).map { range in
      Segmentation.Track(
        frames: (range.lowerBound - frames.lowerBound)..<(range.upperBound - frames.lowerBound),
        keyframes: keyframes.map { $0 - frames.lowerBound }, weight: max(1, weight / 1024))
    }
  }

  /// The frames of it that are seen in `frames`.
  func count(in frames: Range<Int>) -> Int {
    wanted.intersection([frames]).reduce(0) { $0 + $1.count }
  }

  /// The frames that are decoded for nothing where a run begins with `frame`.
  func preroll(at frame: Int) -> Int {
    guard let window = wanted.first(where: { $0.contains(frame) }) else { return 0 }
    return Segmentation.Track(frames: window, keyframes: keyframes).preroll(at: frame)
  }
}

extension Plan.Track {
  /// The frames at which decoding can begin, ascending; none where it can only begin at the start.
  fileprivate func keyframes(at rate: FrameRate) -> [Int] {
    guard !source.track.isCounted else { return [] }
    var frames: [Int] = []
    for keyframe in source.index.keyframes {
      let packet = Int(keyframe)
      guard source.track.packets.contains(packet) else { continue }
      frames.append(clock.firstFrame(showing: source.index.ticks[packet], at: rate))
    }
    return frames.sorted()
  }
}

extension Plan {
  /// What all tracks have to decode.
  fileprivate var trackNeeds: [TrackNeed] {
    var needs: [TrackNeed] = []
    for track in tracks {
      let size = track.source.track.stream.video?.size
      needs.append(
        TrackNeed(
          id: track.id, wanted: wantedFrames(ofTrack: track.id),
          keyframes: track.keyframes(at: output.video.frameRate),
          weight: (size?.width ?? 640) * (size?.height ?? 360),
          route: PictureRoute(track, frameRate: output.video.frameRate)))
    }
    return needs
  }

  /// What making `frames` costs: pixels that are decoded, and those of the canvas, which are
  /// composed and encoded.
  fileprivate func cost(of frames: Range<Int>, _ needs: [TrackNeed]) -> Runs.Cost {
    let canvas = output.video.size.width * output.video.size.height
    let decoded = needs.reduce(0) { $0 + $1.count(in: frames) * $1.weight }
    let preroll = needs.reduce(0) { $0 + $1.preroll(at: frames.lowerBound) * $1.weight }
    return Runs.Cost(work: Double(decoded + frames.count * canvas * 3), preroll: Double(preroll))
  }

  /// What the pictures of `frames` are made from: the program, the output's options, what each slot
  /// shows and where it is, and the packets of the tracks that are seen.
  fileprivate func digest(of frames: Range<Int>, _ needs: [TrackNeed]) -> String {
    var digest = ContentDigest()
    digest.add(WorkPlan.build)
    var format = output
    (format.audio, format.title) = (SoundEncoderSettings(), nil)
    (format.chapters, format.captions) = ([], [])
    digest.add(format)
    digest.add([frames.count, frames.lowerBound - self.frames.lowerBound])
    for slot in slots {
      let shown = visibility(of: slot.id).intersection([frames])
      guard !shown.isEmpty || slot.participant == nil else { continue }
      let slice = slot.slice(frames)
      digest.add(slice)
      look.add(slice, to: &digest)
    }
    let rate = output.video.frameRate
    look.addOverall(
      TimeInterval(
        start: rate.time(ofFrame: frames.lowerBound), end: rate.time(ofFrame: frames.upperBound)),
      to: &digest)
    add(scenesOf: frames, to: &digest)
    for need in needs {
      let seen = need.wanted.intersection([frames])
      guard !seen.isEmpty, let track = tracks.first(where: { $0.id == need.id }) else { continue }
      digest.add(track.clock)
      digest.add(track.source.track.stream)
      // How the end of a track is held is decided near it.
      let end = min(track.frames.upperBound, frames.upperBound + output.video.keyframeInterval)
      digest.add([track.source.isInterlaced ? 1 : 0, end - frames.lowerBound])
      for range in seen { need.route.add(range, to: &digest) }
    }
    return digest.finish()
  }

  private func add(scenesOf frames: Range<Int>, to digest: inout ContentDigest) {
    let rate = output.video.frameRate
    var last = scenes.attributes(at: rate.time(ofFrame: frames.lowerBound))
    digest.add(last)
    for frame in frames.dropFirst() {
      let attributes = scenes.attributes(at: rate.time(ofFrame: frame))
      guard attributes != last else { continue }
      digest.add([frame - frames.lowerBound])
      digest.add(attributes)
      last = attributes
    }
  }

  /// What the sound is made from.
  fileprivate var soundtrackDigest: String {
    var digest = ContentDigest()
    digest.add(WorkPlan.build)
    digest.add(output.audio)
    digest.add([Int(sampleCount), frames.lowerBound])
    digest.add(output.video.frameRate)
    for voice in voices { digest.add(voice) }
    return digest.finish()
  }

  /// The number of samples of the rendered part's sound.
  var sampleCount: Int64 {
    output.video.frameRate.sample(ofFrame: frames.count, sampleRate: Soundtrack.sampleRate)
  }

  /// The voices at their places in the rendered part.
  var placedVoices: [VoiceSource] {
    let start = output.video.frameRate.time(ofFrame: frames.lowerBound)
    return voices.map { voice in
      var source = voice.source
      source.start = source.start - start
      source.interval = TimeInterval(
        start: max(.zero, source.interval.start - start), end: source.interval.end - start)
      return source
    }
  }
}

extension Slot {
  /// What it shows in `frames`, and nothing else of it.
  fileprivate func slice(_ frames: Range<Int>) -> Slot {
    var slice = Slot(id: id, participant: participant, kind: kind)
    slice.contents = contents.slice(frames)
    slice.decorations = decorations.slice(frames)
    return slice
  }
}

extension Changes {
  /// What holds in `frames`, counted from their beginning.
  fileprivate func slice(_ frames: Range<Int>) -> Changes {
    var slice = Changes()
    if let value = self[frames.lowerBound] { slice.append(value, from: 0) }
    for change in all where change.frame > frames.lowerBound && change.frame < frames.upperBound {
      slice.append(change.value, from: change.frame - frames.lowerBound)
    }
    return slice
  }
}

extension PictureRoute {
  /// How many packets a decoder may have read beyond the last picture that it has put out.
  private static let lookahead = 64

  /// Adds the packets that pictures for `frames` are decoded from: their times and payloads.
  fileprivate func add(_ frames: Range<Int>, to digest: inout ContentDigest) {
    guard count > 0 else { return }
    let first = picture(shownIn: frames.lowerBound)
    var (number, last) = (first, start(toShow: first))
    let start = last
    while number < count, number == first || frame(of: number) < frames.upperBound {
      last = max(last, packet(of: number))
      number += 1
    }
    let end = min(index.count, last + 1 + Self.lookahead)
    guard start < end else { return }
    digest.add([start, last])
    digest.add(Array(index.ticks[start..<end]))
    let blocks = (start / PacketIndex.blockLength)...((end - 1) / PacketIndex.blockLength)
    digest.add(blocks.filter(index.payloadHashes.indices.contains).map { index.payloadHashes[$0] })
  }
}

extension Look {
  /// Adds the drawings that a slot shows.
  fileprivate func add(_ slot: Slot, to digest: inout ContentDigest) {
    for case .card(let card) in slot.contents.all.map(\.value) { digest.add(cards[card]) }
    for change in slot.decorations.all {
      let name = PlateText(name: change.value.name, isScreen: change.value.isScreen)
      digest.add(plates[name])
    }
  }

  /// Adds the drawings that are not one slot's.
  fileprivate func addOverall(
    _ times: TesseraTimeline.TimeInterval, to digest: inout ContentDigest
  ) {
    digest.add(microphoneOff)
    digest.add(highlights)
    digest.add(overlays.filter { $0.from < times.end && $0.to > times.start })
    digest.add(clock)
    digest.add(background)
  }
}
