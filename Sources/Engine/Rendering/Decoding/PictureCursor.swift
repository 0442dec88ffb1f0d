import TesseraCodecs
import TesseraPlan

/// Goes through a track's pictures: says which one holds from which frame on, what is lost, and
/// whether a decoder may go on where a run is cut.
///
/// A value without threads. Of the pictures that came out in order, a frame shows the last one that
/// is not after it. So a picture that came is put as soon as no later one can take its place in all
/// its frames, and is kept until then.
struct PictureCursor<Reader: PictureReading & ~Copyable>: ~Copyable {
  /// What a track shows from a frame on; no picture where it is lost.
  struct Entry: Sendable {
    var frame: Int
    var picture: Reader.Picture?
  }

  /// What the pictures came to so far.
  private(set) var tally: PictureTally

  private let route: PictureRoute
  private let windows: [PictureWindow]
  private let open: @Sendable (Int, Int) throws(MediaError) -> Reader
  /// The last picture may be held up to frame `end` for fewer frames than these.
  private let (end, longestHold): (Int, Int)

  private var decoding: Decoding?
  /// The window that is decoded for, and whether the decoder has come to it.
  private var window = 0
  private var isInside = false
  /// The least number that a picture can have that is still to come.
  private var next = 0
  /// The picture that the reader keeps, until it is certain that a frame shows it.
  private var kept: Int?
  private var isKeptBlank = false
  /// The picture that was put last.
  private var held: Held?
  /// The first picture that is on the window's account, if it comes.
  private var accountable = 0
  /// The first picture that a decoder returns which begins for the window. What is lost before it
  /// does not matter: only a decoder that goes on finds it.
  private var foremost = 0
  /// What was lost with packets that are on a later window's account.
  private var early: [PacketLoss] = []

  private struct Held {
    var number: Int
    /// nil where pictures cannot be shown.
    var picture: Reader.Picture?
  }

  private struct Decoding: ~Copyable {
    var reader: Reader
    /// The packet that the reader was asked to begin with.
    let start: Int
    /// The picture that the reader has found and that was not looked at.
    var found: Int?
  }

  /// A cursor before `windows`, which reads with what `open` makes for a packet to begin with and the
  /// number of the picture that is to be shown first.
  ///
  /// The track has something to show up to frame `end`. Where nothing more comes for at least
  /// `longestHold` frames before that, it is lost.
  init(
    _ route: PictureRoute, _ windows: [PictureWindow], end: Int, longestHold: Int,
    tally: PictureTally = PictureTally(),
    open: @escaping @Sendable (Int, Int) throws(MediaError) -> Reader
  ) {
    (self.route, self.windows, self.open) = (route, windows, open)
    (self.end, self.longestHold, self.tally) = (end, longestHold, tally)
  }

  /// The first frame for which an entry may be missing; `Int.max` after the last window.
  ///
  /// No entry was ever put for a later frame, so whoever waits for this frame has taken all.
  var due: Int {
    guard window < windows.count else { return .max }
    return (isInside ? position : frames.lowerBound) + windows[window].delay
  }

  private var frames: Range<Int> { windows[window].frames }

  /// The first frame of the window that the next picture can be shown in.
  private var position: Int { firstFrame(of: next) }

  private func firstFrame(of number: Int) -> Int {
    max(frames.lowerBound, route.frame(of: number))
  }

  /// Decodes until it is known what the track shows from ``due`` on; nil where that is what it
  /// showed before.
  mutating func advance() -> Entry? {
    guard window < windows.count else { return nil }
    let entry = isInside ? decode() : enter()
    if isInside, position >= frames.upperBound { leave(upTo: window + 1) }
    return entry
  }

  // MARK: Pictures

