package import TesseraTimeline

/// The faces of one picture of a track.
package struct FaceSighting: Hashable, Sendable, Codable {
  /// The packet that the picture comes from.
  package var packet: Int
  /// The faces, the surest one first.
  package var faces: [Face]

  /// `faces` in the picture of packet number `packet`.
  package init(packet: Int, faces: [Face]) { (self.packet, self.faces) = (packet, faces) }
}

/// Where a camera looks so that faces stay in its tile: still, with a move now and then.
package struct FacePath: Hashable, Sendable {
  /// What is looked at: a face, or several side by side; in parts of the picture, 2^-16 each.
  package struct Subject: Hashable, Sendable {
    /// Between the eyes.
    package var x: Int, y: Int
    /// How far left and right the faces reach.
    package var left: Int, right: Int
    /// The height of a face.
    package var height: Int
    /// Whether there are several.
    package var isSeveral: Bool

    /// What the surest of `faces`, `count` at most, are together; nil for none.
    init?(_ faces: [Face], count: Int) {
      let people = Self.sure(faces).prefix(max(1, count))
      guard !people.isEmpty else { return nil }
      isSeveral = people.count > 1
      left = people.map(\.x).min() ?? 0
      right = people.map { $0.x + $0.width }.max() ?? 0
      (x, y) = ((left + right) / 2, people.reduce(0) { $0 + $1.eyes.y } / people.count)
      height = people.reduce(0) { $0 + $1.height } / people.count
    }

    private init(x: Int, y: Int, left: Int, right: Int, height: Int, isSeveral: Bool) {
      (self.x, self.y, self.left, self.right) = (x, y, left, right)
      (self.height, self.isSeveral) = (height, isSeveral)
    }

    /// Those of `faces` that are not found far less surely than another.
    static func sure(_ faces: [Face]) -> [Face] {
      let surest = faces.map(\.weight).max() ?? 0
      return faces.filter { $0.weight * 3 >= surest }
    }

    /// The medians of `subjects`, which are not empty.
    fileprivate static func median(_ subjects: [Subject]) -> Subject {
      func middle(_ number: (Subject) -> Int) -> Int {
        subjects.map(number).sorted()[subjects.count / 2]
      }
      return Subject(
        x: middle(\.x), y: middle(\.y), left: middle(\.left), right: middle(\.right),
        height: middle(\.height), isSeveral: subjects.count { $0.isSeveral } * 2 > subjects.count)
    }

    fileprivate func isFar(from other: Subject) -> Bool {
      abs(x - other.x) > FacePath.deadZone || abs(y - other.y) > FacePath.deadZone
    }
  }

  /// Where is looked from when on.
  package struct Stop: Hashable, Sendable {
    /// When looking there begins; a move takes ``FacePath/ease``.
    package var time: MediaTime
    /// What is looked at.
    package var subject: Subject
  }

  /// The stops, in the order of their times.
  package private(set) var stops: [Stop] = []

  /// How far a face may go from where is looked, as a part of the picture: 3.5 %.
  static let deadZone = Face.unit * 35 / 1000
  /// How long it has to be away before the picture follows, and how long that takes.
  private static let patience = MediaTime(nanoseconds: 1_500_000_000)
  package static let ease = MediaTime(seconds: 1)
  /// Over what faces are averaged, and the least time between two moves.
  private static let (window, rest) = (MediaTime(seconds: 5), MediaTime(seconds: 3))

  /// The path that follows what was seen at times, in their order. A face is taken to stay where it
  /// was until another is seen.
  package init(_ seen: [(time: MediaTime, faces: [Face])]) {
    // How many people there usually are, so that an occasional false find does not count.
    let counts = seen.map { Subject.sure($0.faces).count }.filter { $0 > 0 }.sorted()
    let usual = counts.isEmpty ? 0 : counts[counts.count / 2]
    let found = seen.compactMap { sight in
      Subject(sight.faces, count: usual).map { (sight.time, $0) }
    }
    guard let first = found.first else { return }
    func median(from start: MediaTime, to end: MediaTime, or other: Subject) -> Subject {
      let near = found.filter { $0.0 >= start && $0.0 <= end }.map(\.1)
      return near.isEmpty ? other : .median(near)
    }
    let half = MediaTime(nanoseconds: Self.window.nanoseconds / 2)
    let smooth = found.map { time, subject in
      (time, median(from: time - half, to: time + half, or: subject))
    }
    stops = [
      Stop(
        time: first.0, subject: median(from: first.0, to: first.0 + Self.window, or: first.1))
    ]
    var away: (time: MediaTime, before: MediaTime)?
    for (index, (time, subject)) in smooth.enumerated() {
      let last = stops[stops.count - 1]
      guard subject.isFar(from: last.subject) else {
        away = nil
        continue
      }
      let began = away ?? (time, index > 0 ? smooth[index - 1].0 : time)
      away = began
      let until = index + 1 < smooth.count ? smooth[index + 1].0 : time + Self.patience
      guard until - began.time >= Self.patience, began.time - last.time >= Self.rest else {
        continue
      }
      // It was on its way since it was last seen where it had been.
      let start = max(last.time + Self.ease, began.before, began.time - Self.ease)
      stops.append(
        Stop(
          time: start,
          subject: median(from: began.time, to: began.time + Self.window, or: subject)))
      away = nil
    }
  }
}
