import Testing

/// A change of an option or of a session file's field between two renders.
struct KeptPiecesCase: CustomTestStringConvertible, Sendable {
  /// The option, or the field with its object.
  let name: String
  /// The options of both renders, with their values.
  var common: KeyValuePairs<String, String> = [:]
  /// The additional options of the second render.
  var options: KeyValuePairs<String, String> = [:]
  /// Replacements in the session file of both renders.
  var preparation: KeyValuePairs<String, String> = [:]
  /// Additional replacements in the session file of the second render.
  var change: KeyValuePairs<String, String> = [:]

  var testDescription: String { name }

  static let session = """
    {"version": 1, "title": "Call", "started-at": "2026-01-02T03:04:05Z",
    "canvas": {"size": "160x96", "fps": 5},
    "participants": [
      {"id": "ada", "name": "Ada", "tracks": [{"id": "a", "file": "ada.mkv"}]},
      {"id": "bob", "name": "Bob", "tracks": [{"id": "b", "file": "bob.mp4"}]},
      {"id": "eve", "name": "Eve", "avatar": "red.png"}],
    "events": [
      {"at": 0.5, "speaking": "ada"}, {"at": 1.2, "participant": "eve", "present": false},
      {"at": 1.5, "speaking": "bob"}],
    "overlays": [{"from": 0.4, "to": 0.9, "text": "Hello", "place": "bottom-left"}]}
    """

  // MARK: Parts of the call

