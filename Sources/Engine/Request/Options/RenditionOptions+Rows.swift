import TesseraCodecs
package import TesseraLayout
import TesseraLettering
package import TesseraPixels
import TesseraSoundtrack
import TesseraTimeline

extension RenditionOptions {
  /// The table of output options, in the order of the help.
  package static let rows =
    pictureRows + peopleRows + lookRows + encodingRows + soundRows + partRows

  /// The names of options that mean `on` when written without a value.
  package static let bare: Set = ["clock", "chapters"]

  /// The description of a valid time for error messages.
  static let time = "seconds or [hh:]mm:ss, from 0 on, such as 90 or 1:30.5"
  private static let wholeNumber = "a whole number, such as 20"
  private static let number = "a number, such as 12"

  private static let pictureRows: [OptionRow<RenditionOptions>] = [
    .one(
      "layout", \.layout,
      """
      Who goes where, all along: \(LayoutCatalog.names.joined(separator: ", ")), or a layout file \
      (as the recording says, else auto).
      """, value: "name[:k=v,…]", completion: .list(LayoutCatalog.names)
    ).naming(\.layout),
    .one(
      "size", \.size,
      """
      The canvas in pixels, like 1280x720 or 720p, both sides even; one may be auto and is then the \
      layout's own (1920x1080, or what a layout file asks for).
      """, value: "wxh", expected: "both sides in pixels, such as 1280x720, 1280xauto or 720p",
      check: \.videoProblem),
    .one(
      "fps", \.rate,
      """
      Frames a second, to 240: 30, 12.5 or 29.97, which is 30000/1001; or auto, the lowest of 10 to \
      30 at which no picture of the recordings is lost (as the recording says, else 30).
      """,
      expected: "a rate above 0, to 240 frames per second, such as 30, 29.97 or 30000/1001, or auto"
    ),
    .choice("filter", \.filter, "How pictures are scaled (bicubic)."),
    .choice(
      "fit", \.fit,
      """
      How a picture fills its tile; auto fills it where little is cropped, and an upright canvas with \
      one participant, around the face (auto).
      """),
    .one(
      "gap", \.gap, "The distance between tiles in pixels (0.6 % of the short side).", value: "px",
      expected: wholeNumber, check: { (0...512).contains($0) ? nil : "takes 0 to 512 pixels." }),
    .one(
      "transition", \.transition,
      "How long tiles move when somebody comes or leaves; 0 cuts (\(Transition.standard.duration)).",
      value: "seconds", expected: time,
      check: { $0 <= MediaTime(seconds: 60) ? nil : "takes 0 to 60 seconds." }),
    .one(
      "max-tiles", \.maximumTiles,
      "The most tiles that are shown; the last one stands for everyone else (25).",
      expected: wholeNumber, check: { tileCounts.contains($0) ? nil : "takes 1 to 1000." }),
    .one(
      "focus", \.focus, "The large person, where the layout has a large place.", value: "person"),
  ]

  /// The valid range of the maximum number of tiles.
  package static let tileCounts = 1...1000

  private static let peopleRows: [OptionRow<RenditionOptions>] = [
    .many(
      "only", \.only, "Only these people are seen and heard.", value: "person", arity: .several),
    .many(
      "exclude", \.excluded, "These people are neither seen nor heard.", value: "person",
      arity: .several),
    .many(
      "hide", \.hidden, "These people are heard but have no tile.", value: "person",
      arity: .several),
    .one(
      "keep-visible", \.keptVisible,
      """
      Somebody who is always seen whole in a place that nothing else takes, as an interpreter; a \
      share of the canvas from 0.05 to 0.5, along an edge (0.2, right).
      """, value: "person[:size=…,place=…]",
      expected: "a person, and options such as ada:size=0.25,place=left"),
    .choice(
      "tiles", \.tiles,
      "Whose tiles are shown: everyone, or only whose camera or screen is on (all)."),
  ]

