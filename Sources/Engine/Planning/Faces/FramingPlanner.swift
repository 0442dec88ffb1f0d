import TesseraCodecs
import TesseraFaces
import TesseraJobs
import TesseraLayout
import TesseraMessages
import TesseraPixels
import TesseraPlan
import TesseraSystem
import TesseraTimeline

/// Finds the faces of people whose tiles crop their pictures, and makes the crop follow them.
struct FramingPlanner {
  let rendition: Rendition
  /// The frames of the call that are rendered.
  let cut: FrameSelection
  let cache: ScanCache?
  let readers: TaskWorkerPool

  /// The sampling interval for face detection: with few cameras, and with more than ``few``.
  /// Between keyframes, only rendered parts are decoded and sampled.
  private static let (usual, coarse) = (MediaTime(seconds: 2), MediaTime(seconds: 4))
  private static let few = 4
  /// The fraction of a picture that may be cropped before faces are searched for, if they are
  /// requested.
  private static let smallestCrop = 0.1
  /// The ratio of a head's height, including hair, to the detected face's height.
  private static let headShare = 1.5
  /// The maximum zoom for making heads equally large.
  private static let largestZoom = 1.6

  private var rate: FrameRate { rendition.output.video.frameRate }

  /// The note for the case that face detection was requested but is not installed.
  static let missing: UserMessage =
    "faces cannot be found: pictures are cropped around their middle; install "
    + "\(FaceCascade.packageName)."

  /// True if faces are requested, or if pictures fill tiles on an upright canvas, where much of a
  /// picture is cropped.
  var isWanted: Bool {
    let size = rendition.output.video.size
    return rendition.followsFaces || rendition.output.fit == .auto && size.width <= size.height
  }

  /// Returns true if a tile of `seat` crops its picture so much that a face may be lost: by more
  /// than a tenth if faces are requested, otherwise by more than ``PictureFit/largestCrop``.
  private func isCropped(_ seat: ScenePlanner.Seat, in scenes: LayoutTimeline) -> Bool {
    guard isCandidate(seat), let ratio = seat.aspectRatio else { return false }
    return scenes.resting(seat.slot.id).contains { attributes in
      let fit = attributes.fit ?? rendition.output.fit
      guard fit == .auto || fit == .cover, rendition.followsFaces || attributes.coverage != 0
      else { return false }
      let shape = attributes.displayFrame.size.aspectRatio
      let most = rendition.followsFaces ? Self.smallestCrop : PictureFit.largestCrop + 0.01
      return rendition.headShare != nil
        || 1 - min(ratio / shape, shape / ratio) > most
    }
  }

  /// Returns `seats` with crops that follow faces where needed, or with ``missing`` as the note if
  /// face detection is not installed. `scenes` lays out seats.
  func framed(
    _ seats: [ScenePlanner.Seat],
    _ scenes: ([ScenePlanner.Seat]) throws(RenderError) -> LayoutTimeline
  ) throws(RenderError) -> (seats: [ScenePlanner.Seat], note: UserMessage?) {
    // The trial layout assumes that all faces are known.
    var trial = seats
    for index in trial.indices where isCandidate(trial[index]) {
      trial[index].isFramed = rendition.followsFaces
    }
    let timeline = try scenes(trial)
    let cropped = trial.filter { isCropped($0, in: timeline) }
    let isPossible = Rendition.canFollowFaces
    guard !cropped.isEmpty, isPossible else {
      return (seats, isPossible || cropped.isEmpty && !rendition.followsFaces ? nil : Self.missing)
    }
    let paths = try paths(of: cropped)
    var framed = seats
    for index in framed.indices {
      guard let paths = paths[framed[index].slot.id], let ratio = framed[index].aspectRatio else {
        continue
      }
      let shapes = timeline.resting(framed[index].slot.id).map(\.displayFrame.size.aspectRatio)
      let shown = min(1, (shapes.min() ?? ratio) / ratio)
      let framing = framing(paths, showing: shown)
      guard !framing.all.isEmpty else { continue }
      (framed[index].slot.framing, framed[index].isFramed) = (framing, rendition.followsFaces)
    }
    return (framed, nil)
  }

