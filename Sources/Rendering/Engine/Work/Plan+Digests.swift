import TesseraLayout
import TesseraLettering
import TesseraMedia
import TesseraTimeline

extension Plan {
  /// What a segment is made from of which `frames` are encoded: the program, the output's options,
  /// what each slot shows and where it is, and the packets of the tracks that are seen.
  func digest(of segment: Range<Int>, encoded frames: Range<Int>, _ needs: [TrackNeed]) -> String {
    var digest = ContentDigest()
    digest.add(WorkPlan.build)
    var format = output
    (format.audio, format.title) = (SoundEncoderSettings(), nil)
    (format.chapters, format.captions) = ([], [])
    digest.add(format)
    for range in [segment, frames] {
      digest.add([range.count, range.lowerBound - self.frames.lowerBound])
    }
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
    var scenes = SceneDigest()
    var last: [LayoutAttributes]?
    for frame in frames {
      let attributes = self.scenes.attributes(at: rate.time(ofFrame: frame))
      guard attributes != last else { continue }
      digest.add([frame - frames.lowerBound])
      scenes.add(attributes, to: &digest)
      last = attributes
    }
  }

  /// What the sound is made from.
  var soundtrackDigest: String {
    var digest = ContentDigest()
    digest.add(WorkPlan.build)
    digest.add(output.audio)
    digest.add([Int(sampleCount), frames.lowerBound])
    digest.add(output.video.frameRate)
    for voice in voices { digest.add(voice) }
    return digest.finish()
  }
}

/// Adds scenes to a digest: what moves as numbers, the rest of every tile once as it is written and
/// then by its place in the row of those.
private struct SceneDigest {
  private var known: [LayoutAttributes: Int] = [:]

  mutating func add(_ scene: [LayoutAttributes], to digest: inout ContentDigest) {
    var numbers = [scene.count]
    for attributes in scene {
      var still = attributes
      still.frame = Rect(x: 0, y: 0, width: 0, height: 0)
      (still.alpha, still.scale, still.coverage) = (0, 0, nil)
      if known[still] == nil {
        known[still] = known.count
        digest.add(still)
      }
      let frame = attributes.frame
      numbers.append(known[still] ?? 0)
      numbers += [
        frame.x, frame.y, frame.width, frame.height, attributes.alpha, attributes.scale,
        attributes.coverage ?? -1,
      ].map { Int(bitPattern: UInt($0.bitPattern)) }
    }
    digest.add(numbers: numbers)
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
    digest.add(numbers: index.ticks[start..<end].map { Int($0) })
    let blocks = (start / PacketIndex.blockLength)...((end - 1) / PacketIndex.blockLength)
    let known = blocks.filter(index.payloadHashes.indices.contains)
    digest.add(numbers: known.map { Int(bitPattern: UInt(index.payloadHashes[$0])) })
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