  private static let lookRows: [OptionRow<RenditionOptions>] = [
    .one(
      "theme", \.theme,
      "Colors, plates and cards: \(Theme.builtIn.map(\.name).joined(separator: ", ")), or a file (dark).",
      value: "name|file", completion: .list(Theme.builtIn.map(\.name))
    ).naming(\.theme),
    .toggle("names", \.showsNames, "Whether tiles carry names (as the theme has it)."),
    .toggle(
      "highlight-speaker", \.highlightsSpeaker,
      "Whether the active speaker has a frame (as the theme has it)."),
    .one(
      "corner-radius", \.cornerRadius, "The radius of tiles' corners (as the theme has it).",
      value: "px", expected: number,
      check: { (0...540).contains($0) ? nil : "takes 0 to 540 pixels." }),
    .one(
      "background", \.background,
      "What shows between the tiles: #rrggbb, #rgb, a name such as navy, or an image.",
      value: "color|image", completion: .file([])
    ).naming(\.background),
    .many(
      "fit-focus", \.focuses,
      """
      What cropping keeps in sight: auto for everybody's face, or a point of somebody's picture, \
      from 0 to 1.
      """, value: "auto|person=x,y",
      expected: "auto, or a person and a point from 0,0 to 1,1, such as ada=0.5,0.3"),
    .one(
      "frame", \.headShare,
      """
      The part of a tile's height that heads take, 0.2 to 0.8: pictures are cropped around faces and \
      enlarged up to 1.6 times for it (as they were recorded).
      """, value: "share", expected: number,
      check: { (0.2...0.8).contains($0) ? nil : "takes 0.2 to 0.8." }),
    .one(
      "watermark", \.watermark, "An image over the tiles.",
      value: "image[:corner=…,opacity=…,height=…]",
      expected: "an image and its options, such as logo.png:corner=top-right,height=0.08",
      completion: .file([])
    ).naming(\.watermark),
    .one(
      "title-card", \.titleCard,
      "A title over the whole canvas at the beginning, not of clips beside it; empty is none.",
      value: "text[:seconds=…]",
      expected: "a text and its seconds, such as \"Weekly sync:seconds=4\""),
    .one(
      "clock", \.clock,
      "A running clock: call (the time since the beginning) or wall (of the day, in UTC).",
      value: "call|wall[:zone=+hh:mm]", expected: "call, wall, or wall:zone=+02:00"),
    .one(
      "captions", \.captions,
      """
      Captions to draw: WebVTT or SubRip, what is said with names (transcript), or a few words at a \
      time, the one that is said emphasized (words; words:color=speaker).
      """, value: "file.vtt|.srt|transcript|words", completion: .file(["vtt", "srt"])
    ).naming(\.captions),
    .one(
      "freeze-after", \.freezeAfter,
      """
      How long the last picture of a camera is held before its card comes, and of a file with pictures \
      and sound where this is given; 0 is for as long as the recording continues (5).
      """,
      value: "seconds", expected: time),
  ]

  private static let encodingRows: [OptionRow<RenditionOptions>] = [
    .choice(
      "for", \.purpose,
      """
      What the output is for, which decides size, rate, quality and sound where nothing is said of \
      them: slides, web or archive.
      """),
    .one(
      "encoder", \.encoder,
      "libavcodec's name of the video encoder (libx264; libvpx-vp9 for a .webm).",
      completion: .list(VideoEncoderSettings.knownEncoders),
      check: VideoEncoderSettings.problem(ofEncoder:)),
    .one(
      "preset", \.preset, "The encoder's point between fast and small (libx264: veryfast).",
      check: { $0.isEmpty ? "is empty; name one, such as veryfast, or leave it out." : nil }),
    .one(
      "crf", \.quality, "The encoder's constant quality; lower is better (libx264: 24).",
      expected: wholeNumber),
    .many(
      "encoder-option", \.encoderOptions, "A further option of the encoder; may be repeated.",
      value: "k=v", expected: "a key and a value, such as tune=film"),
    .one("title", \.title, "The title that the file carries."),
    .many(
      "captions-track", \.captionTracks,
      """
      Captions that players can turn on and off: WebVTT or SubRip, or what is said (transcript); \
      once for each language, by its three letters. They are off at first unless default=on.
      """, value: "file.vtt|.srt|transcript[:language=…,title=…,default=on]",
      expected: "a file and its language, such as call.vtt:language=eng,title=English",
      completion: .file(["vtt", "srt"])
    ).naming(\.captionTracks),
    .toggle("chapters", \.hasChapters, "Whether the file has chapters (on)."),
    .one(
      "chapters-from", \.chapterFile,
      "Chapters of one's own, by times of the call: lines such as 0:12 Title, or FFmpeg's metadata.",
      value: "file.txt", completion: .file(["txt"])
    ).naming(\.chapterFile),
  ]

