import TesseraCodecs
import TesseraLayout
import TesseraLettering
import TesseraTimeline

extension Plan {
  /// The rendered frame that represents the call best. Criteria in order: a participant speaks, no
  /// title covers the canvas, most camera pictures, most camera tiles, longest stretch without
  /// motion or fade. The frame is the middle of that stretch, or the middle of the output if tiles
  /// move all the time.
  package var posterFrame: Int {
    let (spoken, titles) = (spoken.map(output.video.frameRate.frames).merged, titles)
    var best: (frame: Int, score: [Int])?
    for stretch in stillStretches {
      for (range, speaks) in [(stretch, 0)] + [stretch].intersection(spoken).map({ ($0, 1) }) {
        let middle = range.lowerBound + range.count / 2
        let isBare = titles.allSatisfy { !$0.contains(middle) }
        let score = [speaks, isBare ? 1 : 0] + peopleShown(in: middle) + [range.count]
        if best.map({ $0.score.lexicographicallyPrecedes(score) }) ?? true {
          best = (middle, score)
        }
      }
    }
    return best?.frame ?? (cut.isEmpty ? 0 : cut[cut.count / 2])
  }

  /// The frames in which an overlay fills the canvas.
  private var titles: [Range<Int>] {
    let rate = output.video.frameRate
    return look.overlays.filter { $0.fill != nil }.map {
      let first = rate.firstFrame(at: $0.from)
      return first..<max(first, rate.firstFrame(at: $0.to) +| 1)
    }
  }

  /// The ranges of frames without motion or fade, from one change to the next.
  private var stillStretches: [Range<Int>] {
    let rate = output.video.frameRate
    var moving: [Range<Int>] = []
    let transition = rate.frameCount(of: scenes.transition.duration) + 1
    for time in scenes.changeTimes {
      let first = rate.firstFrame(at: time)
      moving.append(first..<first +| transition)
    }
    for change in slots.flatMap(\.contents.all) {
      moving.append(change.frame..<change.frame +| max(1, output.contentFade))
    }
    for overlay in look.overlays {
      let (first, end) = (rate.firstFrame(at: overlay.from), rate.firstFrame(at: overlay.to) +| 1)
      let fade = rate.frameCount(of: overlay.fade) +| 1
      moving += [first..<first +| 1, max(first, end -| fade)..<max(first, end)]
    }
    return cut.ranges.flatMap { $0.without(moving.merged) }
  }

  /// Returns the number of camera pictures and the number of camera tiles that are visible in
  /// `frame`.
  private func peopleShown(in frame: Int) -> [Int] {
    let time = output.video.frameRate.time(ofFrame: frame)
    var (pictures, tiles) = (Set<SlotID>(), Set<SlotID>())
    for tile in scenes.attributes(at: time) where tile.isVisible && tile.alpha == 1 {
      guard let slot = slots.first(where: { $0.id == tile.id }), slot.kind == .camera else {
        continue
      }
      tiles.insert(slot.id)
      if case .track = slot.contents[frame] { pictures.insert(slot.id) }
    }
    return [pictures.count, tiles.count]
  }
}

extension Range<Int> {
  /// Returns the parts of the range that are in none of `holes`, in ascending order. `holes` must
  /// be merged.
  fileprivate func without(_ holes: [Range<Int>]) -> [Range<Int>] {
    var (rest, parts) = (lowerBound, [Range<Int>]())
    for hole in holes where hole.upperBound > lowerBound && hole.lowerBound < upperBound {
      if hole.lowerBound > rest { parts.append(rest..<hole.lowerBound) }
      rest = Swift.max(rest, hole.upperBound)
    }
    if rest < upperBound { parts.append(rest..<upperBound) }
    return parts
  }
}
