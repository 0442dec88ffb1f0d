public import TesseraTimeline

/// A statement about the time of a track: at `time` of a clock, an event of the track's file
/// happened.
package struct TimeAnchor: Hashable, Sendable, Codable {
  /// The event that an anchor dates.
  package enum Event: String, Hashable, Sendable, Codable, CaseIterable {
    /// The first picture or sound of the file.
    case start
    /// The first picture of the file.
    case picture
    /// The first sound of the file.
    case sound
    /// Time zero of the container.
    case zero
    /// The creation of the file. Recorders create files when they start.
    case created
    /// The end of the file's last picture or sound.
    case ended
  }

  /// The clock that an anchor was read from.
  package enum Clock: Hashable, Sendable, Codable {
    /// The timeline of the session, in seconds from its beginning.
    case session
    /// The end of another track of the recording.
    case after(Track.ID)
    /// The wall clock (UTC since 1970) of a machine. Anchors with equal names share it, as far as
    /// the same program wrote the files.
    case wall(String)
    /// The wall clock of a camera, phone or field recorder.
    case device(String)
    /// The time of day that time code counts.
    case timeCode
    /// The times of the container, where several files continue one clock.
    case container

    /// The clock as session files and reports name it: `wall NAME`, `time-code`.
    package var text: String {
      switch self {
      case .session: "session"
      case .after(let id): "after \(id)"
      case .wall(let name): "wall \(name)"
      case .device(let name): "device \(name)"
      case .timeCode: "time-code"
      case .container: "container"
      }
    }

    /// Parses a clock's ``text``; `nil` for any other text.
    package init?(text: String) {
      let words = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      switch (words.first, words.dropFirst().first.map(String.init)) {
      case ("session", nil): self = .session
      case ("after", let id?) where !id.isEmpty: self = .after(id)
      case ("wall", let name?): self = .wall(name)
      case ("device", let name?): self = .device(name)
      case ("time-code", nil): self = .timeCode
      case ("container", nil): self = .container
      default: return nil
      }
    }
  }

  package var event: Event
  /// The clock of ``time``.
  package var clock: Clock
  /// The clock's time at the event.
  package var time: MediaTime
  /// The largest error of ``time``: 1 s for a time in whole seconds.
  package var resolution: MediaTime
  /// The origin of the anchor in words, as a noun phrase: `the date in its name`.
  package var source: String

  /// Creates an anchor that dates the first picture or sound at `time` of `clock`.
  package init(_ clock: Clock, _ time: MediaTime) { self.init(.start, clock, time) }

  /// Creates an anchor that dates `event` at `time` of `clock`.
  package init(
    _ event: Event, _ clock: Clock, _ time: MediaTime,
    within resolution: MediaTime = .zero, source: String = TimeAnchor.recorder
  ) {
    (self.event, self.clock, self.time) = (event, clock, time)
    (self.resolution, self.source) = (resolution, source)
  }

  /// The source of times that a manifest or session file states.
  package static let recorder = "the recording"
  /// The resolutions of times in seconds, milliseconds and microseconds.
  package static let (second, millisecond, microsecond) = (
    MediaTime(seconds: 1), MediaTime(nanoseconds: 1_000_000), MediaTime(nanoseconds: 1000)
  )

  /// True for anchors that state a position on the timeline, absolute or after another track.
  package var isPosition: Bool {
    switch clock {
    case .session, .after: true
    default: false
    }
  }

  /// True for anchors in UTC, of any machine's clock.
  package var isUTC: Bool {
    switch clock {
    case .wall, .device: true
    default: false
    }
  }

  /// The anchor's time with its resolution, as reports print it.
  package var text: String {
    let value = isUTC ? WallClockFormat.text(time) : "\(time) s"
    return resolution >= Self.second
      ? "\(value) to \(resolution.nanoseconds / 1_000_000_000) s" : value
  }
}

extension Track {
  /// The index of the anchor that states the track's position on the timeline.
  private var position: Int? { anchors.firstIndex(where: \.isPosition) }

  /// The time at which the track starts on the timeline, or after the track that it follows; zero
  /// if nothing states it. Never negative.
  public var start: MediaTime {
    get { position.map { anchors[$0].time } ?? .zero }
    set {
      if let position {
        anchors[position].time = newValue
      } else {
        anchors.insert(TimeAnchor(.session, newValue), at: 0)
      }
    }
  }

  /// The anchor that states the track's position on the timeline; `nil` if only clocks date the
  /// recording.
  package var place: TimeAnchor? { position.map { anchors[$0] } }

  /// The track after whose end this track starts: the part before it.
  package var follows: Track.ID? {
    guard case .after(let id)? = place?.clock else { return nil }
    return id
  }

  /// Makes the track start `gap` after the end of track `id`; does nothing if `id` is `nil`.
  package mutating func follow(_ id: Track.ID?, after gap: MediaTime = .zero) {
    guard let id else { return }
    anchors.removeAll(where: \.isPosition)
    anchors.insert(TimeAnchor(.after(id), gap), at: 0)
  }
}

