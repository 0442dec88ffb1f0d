import TesseraCodecs
import TesseraPlan

/// Steps through the pictures of a track: assigns pictures to frames, accounts for losses, and
/// decides whether a decoder may continue across a cut of a run.
///
/// A value without threads. Pictures arrive in display order, and a frame shows the last picture
/// whose time is not after it. So a picture is held back until no later picture can replace it in
/// all of its frames.
struct PictureCursor<Reader: PictureSequence & ~Copyable>: ~Copyable {
  /// The content of a track from a frame on; without a picture if it is lost.
  struct FrameContent: Sendable {
    var frame: Int
    var picture: Reader.Picture?
  }

  /// Statistics of decoded, shown and lost pictures so far.
  private(set) var statistics: PictureStatistics

  private let route: PictureSchedule
  private let windows: [DecodeWindow]
  private let open: @Sendable (Int, Int) throws(MediaError) -> Reader
  /// The frame at which the track's pictures end, and the number of missing frames before it that
  /// counts as a loss. The last picture fills shorter gaps.
  private let (end, longestHold): (Int, Int)

  private var decoding: DecodeState?
  /// The current window, and whether decoding has reached it.
  private var window = 0
  private var isInside = false
  /// The lowest number that the next picture can have.
  private var next = 0
  /// The picture that the reader holds back until a frame certainly shows it.
  private var kept: Int?
  private var isKeptBlank = false
  /// The last picture that was returned as an entry.
  private var held: HeldPicture?
  /// The first picture that counts in the current window's statistics.
  private var accountable = 0
  /// The first picture of a decoder that starts for the current window. Losses before it are
  /// ignored, because only a decoder that continues from earlier finds them.
  private var foremost = 0
  /// Losses in packets that belong to later windows.
  private var early: [PacketLoss] = []

  private struct HeldPicture {
    var number: Int
    /// The converted picture; nil if the stream's pictures cannot be shown.
    var picture: Reader.Picture?
  }

  private struct DecodeState: ~Copyable {
    var reader: Reader
    /// The packet at which the reader was asked to start.
    let start: Int
    /// A picture that the reader has found and that was put back.
    var found: Int?
  }

  /// Creates a cursor before `windows`.
  ///
  /// `open` opens a reader; its arguments are the packet to start at and the number of the first
  /// picture to show. The track has pictures up to frame `end`. If decoding stops at least
  /// `longestHold` frames earlier, the rest is a loss.
  init(
    _ route: PictureSchedule, _ windows: [DecodeWindow], end: Int, longestHold: Int,
    statistics: PictureStatistics = PictureStatistics(),
    open: @escaping @Sendable (Int, Int) throws(MediaError) -> Reader
  ) {
    (self.route, self.windows, self.open) = (route, windows, open)
    (self.end, self.longestHold, self.statistics) = (end, longestHold, statistics)
  }

  /// The first frame whose entry may still be missing; `Int.max` after the last window.
  ///
  /// No entry for a later frame was ever returned. So a consumer that waits for this frame has
  /// taken all earlier entries.
  var due: Int {
    guard window < windows.count else { return .max }
    return (isInside ? position : frames.lowerBound) + windows[window].delay
  }

  private var frames: Range<Int> { windows[window].frames }

  /// The first frame of the window that can show the next picture.
  private var position: Int { firstFrame(of: next) }

  private func firstFrame(of number: Int) -> Int {
    max(frames.lowerBound, route.frame(of: number))
  }

  /// Decodes until the track's content in frame ``due`` is known. Returns nil if the content does
  /// not change there.
  mutating func advance() -> FrameContent? {
    guard window < windows.count else { return nil }
    let entry = isInside ? decode() : enter()
    if isInside, position >= frames.upperBound { leave(upTo: window + 1) }
    return entry
  }

  // MARK: Pictures

  /// Decodes to the next entry of the window; returns nil if there is none.
  private mutating func decode() -> FrameContent? {
    while position < frames.upperBound {
      guard let number = find() else { return endReading() }
      if number < next {
        loseLate(number)
        continue
      }
      if let kept, firstFrame(of: number) > firstFrame(of: kept) {
        putBack(number)
        if let entry = putKept() { return entry }
      } else if route.frame(of: number) >= frames.upperBound {
        putBack(number)
      } else if let entry = take(number) {
        return entry
      }
    }
    return nil
  }

  /// Returns the number of the reader's next picture; nil at the end.
  private mutating func find() -> Int? {
    if let found = decoding?.found.take() { return found }
    while let picture = decoding?.reader.next() {
      noteLosses()
      if let number = route.number(of: picture) { return number }
    }
    noteLosses()
    return nil
  }

  /// Puts picture `number` back, because a frame shows another picture first.
  private mutating func putBack(_ number: Int) {
    decoding?.found = number
    next = number
  }

  /// Accepts the reader's current picture, `number`, and returns its entry.
  ///
  /// Returns `nil` while a later picture may replace it in its first frame; the reader then keeps
  /// the picture. If the conversion fails, returns the entry of the picture kept before.
  private mutating func take(_ number: Int) -> FrameContent? {
    if number >= accountable { statistics.countDecoded(firstFrame(of: number)) }
    next = number + 1
    let isBlank = decoding?.reader.isBlank ?? false
    guard position > firstFrame(of: number) else {
      if !isBlank { decoding?.reader.keep() }
      (kept, isKeptBlank) = (number, isBlank)
      return nil
    }
    if isBlank {
      kept = nil
      return put(number, nil)
    }
    guard let picture = decoding?.reader.makePicture() else { return putKept() }
    kept = nil
    return put(number, picture)
  }