  private static let soundRows: [OptionRow<RenditionOptions>] = [
    .one(
      "loudness", \.loudness,
      """
      The loudness that voices and mix are brought to: off, LUFS from -40 to -8, speech (-16), \
      broadcast (-23) or web (-14) (off).
      """, value: "off|lufs|name",
      expected: "off, speech, broadcast, web, or LUFS from -40 to -8, such as -16",
      completion: .list(LoudnessTarget.names)),
    .one(
      "duck", \.duck,
      "How many decibels the sound of shared screens is turned down while people speak, 0 to 60 (0).",
      value: "db", expected: number,
      check: { (0...60).contains($0) ? nil : "takes 0 to 60 decibels." }),
    .many(
      "only-sound", \.onlySound, "Only these people are heard; the others keep their tiles.",
      value: "person", arity: .several),
    .many(
      "exclude-sound", \.excludedSound, "These people are not heard, but keep their tiles.",
      value: "person", arity: .several),
    .choice(
      "audio-encoder", \.soundCodec,
      "libavcodec's name of the audio encoder (what is usual in the output's format)."),
    .choice("audio-channels", \.channels, "How many channels the sound has (stereo)."),
    .one(
      "audio-bitrate", \.bitRate, "Bits a second of the sound, 32k to 512k for AAC (128k).",
      expected: "bits per second, such as 128k"),
  ]

  private static let partRows: [OptionRow<RenditionOptions>] = [
    .many(
      "cut", \.cuts, "Cut this part of the call; may be repeated.", value: "from-to",
      expected: CallPart.expected),
    .many(
      "keep", \.kept, "Keep this part of the call, and nothing else; may be repeated.",
      value: "from-to", expected: CallPart.expected),
    .one(
      "tighten", \.tighten,
      "Tighten pauses in which nobody speaks: seconds from which, and what is left of them (off).",
      value: "on|off|pause=1,keep=0.35,turn=0.6,long=4", expected: TightenOption.expected),
    .many(
      "edits", \.edits,
      """
      Cut what this file of edits cuts, or the words that are struck in this transcript of the call; \
      may be repeated.
      """, value: "edits.yaml|call.md", completion: .file(["yaml", "yml", "json", "md"])
    ).naming(\.edits),
    .one(
      "without-fillers", \.fillers,
      "Cut these words wherever a transcript has them; on is um, uh, er and ah (off).",
      value: "on|off|um,uh", expected: "on, off, or words such as um,uh"),
    .one(
      "from", \.from, "Where to begin: seconds or [hh:]mm:ss[.mmm].", value: "t", expected: time),
    .one("to", \.to, "Where to end.", value: "t", expected: time),
    .one(
      "chapter", \.chapter, "Only this chapter of the main output, counted from 1.", value: "n",
      expected: "the number of a chapter", check: { $0 >= 1 ? nil : "counts from 1." }),
    .one(
      "clips", \.clips,
      """
      Make a file of each row of this table, with the columns from, to and title; {title} in an \
      output's name says where, else they lie beside the main output.
      """, value: "marks.csv", completion: .file(["csv", "tsv", "txt"])
    ).naming(\.clips),
    .toggle(
      "snap", \.snaps,
      """
      Whether a part begins and ends in pauses between sentences, at most 1.5 s from where it is \
      asked to (on for clips, chapters and parts of further outputs, else off).
      """),
  ]

  /// A conflict between options; `nil` if there is none.
  package var problem: OptionError? {
    let encoder = encoder ?? OutputContainer.mp4.videoEncoder
    guard let quality, let range = VideoEncoderSettings.qualities(of: encoder),
      !range.contains(quality)
    else { return nil }
    return OptionError("crf", "takes \(range.lowerBound) to \(range.upperBound) for \(encoder).")
  }
}

extension ProposedSize {
  /// The valid range of a canvas side in pixels; sides of a video must also be even.
  package static let canvasSides = 16...8192

  /// The reason that no canvas can have this size; `nil` if it is valid.
  package var problem: String? {
    let limits = Self.canvasSides
    let sides = [width, height].compactMap { $0 }
    guard sides.allSatisfy({ (Double(limits.lowerBound)...Double(limits.upperBound)).contains($0) })
    else { return "takes sides from \(limits.lowerBound) to \(limits.upperBound) pixels." }
    return nil
  }

  /// The reason that no video can have this size; `nil` if it is valid.
  package var videoProblem: String? {
    if let problem { return problem }
    let even = ProposedSize(
      width: width.map { $0 - $0.remainder(dividingBy: 2).magnitude },
      height: height.map { $0 - $0.remainder(dividingBy: 2).magnitude })
    guard self != even else { return nil }
    return "takes even sides only, as 4:2:0 video needs: \(even) would do."
  }

  /// The size in pixels, rounded to even sides; a missing side follows from an aspect ratio of
  /// 16:9.
  package var widescreenPixels: PixelSize {
    PixelSize(
      width: Int(saturating: widescreen.width / 2) *| 2,
      height: Int(saturating: widescreen.height / 2) *| 2)
  }
}