/// The signature that a program leaves in the files that it writes, and the dates it wrote there.
package struct ContainerTags: Hashable, Sendable, Codable {
  /// The encoder, brands and make that the container states. Serves comparison only.
  package var signature = ""
  /// The anchors that the container's tags state.
  package var anchors: [TimeAnchor] = []

  /// Creates the tags of a file whose container states none.
  package init() {}

  /// Reads the tags of a container.
  ///
  /// - Parameters:
  ///   - tags: the container's tags, keys in lower case.
  ///   - streams: the tags of each stream, keys in lower case.
  ///   - frameRate: pictures a second, for time code.
  ///   - sampleRate: samples a second, for time references.
  package init(
    _ tags: [String: String], streams: [[String: String]] = [], frameRate: Double? = nil,
    sampleRate: Int? = nil
  ) {
    func any(_ keys: String...) -> String? {
      keys.lazy.compactMap { key in
        let found = tags[key] ?? streams.lazy.compactMap { $0[key] }.first
        return found.flatMap { $0.isEmpty ? nil : $0 }
      }.first
    }
    let make = any("com.apple.quicktime.make", "make", "com.android.manufacturer", "originator")
    let model = any("com.apple.quicktime.model", "model", "com.android.model")
    let isGoPro = streams.contains { $0["handler_name"]?.contains("GoPro") == true }
    // The major brands of Sony, Canon and Nikon.
    let camera = ["XAVC", "CAEP", "niko"].first { tags["major_brand"]?.hasPrefix($0) == true }
    let device: String? =
      make != nil || model != nil
      ? [make, model].compactMap { $0 }.joined(separator: " ")
      : isGoPro ? "GoPro" : any("com.android.version") != nil ? "Android" : camera
    let encoder = any("encoder", "writing_application", "software") ?? ""
    let brands = [tags["major_brand"], tags["compatible_brands"]].compactMap { $0 }.joined()
    signature = [encoder, brands, device ?? ""].joined(separator: "|")
    let converter = Self.converters.first { encoder.lowercased().contains($0) }
    let clock: TimeAnchor.Clock =
      device.map { .device($0) } ?? converter.map { .device("the converter \($0)") }
      ?? .wall("tags of \(signature)")
    if let text = any("program-date-time"), let time = WallClockFormat.parse(text) {
      anchors.append(
        TimeAnchor(
          .start, .wall("playlists"), time, within: TimeAnchor.millisecond,
          source: "the date in its playlist"))
    }
    let comments = ([tags] + streams).compactMap { $0["comment"] ?? $0["description"] }
    if let packet = comments.lazy.compactMap(MJRHeader.init).first {
      anchors += packet.anchors(source: "its comment")
    } else if let text = any("com.apple.quicktime.creationdate") ?? any("creation_time"),
      let time = WallClockFormat.parse(text)
    {
      let isWhole = time.nanoseconds % 1_000_000_000 == 0
      // Chromium writes the second in which the recorder first handed out data.
      let isChromium =
        brands.hasPrefix("isom") && brands.contains("iso6iso2") && encoder.isEmpty
        && streams.allSatisfy { ["VideoHandler", "SoundHandler"].contains($0["handler_name"]) }
      // Android writes the second in which the recorder stopped.
      let isEnd = isChromium || any("com.android.version") != nil
      anchors.append(
        TimeAnchor(
          isEnd ? .ended : .created, clock, time,
          within: isWhole ? TimeAnchor.second : TimeAnchor.millisecond,
          source: isEnd ? "its creation date, which is its end" : "its creation date"))
    } else if let date = any("origination_date"), let hour = any("origination_time"),
      let time = WallClockFormat.parse("\(date)T\(hour)")
    {
      anchors.append(
        TimeAnchor(
          .created, device == nil ? .device("a field recorder") : clock, time,
          within: TimeAnchor.second, source: "its origination date"))
    }
    if let samples = any("time_reference").flatMap({ Int64($0) }), let sampleRate, sampleRate > 0,
      let time = MediaTime(samples, over: Int64(sampleRate))
    {
      anchors.append(
        TimeAnchor(
          .start, .timeCode, time, within: TimeAnchor.millisecond, source: "its time reference"))
    } else if let code = any("timecode"), let time = Self.time(ofCode: code, frameRate) {
      anchors.append(
        TimeAnchor(
          .picture, .timeCode, time, within: MediaTime(nanoseconds: 50_000_000),
          source: "its time code"))
    }
  }

  /// Programs that write the time of a conversion instead of the recording's.
  private static let converters = [
    "handbrake", "adobe", "premiere", "davinci", "final cut", "compressor", "imovie",
  ]

  /// Returns the time of day of a SMPTE time code: `10:00:00:00`, or `10:00:00;00` with drop
  /// frames.
  private static func time(ofCode text: String, _ frameRate: Double?) -> MediaTime? {
    let parts = text.split { ":;.".contains($0) }.compactMap { Int64($0) }
    guard parts.count == 4, let rate = frameRate, rate > 1, rate < 1000,
      parts.allSatisfy({ (0..<1000).contains($0) })
    else { return nil }
    let (count, minutes) = (Int64(saturating: rate.rounded()), parts[0] *| 60 +| parts[1])
    var frames = (minutes *| 60 +| parts[2]) *| count +| parts[3]
    if text.contains(";") || text.contains(".") {
      frames = frames -| count / 15 *| (minutes -| minutes / 10)
    }
    return MediaTime(nanoseconds: Int64(saturating: Double(frames) / rate * 1e9))
  }
}

extension MediaTime {
  /// Creates a time of `count` units, `rate` of them per second; `nil` for more than a day.
  fileprivate init?(_ count: Int64, over rate: Int64) {
    guard (0..<86400 *| rate).contains(count) else { return nil }
    self.init(
      nanoseconds: count / rate *| 1_000_000_000 +| count % rate *| 1_000_000_000 / rate)
  }
}