  private static let version = #""version": 1"#
  private static let ada = #""file": "ada.mkv""#
  private static let bob = #""file": "bob.mp4""#
  private static let eve = #"{"id": "eve", "name": "Eve", "avatar": "red.png"}"#
  private static let lastEvent = #"{"at": 1.5, "speaking": "bob"}"#
  private static let leaving = #", {"at": 1.2, "participant": "eve", "present": false}"#
  private static let overlay = #"{"from": 0.4, "to": 0.9, "text": "Hello", "place": "bottom-left"}"#
  /// A canvas with tiles large enough for names.
  private static let isLarge: KeyValuePairs = ["160x96": "480x270"]
  /// A card is shown in place of a picture.
  private static let isCameraOff: KeyValuePairs = [
    lastEvent: #"\#(lastEvent), {"at": 1, "participant": "bob", "camera": false}"#
  ]
  private static let isScreen: KeyValuePairs = [bob: #"\#(bob), "kind": "screen""#]
  /// The call is empty for some seconds.
  private static let isIdle: KeyValuePairs = [
    ada: #"\#(ada), "start": 6"#, bob: #"\#(bob), "start": 6"#, ",\n  \(eve)": "",
    leaving: "", overlay: "",
  ]
  private static let hasTranscript: KeyValuePairs = [
    version: #"\#(version), "transcripts": [{"file": "captions.vtt", "start": 0.5}]"#
  ]
  private static let hasStylesheet: KeyValuePairs = [
    version: #"""
    \#(version), "layout": {"stylesheet":
    "stream { left: 0; top: 0; width: 50%; height: 50%; } stream.big { width: 100%; }"}
    """#
  ]

  private static func option(
    _ name: String, _ value: String = "on", given common: KeyValuePairs<String, String> = [:],
    in session: KeyValuePairs<String, String> = [:]
  ) -> Self {
    Self(name: name, common: common, options: [name: value], preparation: session)
  }

  private static func field(
    _ name: String, _ change: KeyValuePairs<String, String>,
    given common: KeyValuePairs<String, String> = [:],
    in session: KeyValuePairs<String, String> = [:]
  ) -> Self {
    Self(name: name, common: common, preparation: session, change: change)
  }

  /// Returns a case with an additional field in the object that contains `part`.
  private static func added(
    _ name: String, _ value: String, to part: String,
    given common: KeyValuePairs<String, String> = [:],
    in session: KeyValuePairs<String, String> = [:]
  ) -> Self {
    let key = name.split(separator: ".").last ?? ""
    return field(name, [part: #"\#(part), "\#(key)": \#(value)"#], given: common, in: session)
  }

  /// Returns a case with an additional event after one second.
  private static func event(
    _ name: String, _ facts: String, given common: KeyValuePairs<String, String> = [:],
    in session: KeyValuePairs<String, String> = [:]
  ) -> Self {
    field(
      name, [lastEvent: #"\#(lastEvent), {"at": 1, \#(facts)}"#], given: common, in: session)
  }

  // MARK: Changes of picture or sound

  static let options: [Self] = [
    option("layout", "spotlight"), option("size", "128x96"), option("fps", "10"),
    option("filter", "area"), option("fit", "contain"), option("gap", "8"),
    option("transition", "0"), option("max-tiles", "2"),
    option("local", "bob", given: ["layout": "multiparty"]),
    option("focus", "bob", given: ["layout": "speaker"]),
    option("people", "people.csv", in: isCameraOff),
    option("only", "ada"), option("exclude", "bob"), option("hide", "bob"),
    option("tiles", "cameras"), option("offset", "bob=0.4"), option("gain", "bob=-6"),
    option("align", "container"), option("trim-idle", in: isIdle), option("theme", "light"),
    option("names", "off", in: isLarge), option("highlight-speaker", "off"),
    option("corner-radius", "12"), option("background", "navy"),
    option("fit-focus", "bob=0.1,0.1", given: ["fit": "cover"]),
    option("watermark", "red.png"), option("title-card", "Call:seconds=1"), option("clock", "call"),
    option("captions", "captions.vtt"),
    option(
      "transcript", "captions.vtt", given: ["captions": "transcript"], in: hasTranscript),
    option("freeze-after", "0.4", in: [bob: #"\#(bob), "kind": "camera""#]),
    option("speaker-source", "none"), option("encoder", "libx265"),
    option("preset", "medium"), option("crf", "40"), option("for", "web"),
    option("keep-visible", "bob"),
    option("encoder-option", "aq-mode=0"), option("loudness", "-12"),
    option("duck", "20", in: isScreen), option("only-sound", "ada"),
    option("exclude-sound", "ada"), option("audio-track", "deu"),
    option("audio-encoder", "libopus"), option("audio-channels", "mono"),
    option("audio-bitrate", "64k"), option("title", "Other"),
    option("captions-track", "captions.vtt"), option("from", "1"), option("to", "2"),
    option("chapters-from", "chapters.txt"), option("cut", "0.5-1"), option("keep", "0.5-1"),
    option("edits", "edits.yaml"),
  ]

  static let fields: [Self] = [
    field("session.title", [#""Call""#: #""Other""#]),
    field("session.started-at", ["03:04:05": "03:05:06"], given: ["clock": "wall"]),
    added("session.layout", #""spotlight""#, to: version),
    added("session.trim-idle", "true", to: version, in: isIdle),
    field(
      "session.transcripts", [#", "start": 0.5"#: ""], given: ["captions": "transcript"],
      in: hasTranscript),
    added("session.chapters", #"[{"at": 0, "title": "One"}]"#, to: version),
    added("session.shots", #"[{"at": 0, "person": "bob"}]"#, to: version),
    added("session.edits", #"{"cut": [{"from": 0.5, "to": 1}]}"#, to: version),
    added("session.align", #""container""#, to: version),
    field("session.participants", [",\n  \(eve)": "", leaving: ""]),
    field("session.events", [lastEvent: #"{"at": 1.5, "speaking": "none"}"#]),
    field("session.overlays", [overlay: ""]), field("session.canvas", [#", "fps": 5"#: ""]),
    field("canvas.size", ["160x96": "128x96"]),
    field("canvas.fps", [#""fps": 5"#: #""fps": 10"#]),
    added("canvas.background", ##""#225588""##, to: #""fps": 5"#),
    field(
      "participant.id", [#""id": "bob""#: #""id": "zoe""#, #"": "bob""#: #"": "zoe""#],
      in: isCameraOff),
    field("participant.name", [#""Bob""#: #""Robert""#], in: isCameraOff),
    added("participant.local", "true", to: #""id": "bob""#, given: ["layout": "multiparty"]),
    field("participant.avatar", ["red.png": "blue.png"]),
    added("participant.tile", "false", to: #""id": "bob""#),
    field("participant.tracks", [#"{"id": "b", "file": "bob.mp4"}"#: ""]),
    field("track.file", ["bob.mp4": "ada.mkv"]), added("track.stream", "0", to: ada),
    added("track.channel", "2", to: bob),
    added("track.kind", #""screen""#, to: bob), added("track.start", "0.4", to: bob),
    added("track.stop", "1.6", to: bob), added("track.in", "0.6", to: bob),
    added("track.out", "1.6", to: bob), added("track.gain", "-6", to: bob),
    added("track.sound", "false", to: bob), added("track.container-start", "true", to: bob),
    added("track.follows", #""a""#, to: bob), added("track.rate", "1.2", to: bob),
    field(
      "track.clock", ["04:06Z": "04:07Z"], given: ["align": "clock"],
      in: [
        ada: #"\#(ada), "clock": "2026-01-02T03:04:05Z""#,
        bob: #"\#(bob), "clock": "2026-01-02T03:04:06Z""#,
      ]),
    field(
      "track.anchors", ["04:06Z": "04:07Z"], given: ["align": "clock"],
      in: [
        ada: #"\#(ada), "anchors": [{"clock": "wall a", "at": "2026-01-02T03:04:05Z"}]"#,
        bob: #"\#(bob), "anchors": [{"clock": "wall a", "at": "2026-01-02T03:04:06Z"}]"#,
      ]),
    added(
      "track.source", #""other""#, to: #""start": 1"#,
      in: [bob: #"\#(bob)}, {"id": "b2", "file": "ada.mkv", "start": 1"#]),
    field(
      "track.names", [#", "names": ["wanted"]"#: "", bob: #"\#(bob), "names": ["wanted"]"#],
      in: [
        ada: #"\#(ada), "names": ["wanted"]"#,
        version: #"\#(version), "layout": {"regions": {"main": {"video_sources": ["wanted"]}}}"#,
      ]),
    added("track.classes", #"["big"]"#, to: bob, in: hasStylesheet),
    field("event.at", [#""at": 1.5"#: #""at": 1.8"#]),
    field("event.participant", [#""participant": "eve""#: #""participant": "bob""#]),
    event("event.present", #""participant": "bob", "present": false"#),
    event("event.name", #""participant": "bob", "name": "Rob""#, in: isLarge),
    event("event.camera", #""participant": "bob", "camera": false"#),
    event("event.microphone", #""participant": "bob", "microphone": false"#, in: isLarge),
    event("event.screen", #""participant": "bob", "screen": false"#, in: isScreen),
    event(
      "event.still", #""participant": "bob", "still": false"#,
      in: [bob: #""file": "blue.png", "kind": "still""#]),
    event("event.layout", #""layout": "spotlight""#),
    event("event.focus", #""focus": "bob""#, given: ["layout": "speaker"]),
    event("event.pin", #""pin": "bob""#, given: ["layout": "speaker"]),
    event("event.speaking", #""speaking": "none""#),
    event("event.track", #""track": "b", "classes": ["big"]"#, in: hasStylesheet),
    event("event.classes", #""track": "a", "classes": ["big"]"#, in: hasStylesheet),
    field("overlay.from", [#""from": 0.4"#: #""from": 0.6"#]),
    field("overlay.to", [#""to": 0.9"#: #""to": 1.3"#]),
    field("overlay.text", ["Hello": "Bye"]),
    field(
      "overlay.image", ["blue.png": "red.png"], in: [#""text": "Hello""#: #""image": "blue.png""#]),
    field("overlay.place", ["bottom-left": "top"]),
  ]
}