  /// Returns true if faces of the seat may be searched for: a camera whose crop no option sets.
  private func isCandidate(_ seat: ScenePlanner.Seat) -> Bool {
    seat.slot.kind == .camera && seat.slot.framing.all.isEmpty && seat.aspectRatio != nil
      && [.auto, .cover].contains(rendition.output.fit)
  }

  /// Returns the paths of the faces in the recordings of `seats`.
  private func paths(
    of seats: [ScenePlanner.Seat]
  ) throws(RenderError) -> [SlotID: [(
    take: PlannedParticipant.PictureStretch, path: FaceCameraPath
  )]] {
    let distance = seats.count > Self.few ? Self.coarse : Self.usual
    let takes = seats.flatMap { seat in seat.takes.map { (seat.slot.id, $0) } }
    let tasks = takes.map { _, take in
      RecordingReadTask.faces(
        take.track.source,
        PictureSamplingPlan(of: take.track.source, every: distance, within: shown(of: take.track)))
    }
    let results = try readers.read(tasks, cache: cache)
    guard !readers.cancellation.isCancelled else { throw .stopped(readers.cancellation) }
    var found: [SlotID: [(take: PlannedParticipant.PictureStretch, path: FaceCameraPath)]] = [:]
    for ((id, take), result) in zip(takes, results) {
      guard case .faces(let sightings) = result else { continue }
      let (index, clock) = (take.track.source.index, take.track.clock)
      let path = FaceCameraPath(
        sightings.filter { index.ticks.indices.contains($0.packet) }
          .map { (clock.time(ticks: index.ticks[$0.packet]).rounded, $0.faces) }
          .sorted { $0.0 < $1.0 })
      if !path.stops.isEmpty { found[id, default: []].append((take, path)) }
    }
    return found
  }

  /// Returns the times at which `track` is rendered, relative to the start of its file.
  private func shown(of track: Plan.Track) -> [TimeRange] {
    let (clock, start) = (track.clock, track.source.track.clock.start)
    func time(_ frame: Int) -> MediaTime {
      (start + (ExactTime(rate.time(ofFrame: frame)) - clock.start) * clock.rate.inverse).rounded
    }
    return cut.ranges.map { TimeRange(start: time($0.lowerBound), end: time($0.upperBound)) }
  }

  /// Returns the framing of a slot whose pictures follow `paths`.
  ///
  /// Returns no framing if the faces are too far apart for the slot's tiles. `shown` is the
  /// fraction of the picture's width that the narrowest tile shows.
  private func framing(
    _ paths: [(take: PlannedParticipant.PictureStretch, path: FaceCameraPath)],
    showing shown: Double
  ) -> ValueTimeline<Framing> {
    var framing = ValueTimeline<Framing>()
    for (take, path) in paths {
      let isTooWide = path.stops.contains { stop in
        stop.subject.isSeveral
          && Double(stop.subject.right - stop.subject.left) / Double(Face.unit) > shown * 0.9
      }
      guard !isTooWide else { return ValueTimeline() }
      var last: Framing?
      for stop in path.stops {
        let next = self.framing(stop.subject)
        let first = max(take.track.frames.lowerBound, rate.firstFrame(showing: stop.time))
        if let last {
          let end = rate.firstFrame(showing: stop.time + FaceCameraPath.ease)
          for frame in first..<max(first, end) {
            let share = Double(frame - first + 1) / Double(end - first + 1)
            // Smoothstep: the movement starts and ends with zero velocity.
            framing.append(
              last.mixed(with: next, share: share * share * (3 - 2 * share)), from: frame)
          }
          framing.append(next, from: max(first, end))
        } else {
          framing.append(next, from: max(0, take.track.heldFrom ?? take.track.frames.lowerBound))
        }
        last = next
      }
    }
    return framing
  }

  private func framing(_ subject: FaceCameraPath.Subject) -> Framing {
    func part(_ number: Int) -> Double { Double(number) / Double(Face.unit) }
    var zoom = 1.0
    if let share = rendition.headShare {
      let head = part(subject.height) * Self.headShare
      zoom = min(Self.largestZoom, max(1, share / max(head, 0.01)))
    }
    return Framing(
      Point(x: part(subject.x), y: part(subject.y)), line: Framing.eyeLine,
      zoom: (zoom * 64).rounded() / 64, face: part(subject.height))
  }
}

extension Rendition {
  /// True if face detection is installed.
  package static var canFollowFaces: Bool { FaceCascade.installed != nil }
}
