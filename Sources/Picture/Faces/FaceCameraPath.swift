package import TesseraTimeline

/// The faces found in one picture of a track.
package struct DetectedFaces: Hashable, Sendable, Codable {
  /// The index of the picture's packet.
  package var packet: Int
  /// The faces in descending order of confidence.
  package var faces: [Face]

  /// Creates the sighting of `faces` in the picture of packet number `packet`.
  package init(packet: Int, faces: [Face]) { (self.packet, self.faces) = (packet, faces) }
}

/// The movement of a virtual camera that keeps faces within a tile: still, with an occasional pan.
package struct FaceCameraPath: Hashable, Sendable {
  /// The target of the virtual camera: one face or several side by side, in fractions of the
  /// picture in units of 2^-16.
  package struct Subject: Hashable, Sendable {
    /// The center of the subject: the middle of its horizontal extent, at the mean height of the
    /// eyes.
    package var x: Int, y: Int
    /// The left and right ends of the faces' extent.
    package var left: Int, right: Int
    /// The mean height of the faces.
    package var height: Int
    /// True if the subject consists of more than one face.
    package var isSeveral: Bool

    /// Merges the most confident `count` of `faces`, at least one, into one subject; returns `nil`
    /// if `faces` is empty.
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

    /// The `faces` with at least a third of the highest confidence.
    static func sure(_ faces: [Face]) -> [Face] {
      let surest = faces.map(\.weight).max() ?? 0
      return faces.filter { $0.weight * 3 >= surest }
    }

    /// The medians of all members of `subjects`, which must not be empty.
    fileprivate static func median(_ subjects: [Subject]) -> Subject {
      func middle(_ number: (Subject) -> Int) -> Int {
        subjects.map(number).sorted()[subjects.count / 2]
      }
      return Subject(
        x: middle(\.x), y: middle(\.y), left: middle(\.left), right: middle(\.right),
        height: middle(\.height), isSeveral: subjects.count { $0.isSeveral } * 2 > subjects.count)
    }

    fileprivate func isFar(from other: Subject) -> Bool {
      abs(x - other.x) > FaceCameraPath.deadZone || abs(y - other.y) > FaceCameraPath.deadZone
    }
  }

  /// A subject and the time at which the camera starts to move there.
  package struct CameraStop: Hashable, Sendable {
    /// The start of the move, which takes ``FaceCameraPath/ease``.
    package var time: MediaTime
    /// The target from the end of the move on.
    package var subject: Subject
  }

  /// The stops in ascending order of time.
  package private(set) var stops: [CameraStop] = []

  /// The distance that a face may move without the camera following, as a fraction of the picture:
  /// 3.5 %.
  static let deadZone = Face.unit * 35 / 1000
  /// The time that a face must be outside the dead zone before the camera moves: 1.5 s.
  private static let patience = MediaTime(nanoseconds: 1_500_000_000)
  /// The duration of a move: 1 s.
  package static let ease = MediaTime(seconds: 1)
  /// The window in which subjects are averaged (5 s), and the minimum time between two moves (3 s).
  private static let (window, rest) = (MediaTime(seconds: 5), MediaTime(seconds: 3))

  /// Computes the path that follows `seen`, which is in ascending order of time. A face is assumed
  /// to stay in place until the next sighting.
  package init(_ seen: [(time: MediaTime, faces: [Face])]) {
    // The usual number of people, so that an occasional false detection does not count.
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
      CameraStop(
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
      // The face has been moving since its last sighting at the previous position.
      let start = max(last.time + Self.ease, began.before, began.time - Self.ease)
      stops.append(
        CameraStop(
          time: start,
          subject: median(from: began.time, to: began.time + Self.window, or: subject)))
      away = nil
    }
  }
}
