import TesseraCodecs
import TesseraJobs
import TesseraPlan
import TesseraRecordings
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline

/// Holds a camera's first or last picture at the ends of a call of plain files, while the
/// participant's separate microphone is recorded longer than the camera. Without this rule, a card
/// would be shown.
///
/// The rule excludes recorders that write no pictures while a camera is off. These recorders name
/// participants in a manifest, store sound and pictures in one file, or write several picture
/// files.
struct EndPictureHold {
  let rendition: Rendition
  let input: ImportedCall
  /// The recording after placement.
  let recording: Recording
  let probes: [String: InputProbe]
  /// The number of frames of the timeline.
  let frameCount: Int
  let readers: TaskWorkerPool
  let cache: ScanCache?

  /// The maximum time for which a picture is held. A microphone counts as starting or ending with
  /// the call within this distance of the timeline's ends.
  private static let longest = MediaTime(seconds: 3)
  /// The maximum duration to decode in order to check whether the last picture is black.
  private static let longestSearch = MediaTime(seconds: 60)

  /// A picture that could be held in `frames`, before the take's track or after it, unless it is
  /// black.
  private struct Candidate {
    var person: Int, lane: Int, take: Int
    var frames: Range<Int>
    var isLast: Bool
  }

  private var rate: FrameRate { rendition.output.video.frameRate }

  /// Returns `people` with held pictures added to their takes.
  func held(_ people: [PlannedParticipant]) throws(RenderError) -> [PlannedParticipant] {
    guard rendition.hasPictures else { return people }
    let candidates = people.indices.flatMap { ends(of: people[$0], number: $0) }
    guard !candidates.isEmpty else { return people }
    let tasks = candidates.map { end in
      RecordingReadTask.blackness(
        people[end.person].lanes[end.lane].takes[end.take].track.source, isLast: end.isLast)
    }
    var people = people
    for (end, result) in zip(candidates, try readers.read(tasks, cache: cache)) {
      guard case .black(false) = result else { continue }
      var take = people[end.person].lanes[end.lane].takes[end.take]
      take.shown = (take.shown + [end.frames]).merged
      if !end.isLast { take.track.heldFrom = end.frames.lowerBound }
      people[end.person].lanes[end.lane].takes[end.take] = take
    }
    return people
  }

  private func ends(of person: PlannedParticipant, number: Int) -> [Candidate] {
    let id = person.participant.id
    let cameras = (recording.participant(id)?.tracks ?? []).filter(hasPictures)
    let changes = [CallEvent.Change.enabled(id, .camera), .disabled(id, .camera)]
    // Only participants of plain files have a source for their names.
    guard person.participant.nameSource != nil,
      !recording.events.contains(where: { changes.contains($0.change) }), cameras.count == 1,
      cameras[0].inPoint == nil, cameras[0].outPoint == nil, cameras[0].stop == nil,
      let lane = person.lanes.firstIndex(where: { $0.kind == .camera && !$0.takes.isEmpty }),
      let first = person.lanes[lane].takes.first, let last = person.lanes[lane].takes.last,
      let file = probes[first.track.source.path]?.file
    else { return [] }
    let settling = rate.firstFrame(showing: SlotPlanner.settling)
    let heard = person.voices.filter { $0.isSpeech && $0.source.path != file.path }.map { voice in
      let frames = rate.frames(showing: voice.source.interval)
      return (frames.lowerBound < settling ? 0 : frames.lowerBound)..<frames.upperBound
    }.merged
    guard let opening = heard.first, let closing = heard.last else { return [] }
    let given = rendition.freezeAfter.flatMap { $0 > .zero ? $0 : nil } ?? Self.longest
    let limit = max(1, rate.firstFrame(showing: min(given, Self.longest)))
    let (begin, end) = (first.track.frames.lowerBound, last.track.frames.upperBound)
    var candidates: [Candidate] = []
    if opening.lowerBound < begin, begin <= opening.upperBound, opening.lowerBound <= limit,
      first.shown.first?.lowerBound == begin, isFirst(first.track.source, in: file)
    {
      let frames = max(opening.lowerBound, begin - limit)..<begin
      candidates.append(
        Candidate(person: number, lane: lane, take: 0, frames: frames, isLast: false))
    }
    if closing.lowerBound <= end, end < closing.upperBound,
      frameCount - closing.upperBound <= limit, last.shown.last?.upperBound == end,
      isLast(last.track.source, in: file)
    {
      let (take, frames) = (
        person.lanes[lane].takes.count - 1, end..<min(closing.upperBound, end + limit)
      )
      candidates.append(
        Candidate(person: number, lane: lane, take: take, frames: frames, isLast: true))
    }
    return candidates
  }

  private func hasPictures(_ track: Track) -> Bool {
    let file = probes[input.path(of: track.file)]?.file
    return track.kind == .still || file?.tracks(.video).contains(where: \.isDecodable) == true
  }

  /// Returns true if no other stream of `file` starts before `source`. Otherwise the camera was off
  /// at the start.
  private func isFirst(_ source: PictureSource, in file: MediaFileInfo) -> Bool {
    guard let packet = source.track.firstPicture?.packet else { return false }
    let time = source.time(of: packet) - ExactTime(SlotPlanner.settling)
    return file.tracks.allSatisfy { !$0.isDecodable || $0.start > time }
  }

  /// Returns true if no other stream of `file` ends after `source`, and its last picture can be
  /// decoded quickly.
  private func isLast(_ source: PictureSource, in file: MediaFileInfo) -> Bool {
    guard let last = source.order.last.map(Int.init) else { return false }
    let start = source.decodingStart(toShow: last)
    let end = source.track.end + ExactTime(SlotPlanner.settling)
    return file.tracks.allSatisfy { !$0.isDecodable || $0.end < end }
      && source.time(of: last) < source.time(of: start) + ExactTime(Self.longestSearch)
  }
}