  /// Goes on to the next entry of the window; nil where it has no more.
  private mutating func decode() -> Entry? {
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

  /// The number of the reader's next picture; nil where it has no more.
  private mutating func find() -> Int? {
    if let found = decoding?.found.take() { return found }
    while let picture = decoding?.reader.next() {
      noteLosses()
      if let number = route.number(of: picture) { return number }
    }
    noteLosses()
    return nil
  }

  /// Lets the reader find picture `number` again: it is not its turn yet.
  private mutating func putBack(_ number: Int) {
    decoding?.found = number
    next = number
  }

  /// Takes picture `number`, which the reader has found and the window may show.
  private mutating func take(_ number: Int) -> Entry? {
    if number >= accountable { tally.countDecoded(firstFrame(of: number)) }
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

  private mutating func putKept() -> Entry? {
    guard let number = kept.take() else { return nil }
    if isKeptBlank { return put(number, nil) }
    guard let picture = decoding?.reader.makeKeptPicture() else { return nil }
    return put(number, picture)
  }

  private mutating func put(_ number: Int, _ picture: Reader.Picture?) -> Entry {
    let frame = firstFrame(of: number)
    if number >= accountable, picture != nil { tally.countShown(frame) }
    held = Held(number: number, picture: picture)
    return entry(frame, picture)
  }

  private func entry(_ frame: Int, _ picture: Reader.Picture?) -> Entry {
    Entry(frame: frame + windows[window].delay, picture: picture)
  }

  /// Nothing more comes: what was kept holds on, and where that would be for long, it is a loss.
  private mutating func endReading() -> Entry? {
    if let entry = putKept() { return entry }
    let frame = position
    let lost = end - frame >= longestHold ? entry(frame, nil) : nil
    if lost != nil, windows[window].delay == 0, decoding?.reader.isWhole == true {
      tally.lose(.media(.stoppedEarly(nil)), frame..<frames.upperBound)
    }
    leaveStretch()
    return lost
  }

  // MARK: Windows

  /// Comes to the window; puts what holds at its beginning.
  private mutating func enter() -> Entry? {
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
    if held.number == accountable { tally.countDecoded(frames.lowerBound) }
    return put(held.number, held.picture)
  }

  /// Begins decoding with packet number `start`; false where the file cannot be read.
  private mutating func begin(with start: Int, toShow first: Int) -> Bool {
    (next, kept, held, early) = (0, nil, nil, [])
    do throws(MediaError) {
      decoding = Decoding(reader: try open(start, first), start: start)
      return true
    } catch {
      tally.lose(.opening(error), frames)
      return false
    }
  }

  /// Whether the decoder may go on to where picture `first` is shown: it then puts out what one
  /// does that begins there, and decodes no more.
  ///
  /// After damage, only one that would begin with the same packet comes to the same.
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

  /// Goes on to window number `following`, and lets go of a decoder that may not.
  private mutating func leave(upTo following: Int) {
    if isInside { noteLosses() }
    let stretch = windows[window].stretch
    let isAtCut = following == windows.count || windows[following].stretch != stretch
    if isAtCut, windows[window].delay == 0 {
      for loss in decoding?.reader.fileLosses ?? [] { tally.lose(.media(loss), frames) }
    }
    (window, isInside) = (following, false)
    guard window < windows.count, route.count > 0,
      mayGoOn(toShow: route.picture(shownIn: frames.lowerBound))
    else { return close() }
  }

  /// Leaves out what is left of the stretch.
  private mutating func leaveStretch() {
    let stretch = windows[window].stretch
    leave(upTo: windows[window...].firstIndex { $0.stretch != stretch } ?? windows.count)
  }

  private mutating func close() {
    decoding = nil
    held = nil
  }

  // MARK: Losses

  /// Whether picture `number` is on account of the window, if of one up to this: the first one in
  /// which the track is seen from that picture on.
  private func isOnAccount(_ number: Int) -> Bool {
    windows[window].delay == 0
      && windows[window].lastSeen.map { route.frame(of: number) > $0 } ?? true
  }

  /// Picture `number` came where a later one was due already, and is not shown. Of pictures with one
  /// time, only one is shown anyway.
  private mutating func loseLate(_ number: Int) {
    guard number >= foremost, !route.isSimultaneous(number, next - 1) else { return }
    // Damaged pictures come with any number.
    let isWhole = decoding?.reader.isWhole ?? true
    lose(isWhole ? .latePictures(1) : .damagedPictures(1), next)
  }

  /// Puts what the reader has lost on the account of the frames that would have shown it.
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

  /// Adds a loss where picture `number` would have been shown.
  private mutating func lose(_ cause: MediaLoss.Cause, _ number: Int) {
    guard isOnAccount(number) else { return }
    let frame = firstFrame(of: number)
    tally.lose(.media(cause), frame..<frame + 1)
  }
}
