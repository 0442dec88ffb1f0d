import Foundation
import FoundationXML
import PlanningSupport
import TesseraCodecs
import TesseraExport
import TesseraJobs
import TesseraLayout
import TesseraMessages
import TesseraPixels
import TesseraPlan
import TesseraPlanning
import TesseraRecordings
import TesseraRequest
import TesseraTimeline
import TestSupport
import Testing

/// The text of projects in each format, parsed again.
@Suite("Formats of projects", .timed) struct ProjectFormatTests {

  private static func time(_ milliseconds: Int64) -> MediaTime {
    MediaTime(nanoseconds: milliseconds * 1_000_000)
  }

  /// Returns a project of Ada and Ben, who is present twice and 6 dB quieter, and a screen. Ada is
  /// muted for a second.
  private static func project(_ rate: String = "30") throws -> EditorProject {
    try rate == "30" ? usual.get() : make(rate)
  }

  private static let usual = Result { try make("30") }

  private static func make(_ rate: String) throws -> EditorProject {
    let folder = try TemporaryFolder()
    let input = try ImportedCall.open(
      [try RecordingFolders.path("vonage")], unpackFolder: folder.path("w"))
    let video = VideoEncoderSettings(
      size: PixelSize(width: 1280, height: 720), frameRate: try #require(FrameRate(rate)))
    var request = RenditionRequest(input, output: OutputFormat(video: video))
    request.call.wantsTurns = true
    request.call.gains = [PersonGain(person: "Ben", decibels: -6)]
    request.rendition.mutes = [
      EditList.MutedRange("Ada", EditList.EditedRange(from: Self.time(500), to: Self.time(1500)))
    ]
    request.rendition.ownChapters = [
      ChapterFileReader.ChapterMark(.zero, "Start & <welcome>"),
      ChapterFileReader.ChapterMark(MediaTime(seconds: 3), "Middle"),
    ]
    var project = EditorProject(try request.plan(), name: "standup")
    project.folder = URL(fileURLWithPath: project.media[0].path).deletingLastPathComponent().path
    return project
  }

  private static func nodes(_ text: String, _ path: String) throws -> [XMLNode] {
    try XMLDocument(xmlString: text).nodes(forXPath: path)
  }

  private static func values(_ text: String, _ path: String) throws -> [String] {
    try nodes(text, path).map { $0.stringValue ?? "" }
  }

  private static func property(_ text: String, _ name: String) throws -> String? {
    try values(text, "//property[@name='\(name)']").first
  }

  private static func json(_ text: String?) throws -> [[String: Any]] {
    try JSONSerialization.jsonObject(with: Data((text ?? "").utf8)) as? [[String: Any]] ?? []
  }

  /// Returns the entries of a playlist in frames: start on the timeline, and start in the file.
  private static func entries(_ text: String, _ playlist: String) throws -> [[Int]] {
    var (place, entries) = (0, [[Int]]())
    for node in try nodes(text, "//playlist[@id='\(playlist)']/*") {
      func number(_ name: String) -> Int {
        Int((node as? XMLElement)?.attribute(forName: name)?.stringValue ?? "") ?? 0
      }
      if node.name == "blank" { place += number("length") }
      guard node.name == "entry" else { continue }
      entries.append([place, number("in"), number("out") - number("in") + 1])
      place += number("out") - number("in") + 1
    }
    return entries
  }

  /// Returns the result that ``entries(_:_:)`` should have for a track.
  private static func expected(_ track: EditorProject.Track, _ project: EditorProject) -> [[Int]] {
    let rate = Double(project.rate.numerator) / Double(project.rate.denominator)
    return track.clips.map {
      [$0.frames.lowerBound, Int(($0.source.seconds * rate).rounded()), $0.frames.count]
    }
  }

  @Test("A Kdenlive document has a bin, properties, and two playlists for each track")
  func kdenlive() throws {
    var project = try Self.project()
    project.markers.append(project.markers[0])
    project.markers[project.markers.count - 1].name = "Ada"
    let text = project.text(.kdenlive)
    #expect(try Self.property(text, "kdenlive:docproperties.version") == "1.04")
    #expect(try Self.property(text, "kdenlive:docproperties.profile") == "atsc_720p_30")
    let bin = try Self.values(text, "//playlist[@id='main_bin']/entry/@producer")
    #expect(bin == project.media.indices.map { "file\($0)" })
    for number in project.media.indices {
      let id = "//producer[@id='file\(number)']/property"
      #expect(try Self.values(text, "\(id)[@name='kdenlive:id']") == ["\(number + 2)"])
      let name = URL(fileURLWithPath: project.media[number].path).lastPathComponent
      #expect(try Self.values(text, "\(id)[@name='resource']") == [name])
    }
    let sounds = project.tracks.filter { $0.kind == .sound }
    let order = sounds.reversed() + project.tracks.filter { $0.kind == .pictures }
    #expect(
      try Self.values(text, "//tractor[@id='timeline']/track/@producer")
        == ["black_track"] + order.indices.map { "tractor\($0)" })
    for (place, track) in order.enumerated() {
      let tractor = "//tractor[@id='tractor\(place)']"
      #expect(
        try Self.values(text, "\(tractor)/track/@producer")
          == ["playlist\(2 * place)", "playlist\(2 * place + 1)"])
      #expect(
        try Self.nodes(text, "\(tractor)/property[@name='kdenlive:audio_track']").count
          == (track.kind == .sound ? 1 : 0))
      #expect(
        Set(try Self.values(text, "\(tractor)/track/@hide"))
          == [track.kind == .sound ? "video" : track.isProgramme ? "audio" : "both"])
      #expect(
        try Self.entries(text, "playlist\(2 * place)") == Self.expected(track, project))
    }
    let guides = try Self.json(try Self.property(text, "kdenlive:docproperties.guides"))
    #expect(guides.first?["comment"] as? String == "Start & <welcome> · Ada")
    let places = guides.compactMap { $0["pos"] as? Int }
    #expect(Set(places).count == places.count && places.contains(90))
    let groups = try Self.json(try Self.property(text, "kdenlive:docproperties.groups"))
    let linked = groups.map { group in
      (group["children"] as? [[String: Any]] ?? []).compactMap { $0["data"] as? String }
    }
    // Ada's voice is in two parts around the mute.
    #expect(linked.contains { $0.count == 3 && $0.contains { $0.hasSuffix(":45") } }, "\(linked)")
    #expect(groups.contains { $0["type"] as? String == "AVSplit" })
  }

  @Test("A Shotcut project has all of its annotations")
  func shotcut() throws {
    let project = try Self.project()
    let text = project.text(.mlt)
    #expect(try Self.values(text, "//tractor/property[@name='shotcut']") == ["1"])
    #expect(
      try Self.values(text, "//tractor/track/@producer")
        == ["background"] + project.tracks.indices.map { "playlist\($0)" })
    #expect(try Self.values(text, "//playlist[@id='background']/entry/@producer") == ["black"])
    for (number, track) in project.tracks.enumerated() {
      let kind = track.kind == .pictures ? "video" : "audio"
      #expect(
        try Self.values(
          text, "//playlist[@id='playlist\(number)']/property/@name") == [
            "shotcut:\(kind)", "shotcut:name",
          ])
      #expect(
        try Self.entries(text, "playlist\(number)") == Self.expected(track, project))
    }
    let marker = "//properties[@name='shotcut:markers']/properties"
    #expect(try Self.nodes(text, marker).count == project.markers.count)
    #expect(
      try Self.values(text, "\(marker)[1]/property") == ["Start & <welcome>", "0", "89", "#FF0000"])
    // Picture and sound of one file form one group.
    let groups = try Self.values(text, "//entry/property[@name='shotcut:group']")
    #expect(groups.count == 7 && Set(groups).count == 3, "\(groups)")
  }

  @Test(
    "Mono is raised by MLT's attenuation, and gains are added",
    arguments: [(1, 0.0, "3.01"), (1, -6, "-2.99"), (2, -6, "-6"), (2, 0, nil)])
  func levels(channels: Int, gain: Double, level: String?) throws {
    var project = try Self.project()
    for number in project.media.indices {
      (project.media[number].channels, project.media[number].gain) = (channels, gain)
    }
    for format in [EditorProject.Format.mlt, .kdenlive] {
      let found = try Self.values(project.text(format), "//filter/property[@name='level']")
      #expect(Set(found) == Set(level.map { [$0] } ?? []), "\(format)")
    }
  }

  @Test("The EDL has auxiliary reels, and sound if the shown file has sound")
  func edl() throws {
    let project = try Self.project()
    let lines = project.text(.edl).split(separator: "\n").map(String.init)
    let events = lines.filter { $0.first?.isNumber == true }.map {
      $0.split(separator: " ").map(String.init)
    }
    #expect(events.map { $0[0] } == events.indices.map { "00\($0 + 1)" })
    #expect(events.allSatisfy { $0[1] == "AX" && $0[3] == "C" })
    let pictures = events.filter { $0[2] == "V" }
    // Ada is shown and muted during the second second; then there is a screen without sound.
    #expect(
      pictures.map { $0[6] }.prefix(4)
        == ["00:00:00:00", "00:00:00:15", "00:00:01:15", "00:00:02:00"])
    let heard = events.filter { $0[2] == "A" }.map { $0[6] }
    #expect(heard.prefix(2) == ["00:00:00:00", "00:00:01:15"] && !heard.contains("00:00:02:00"))
    for (event, next) in zip(pictures, pictures.dropFirst()) { #expect(event[7] == next[6]) }
    #expect(lines.contains("* FROM CLIP NAME: s-screen.webm"))
    #expect(lines.contains("* LOC: 00:00:00:00 RED     Start & <welcome>"))
    #expect(lines.contains("* LOC: 00:00:03:00 RED     Middle"))
    #expect(
      project.notes(.edl).map(\.commandLine).contains {
        $0.contains("does not carry the voices of Ben")
      })
    var absolute = project
    absolute.folder = nil
    let path = absolute.media[0].path
    #expect(absolute.text(.edl).contains("* FROM CLIP NAME: \(path)\n"))
  }

  @Test(
    "Final Cut Pro's format counts each file in its own frame rate",
    arguments: ["30", "29.97", "25"])
  func finalCut(rate: String) throws {
    var project = try Self.project(rate)
    for number in project.media.indices { project.media[number].rate = FrameRate(24000, 1001) }
    let text = project.text(.xml)
    let isNTSC = rate == "29.97"
    #expect(
      try Self.values(text, "//sequence/rate/*")
        == [rate == "25" ? "25" : "30", isNTSC ? "TRUE" : "FALSE"])
    #expect(Set(try Self.values(text, "//clipitem/rate/ntsc")) == ["TRUE"])
    #expect(Set(try Self.values(text, "//clipitem/rate/timebase")) == ["24"])
    let tracks = project.tracks.filter { $0.kind == .pictures }
    for (number, track) in tracks.enumerated() {
      let items = "//video/track[\(number + 1)]/clipitem"
      #expect(
        try Self.values(text, "\(items)/start") == track.clips.map { "\($0.frames.lowerBound)" })
      #expect(
        try Self.values(text, "\(items)/end") == track.clips.map { "\($0.frames.upperBound)" })
      #expect(
        try Self.values(text, "\(items)/in")
          == track.clips.map { "\(Int(($0.source.seconds * 24000 / 1001).rounded()))" })
    }
    #expect(try Self.nodes(text, "//file[pathurl]").count == project.media.count)
    #expect(Set(try Self.values(text, "//filter//value")) == ["0.501187"])
    #expect(try Self.values(text, "//sequence/marker/name").first == "Start & <welcome>")
    // Every link names a clip by its track and position.
    for link in try Self.nodes(text, "//link") {
      let values = (link.children ?? []).map { $0.stringValue ?? "" }
      let place = "//\(values[1])/track[\(values[2])]/clipitem[\(values[3])]/@id"
      #expect(try Self.values(text, place) == [values[0]])
    }
    #expect(try Self.nodes(text, "//video//link").count > 0)
    #expect(
      try Self.values(text, "//video/track/enabled")
        == tracks.map { $0.isProgramme ? "TRUE" : "FALSE" })
  }

  @Test("OpenTimelineIO names files by paths, and writes rates with all digits")
  func otio() throws {
    let project = try Self.project("29.97")
    let text = project.text(.otio)
    #expect(text.contains("\"rate\": 29.97002997002997") && !text.contains("\"rate\": 29.97,"))
    #expect(text.contains("\"target_url\": \"s-ada.webm\""))
    #expect(text.contains("\"comment\": \"Start & <welcome>\""))
  }

  @Test(
    "Paths are relative to the project if the files can be moved with it",
    arguments: [
      ("/a/b", "/a/b/c.mp4", "c.mp4"), ("/a/b", "/a/b/d #1/c%41 &.mp4", "d #1/c%41 &.mp4"),
      ("/a/b", "/a/x/c.mp4", "../x/c.mp4"), ("/a/b/c", "/a/x/c.mp4", "/a/x/c.mp4"),
      ("/a", "/b/c.mp4", "/b/c.mp4"), (nil, "/a/b/c.mp4", "/a/b/c.mp4"),
    ] as [(String?, String, String)])
  func paths(folder: String?, path: String, expected: String) throws {
    var project = try Self.project()
    project.folder = folder
    project.media = [project.media[0]]
    project.media[0].path = path
    for track in project.tracks.indices {
      for clip in project.tracks[track].clips.indices {
        project.tracks[track].clips[clip].media = 0
      }
    }
    for format in [EditorProject.Format.mlt, .kdenlive] {
      let found = try Self.values(
        project.text(format), "//producer[not(contains(@id,'black'))]/property[@name='resource']")
      #expect(Set(found) == [expected])
    }
    #expect(project.text(.otio).contains("\"target_url\": \"\(expected)\""))
    #expect(project.text(.edl).contains("* SOURCE FILE: \(expected)\n"))
    let url = try Self.values(project.text(.xml), "//pathurl").first ?? ""
    #expect(
      url.removingPercentEncoding
        == (expected.hasPrefix("/") ? "file://localhost\(expected)" : expected))
    #expect(!url.contains(" ") && !url.contains("#") && !url.contains("&"))
  }

  @Test("No shot is a single frame", arguments: ["30", "29.97", "25", "59.94"])
  func flashes(rate: String) throws {
    let input = try ImportedCall.open([
      SourceTree.root.appending(path: "Fixtures/call/session.yaml").path
    ]
    )
    let video = VideoEncoderSettings(
      size: PixelSize(width: 640, height: 360), frameRate: try #require(FrameRate(rate)))
    var request = RenditionRequest(input, output: OutputFormat(video: video))
    request.rendition.layout = CutsLayout()
    request.rendition.cut = KeptRanges(
      cutting: [TimeRange(start: Self.time(5010), end: Self.time(8030))])
    let project = EditorProject(try request.plan(), name: "demo")
    #expect(project.shots.count > 4 && project.shots.allSatisfy { $0.frames.count > 1 })
    for (shot, next) in zip(project.shots, project.shots.dropFirst()) {
      #expect(shot.frames.upperBound == next.frames.lowerBound)
    }
    for clip in project.tracks.flatMap(\.clips) {
      let end = clip.source + ExactTime(project.rate.time(ofFrame: clip.frames.count))
      #expect(end.rounded <= project.media[clip.media].duration)
    }
  }

  @Test(
    "A format refuses projects that it cannot express", arguments: EditorProject.Format.allCases)
  func problems(format: EditorProject.Format) throws {
    var project = try Self.project()
    #expect(project.problem(format) == nil)
    let countsFrames = format == .xml || format == .edl
    project.rate = try #require(FrameRate(25, 2))
    #expect((project.problem(format) != nil) == countsFrames)
    project.rate = try #require(FrameRate("59.94"))
    project.tracks.removeAll { $0.isProgramme }
    #expect((project.problem(format) != nil) == (format == .edl))
  }

  @Test("Media files have a mark in their tags; projects have no place for one")
  func outputMarks() {
    for ending in OutputContainer.endings {
      #expect(OutputMark(path: "call\(ending)") == .tags, "\(ending)")
    }
    for format in EditorProject.Format.allCases {
      #expect(OutputMark(path: "call.\(format.rawValue)") == .record, "\(format)")
    }
  }

  @Test("The summary of an .edl counts what the .edl contains")
  func summaries() throws {
    var project = try Self.project()
    let shot = try #require(project.shots.first)
    let whole = project.summary(.kdenlive)
    let start = "\(project.media.count) files on \(project.tracks.count) tracks, "
    #expect(whole.hasPrefix(start), "\(whole)")
    project.tracks.removeAll { !$0.isProgramme }
    project.tracks[0].clips = [shot, shot]
    #expect(project.summary(.edl) == "2 shots of 1 file on 1 track")
    project.media = [project.media[0]]
    project.tracks[0].clips = [shot]
    #expect(project.summary(.otio) == "1 file on 1 track, 1 shot")
    #expect(project.summary(.edl) == "1 shot of 1 file on 1 track")
  }

  @Test("A mute covers each frame that it overlaps")
  func mutes() throws {
    let project = try Self.project()
    let ada = try #require(project.tracks.first { $0.kind == .sound && $0.name == "Ada" })
    #expect(ada.clips.map(\.frames.lowerBound) == [0, 45])
    #expect(ada.clips.first?.frames.upperBound == 15)
  }

  // MARK: The guide's table

  /// Returns how a format represents a feature of the edit.
  private static func fate(_ feature: String, _ format: EditorProject.Format) throws -> String {
    let project = try self.project()
    let text = project.text(format)
    var plain = project
    func changed(_ change: (inout EditorProject) -> Void) -> Bool {
      change(&plain)
      return plain.text(format) != text
    }
    let isCarried: Bool
    switch feature {
    case "a track for each camera, screen and voice":
      isCarried = changed { $0.tracks.removeAll { $0.name == "Ben" && $0.kind == .pictures } }
    case "cuts": isCarried = changed { $0.tracks[$0.tracks.count - 1].clips.removeFirst() }
    case "mutes and struck words":
      isCarried = changed { project in
        let ada = project.tracks.firstIndex { $0.kind == .sound && $0.name == "Ada" } ?? 0
        project.tracks[ada].clips[0].frames = 0..<60
        project.tracks[ada].clips.removeLast()
      }
    case "gains":
      isCarried = changed { project in
        for number in project.media.indices { project.media[number].gain = 0 }
      }
    case "chapters and turns": isCarried = changed { $0.markers.removeAll() }
    case "picture and voice linked":
      isCarried = ["AVSplit", "shotcut:group", "<link>"].contains { text.contains($0) }
    case "relative paths": isCarried = !text.contains(project.media[0].path)
    default: return "unknown"
    }
    if isCarried { return "carried" }
    let words = [
      "gains": "carries no gains", "a track for each camera, screen and voice": "one track",
    ]
    let isNoted = words[feature].map { words in
      project.notes(format).contains { $0.commandLine.contains(words) }
    }
    return isNoted == true ? "noted" : "–"
  }

  @Test("Each format supports the features that the guide lists")
  func table() throws {
    let guide = try String(
      contentsOf: SourceTree.root.appending(path: "Sources/Tessera/Tessera.docc/Editing.md"),
      encoding: .utf8)
    let lines = guide.split(separator: "\n").map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    let head = try #require(lines.firstIndex { $0.contains("`.kdenlive`") })
    let formats = try lines[head].dropFirst().map {
      try #require(EditorProject.Format(rawValue: $0.trimmingCharacters(in: ["`", "."])))
    }
    #expect(formats == EditorProject.Format.allCases)
    let rows = lines[(head + 2)...].prefix { $0.count == formats.count + 1 }
    #expect(rows.count == 7)
    for row in rows {
      for (format, cell) in zip(formats, row.dropFirst()) {
        #expect(try Self.fate(row[0].lowercased(), format) == cell, "\(row[0]), .\(format)")
      }
    }
  }
}
