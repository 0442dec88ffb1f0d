import TesseraCodecs
package import TesseraLayout
import TesseraLettering
import TesseraMessages
package import TesseraPixels
import TesseraSoundtrack
import TesseraSystem
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
  /// The distance between tiles of each theme that has one: `10 for dark`.
  private static let themeGaps =
    Theme.builtIn.filter { $0.gap > 0 }.map { "\(Int(saturating: $0.gap)) for \($0.name)" }
    .joined(separator: ", ")

  private static let pictureRows: [OptionRow<RenditionOptions>] = [
    .one(
      "layout", \.layout,
      """
      Layout of the whole output: \(LayoutCatalog.names.joined(separator: ", ")), or a layout \
      file (default: the recording's own, otherwise auto).
      """, value: "name[:k=v,…]", completion: .list(LayoutCatalog.names),
      check: { layout in
        guard layout.file == nil else { return nil }
        return mistake { () throws(RenderError) in _ = try layout.withoutFile() }
      }
    ).naming(\.layout),
    .one(
      "size", \.size,
      """
      Canvas in pixels, such as 1280x720 or 720p, both sides even; auto leaves one side to the \
      layout (default: that of the layout file or the recording, otherwise 1920x1080).
      """, value: "wxh", expected: "both sides in pixels, such as 1280x720, 1280xauto or 720p",
      check: \.videoProblem),
    .one(
      "fps", \.rate,
      """
      Frames per second, at most 240, such as 30, 12.5 or 29.97 (30000/1001); auto is the lowest \
      rate of 10 to 30 at which no picture of the recordings is lost (default: the recording's \
      own, otherwise 30).
      """,
      expected: "a rate above 0, to 240 frames per second, such as 30, 29.97 or 30000/1001, or auto"
    ),
    .choice(
      "filter", \.filter,
      "Scaling filter (default: bicubic)."),
    .choice(
      "fit", \.fit,
      """
      Fit of a picture in its tile; auto fills the tile where little is cropped, and covers an \
      upright canvas with a single participant, around the face (default: auto).
      """),
    .one(
      "gap", \.gap,
      """
      Distance between tiles in pixels (default: the theme's, \(themeGaps) on a short side of \
      1080; otherwise 0.6 % of the short side).
      """, value: "px",
      expected: wholeNumber, check: { (0...512).contains($0) ? nil : "takes 0 to 512 pixels." }),
    .one(
      "transition", \.transition,
      """
      Seconds that tiles take to move when a participant joins or leaves; 0 cuts (default: \
      \(LayoutTransition.standard.duration)).
      """,
      value: "seconds", expected: time,
      check: { $0 <= MediaTime(seconds: 60) ? nil : "takes 0 to 60 seconds." }),
    .one(
      "max-tiles", \.maximumTiles,
      "Maximum number of tiles; the last one counts everyone without a tile (default: 25).",
      expected: wholeNumber, check: { tileCounts.contains($0) ? nil : "takes 1 to 1000." }),
    .one(
      "focus", \.focus,
      "Participant in the large place, if the layout has one.", value: "person"),
  ]

  /// The valid range of the maximum number of tiles.
  package static let tileCounts = 1...1000

  private static let peopleRows: [OptionRow<RenditionOptions>] = [
    .many(
      "only", \.only,
      "The only participants who are seen and heard.", value: "person", arity: .several),
    .many(
      "exclude", \.excluded,
      "Participants who are neither seen nor heard.", value: "person",
      arity: .several),
    .many(
      "hide", \.hidden,
      "Participants who are heard but have no tile.", value: "person",
      arity: .several),
    .one(
      "keep-visible", \.keptVisible,
      """
      Participant, such as an interpreter, who is always seen whole along an edge, in a place \
      that no other tile takes; the size is a share of the canvas from 0.05 to 0.5 (default: 0.2, \
      right).
      """, value: "person[:size=…,place=…]",
      expected: "a person, and options such as ada:size=0.25,place=left"),
    .choice(
      "tiles", \.tiles,
      """
      Participants who have a tile: all, or only those whose camera or screen is on (default: \
      all).
      """),
  ]

  private static let lookRows: [OptionRow<RenditionOptions>] = [
    .one(
      "theme", \.theme,
      """
      Colors, name plates and cards: \(Theme.builtIn.map(\.name).joined(separator: ", ")), or a \
      theme file (default: dark).
      """,
      value: "name|file", completion: .list(Theme.builtIn.map(\.name)),
      check: { theme in
        guard theme.file == nil else { return nil }
        return mistake { () throws(RenderError) in _ = try theme.withoutFile() }
      }
    ).naming(\.theme),
    .toggle(
      "names", \.showsNames,
      "Names on tiles (default: the theme's choice)."),
    .toggle(
      "highlight-speaker", \.highlightsSpeaker,
      "Frame around the active speaker (default: the theme's choice)."),
    .one(
      "corner-radius", \.cornerRadius,
      "Radius of tiles' corners in pixels (default: the theme's).",
      value: "px", expected: number,
      check: { (0...540).contains($0) ? nil : "takes 0 to 540 pixels." }),
    .one(
      "background", \.background,
      """
      Background between tiles: #rrggbb, #rgb, a color name such as navy, or an image (default: \
      the theme's).
      """,
      value: "color|image", completion: .file([])
    ).naming(\.background),
    .many(
      "fit-focus", \.focuses,
      """
      Point that cropping keeps in sight: auto for faces, or a point of a participant's picture \
      from 0,0 to 1,1.
      """, value: "auto|person=x,y",
      expected: "auto, or a person and a point from 0,0 to 1,1, such as ada=0.5,0.3"),
    .one(
      "frame", \.headShare,
      """
      Share of a tile's height that heads take, 0.2 to 0.8: pictures are cropped around faces and \
      enlarged up to 1.6 times (default: as recorded).
      """, value: "share", expected: number,
      check: { (0.2...0.8).contains($0) ? nil : "takes 0.2 to 0.8." }),
    .one(
      "watermark", \.watermark,
      "Image over the tiles.",
      value: "image[:corner=…,opacity=…,height=…]",
      expected: "an image and its options, such as logo.png:corner=top-right,height=0.08",
      completion: .file([])
    ).naming(\.watermark),
    .one(
      "title-card", \.titleCard,
      """
      Title over the whole canvas at the start, but not on clips beside the main output; an empty \
      text removes it.
      """,
      value: "text[:seconds=…]",
      expected: "a text and its seconds, such as \"Weekly sync:seconds=4\""),
    .one(
      "clock", \.clock,
      """
      Running clock: call (time since the start of the call) or wall (time of day, in UTC unless \
      a zone is given).
      """,
      value: "call|wall[:zone=+hh:mm]", expected: "call, wall, or wall:zone=+02:00"),
    .one(
      "captions", \.captions,
      """
      Captions drawn on the picture: a WebVTT or SubRip file, the call's transcript with names \
      (transcript), or a few words at a time with the spoken word emphasized (words; \
      words:color=speaker).
      """, value: "file.vtt|.srt|transcript|words", completion: .file(["vtt", "srt"])
    ).naming(\.captions),
    .one(
      "freeze-after", \.freezeAfter,
      """
      Seconds for which the last picture of a camera, and if given also of a file with pictures \
      and sound, is held before the card appears; 0 holds it while the recording continues \
      (default: 5 for cameras).
      """,
      value: "seconds", expected: time),
  ]

  private static let encodingRows: [OptionRow<RenditionOptions>] = [
    .choice(
      "for", \.purpose,
      """
      Purpose of the output, which sets the defaults of size, rate, quality and sound: slides, \
      web or archive.
      """),
    .one(
      "encoder", \.encoder,
      "Video encoder by its libavcodec name (default: libx264; for .webm, libvpx-vp9).",
      completion: .list(VideoEncoderSettings.knownEncoders),
      check: VideoEncoderSettings.problem(ofEncoder:)),
    .one(
      "preset", \.preset,
      "Preset of the encoder, between fast and small (default: veryfast for libx264).",
      check: { $0.isEmpty ? "is empty; name one, such as veryfast, or leave it out." : nil }),
    .one(
      "crf", \.quality,
      "Constant quality of the encoder; lower is better (default: 24 for libx264).",
      expected: wholeNumber),
    .many(
      "encoder-option", \.encoderOptions,
      "Further option of the encoder; may be repeated.",
      value: "k=v", expected: "a key and a value, such as tune=film"),
    .one(
      "title", \.title,
      "Title stored in the file."),
    .many(
      "captions-track", \.captionTracks,
      """
      Captions that players turn on and off: a WebVTT or SubRip file, or the call's transcript \
      (transcript); once for each language, by its three-letter code. Off at first unless \
      default=on.
      """, value: "file.vtt|.srt|transcript[:language=…,title=…,default=on]",
      expected: "a file and its language, such as call.vtt:language=eng,title=English",
      completion: .file(["vtt", "srt"])
    ).naming(\.captionTracks),
    .toggle(
      "chapters", \.hasChapters,
      "Chapters in the file (default: on)."),
    .one(
      "chapters-from", \.chapterFile,
      """
      File with chapters by times of the call: lines such as 0:12 Title, or FFmpeg metadata \
      (default: the recording's own chapters, or generated ones).
      """,
      value: "file.txt", completion: .file(["txt"])
    ).naming(\.chapterFile),
  ]

  private static let soundRows: [OptionRow<RenditionOptions>] = [
    .one(
      "loudness", \.loudness,
      """
      Loudness of the voices and the mix: off, LUFS from -40 to -8, speech (-16), broadcast (-23) \
      or web (-14) (default: off).
      """, value: "off|lufs|name",
      expected: "off, speech, broadcast, web, or LUFS from -40 to -8, such as -16",
      completion: .list(LoudnessTarget.names)),
    .one(
      "duck", \.duck,
      "Attenuation of shared screens' sound while people speak, 0 to 60 dB (default: 0).",
      value: "db", expected: number,
      check: { (0...60).contains($0) ? nil : "takes 0 to 60 decibels." }),
    .many(
      "only-sound", \.onlySound,
      "The only participants who are heard; the others keep their tiles.",
      value: "person", arity: .several),
    .many(
      "exclude-sound", \.excludedSound,
      "Participants who are not heard but keep their tiles.",
      value: "person", arity: .several),
    .choice(
      "audio-encoder", \.soundCodec,
      "Audio encoder by its libavcodec name (default: the output format's usual one)."),
    .choice(
      "audio-channels", \.channels,
      "Channels of the sound (default: stereo)."),
    .one(
      "audio-bitrate", \.bitRate,
      "Bit rate of the sound in bits per second, 32k to 512k for AAC (default: 128k).",
      expected: "bits per second, such as 128k"),
  ]

  private static let partRows: [OptionRow<RenditionOptions>] = [
    .many(
      "cut", \.cuts,
      "Part of the call to cut; may be repeated.", value: "from-to",
      expected: CallRange.expected),
    .many(
      "keep", \.kept,
      "Part of the call to keep, without which nothing else stays; may be repeated.",
      value: "from-to", expected: CallRange.expected),
    .one(
      "tighten", \.tighten,
      """
      Shortening of pauses in which nobody speaks: the seconds from which a pause is long, and \
      what remains of it (default: off).
      """,
      value: "on|off|pause=1,keep=0.35,turn=0.6,long=4", expected: TightenOption.expected),
    .many(
      "edits", \.edits,
      """
      File of edits whose cuts apply, or a transcript of the call whose struck words are cut; may \
      be repeated.
      """, value: "edits.yaml|call.md", completion: .file(["yaml", "yml", "json", "md"])
    ).naming(\.edits),
    .one(
      "without-fillers", \.fillers,
      "Words to cut wherever a transcript has them; on is um, uh, er and ah (default: off).",
      value: "on|off|um,uh", expected: "on, off, or words such as um,uh"),
    .one(
      "from", \.from,
      "Start of the rendered part: seconds or [hh:]mm:ss[.mmm] (default: the start of the call).",
      value: "t", expected: time),
    .one(
      "to", \.to,
      "End of the rendered part (default: the end of the call).", value: "t", expected: time),
    .one(
      "chapter", \.chapter,
      "Chapter of the main output, counted from 1, that is rendered alone.", value: "n",
      expected: "the number of a chapter", check: { $0 >= 1 ? nil : "counts from 1." }),
    .one(
      "clips", \.clips,
      """
      Table with the columns from, to and title; each row becomes a file, named by {title} in an \
      output's name, otherwise beside the main output.
      """, value: "marks.csv", completion: .file(["csv", "tsv", "txt"])
    ).naming(\.clips),
    .toggle(
      "snap", \.snaps,
      """
      Moving of a part's start and end into pauses between sentences, by at most 1.5 s (default: \
      on for clips, chapters and parts of further outputs, otherwise off).
      """),
  ]

  /// Returns the predicate of the error that `resolve` throws; `nil` if it throws none.
  private static func mistake(_ resolve: () throws(RenderError) -> Void) -> String? {
    do throws(RenderError) {
      try resolve()
      return nil
    } catch {
      return "is wrong: \(error.message)"
    }
  }

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