  private mutating func putKept() -> FrameContent? {
    guard let number = kept.take() else { return nil }
    if isKeptBlank { return put(number, nil) }
    guard let picture = decoding?.reader.makeKeptPicture() else { return nil }
    return put(number, picture)
  }

  private mutating func put(_ number: Int, _ picture: Reader.Picture?) -> FrameContent {
    let frame = firstFrame(of: number)
    if number >= accountable, picture != nil { statistics.countShown(frame) }
    held = HeldPicture(number: number, picture: picture)
    return entry(frame, picture)
  }

  private func entry(_ frame: Int, _ picture: Reader.Picture?) -> FrameContent {
    FrameContent(frame: frame + windows[window].delay, picture: picture)
  }

  /// Handles the end of the stream: the last picture is held, and a longer rest is a loss.
  private mutating func endReading() -> FrameContent? {
    if let entry = putKept() { return entry }
    let frame = position
    let lost = end - frame >= longestHold ? entry(frame, nil) : nil
    if lost != nil, windows[window].delay == 0, decoding?.reader.isWhole == true {
      statistics.lose(.media(.stoppedEarly(nil)), frame..<frames.upperBound)
    }
    leaveStretch()
    return lost
  }

  // MARK: Windows

  /// Enters the window and returns the content at its start.
  private mutating func enter() -> FrameContent? {
    let first = route.picture(shownIn: frames.lowerBound)
    let nothing = entry(frames.lowerBound, nil)
    guard !windows[window].isGivenUp else {
      leaveStretch()
      return nothing
    }
    guard route.count > 0, route.frame(of: first) < frames.upperBound else {
      leave(upTo: window + 1)
      return nil
    }
    let start = route.start(toShow: first)
    guard decoding != nil || begin(with: start, toShow: first) else {
      leaveStretch()
      return nothing
    }
    (isInside, foremost) = (true, route.firstPicture(from: start))
    accountable = isOnAccount(first) ? first : windows[window].delay > 0 ? .max : first + 1
    noteLosses()
    guard let held else { return nil }
    if held.number == accountable { statistics.countDecoded(frames.lowerBound) }
    return put(held.number, held.picture)
  }

  /// Opens a reader at packet number `start`. Returns false if the file cannot be read.
  private mutating func begin(with start: Int, toShow first: Int) -> Bool {
    (next, kept, held, early) = (0, nil, nil, [])
    do throws(MediaError) {
      decoding = DecodeState(reader: try open(start, first), start: start)
      return true
    } catch {
      statistics.lose(.opening(error), frames)
      return false
    }
  }

  /// True if the current decoder may continue to picture `first`: its output equals that of a
  /// decoder which starts for `first`, and it decodes no more packets.
  ///
  /// After damage, this is certain only for a decoder that started at the same packet.
  private func mayGoOn(toShow first: Int) -> Bool {
    guard next <= first + 1 else { return false }
    let start = route.start(toShow: first)
    switch decoding {
    case .some(let decoding) where decoding.start == start: return true
    case .some(let decoding):
      return decoding.reader.isWhole && next > route.picture(of: start) ?? 0
    case nil: return false
    }
  }

  /// Moves to window number `following`, and closes the decoder if it may not continue there.
  private mutating func leave(upTo following: Int) {
    if isInside { noteLosses() }
    let stretch = windows[window].stretch
    let isAtCut = following == windows.count || windows[following].stretch != stretch
    if isAtCut, windows[window].delay == 0 {
      for loss in decoding?.reader.fileLosses ?? [] { statistics.lose(.media(loss), frames) }
    }
    (window, isInside) = (following, false)
    guard window < windows.count, route.count > 0,
      mayGoOn(toShow: route.picture(shownIn: frames.lowerBound))
    else { return close() }
  }

  /// Skips the remaining windows of the stretch.
  private mutating func leaveStretch() {
    let stretch = windows[window].stretch
    leave(upTo: windows[window...].firstIndex { $0.stretch != stretch } ?? windows.count)
  }

  private mutating func close() {
    decoding = nil
    held = nil
  }

  // MARK: Losses

  /// True if picture `number` counts in the window's statistics: the window is the first one that
  /// shows the track from that picture on.
  private func isOnAccount(_ number: Int) -> Bool {
    windows[window].delay == 0
      && windows[window].lastSeen.map { route.frame(of: number) > $0 } ?? true
  }

  /// Records a picture that arrived after a later one was due, and is therefore not shown. Of
  /// pictures with equal times, only one is shown anyway, which is no loss.
  private mutating func loseLate(_ number: Int) {
    guard number >= foremost, !route.isSimultaneous(number, next - 1) else { return }
    // Damaged pictures may have any number.
    let isWhole = decoding?.reader.isWhole ?? true
    lose(isWhole ? .latePictures(1) : .damagedPictures(1), next)
  }

  /// Records the reader's losses for the frames that would have shown them.
  private mutating func noteLosses() {
    let losses = early + (decoding?.reader.takeLosses() ?? [])
    guard !losses.isEmpty else { return }
    early = []
    for loss in losses {
      let number = route.picture(of: loss.packet) ?? 0
      if route.frame(of: number) >= frames.upperBound {
        early.append(loss)
      } else if number >= foremost {
        lose(loss.cause, number)
      }
    }
  }

  /// Records a loss in the frame that would have shown picture `number`.
  private mutating func lose(_ cause: MediaLoss.Cause, _ number: Int) {
    guard isOnAccount(number) else { return }
    let frame = firstFrame(of: number)
    statistics.lose(.media(cause), frame..<frame + 1)
  }
}
