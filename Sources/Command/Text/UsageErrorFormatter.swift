import TesseraDocuments
import TesseraRequest

/// Turns the argument parser's messages into sentences: the problem, the expected value and
/// something to try.
enum UsageErrorFormatter {
  /// Returns the parser's `message` with its first line, the error, turned into a sentence.
  /// `options` are the names of the command's options, also of those that its help does not list.
  static func text(_ message: String, options: [String]) -> String {
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
    guard let first = lines.first else { return message }
    let plain = first.hasPrefix("Error: ") ? String(first.dropFirst(7)) : String(first)
    let list = Array(lines.dropFirst().prefix { $0.hasPrefix("  - ") })
    let sentence =
      misunderstood(plain) ?? invalidValue(plain, list) ?? missing(plain)
      ?? unknownOption(plain, options) ?? unexpected(plain) ?? plain
    // The parser's help of the option repeats the sentence.
    let rest = lines.dropFirst(1 + list.count).drop { sentence != plain && $0.hasPrefix("Help:") }
    return ([sentence] + rest.map(String.init)).joined(separator: "\n")
  }

  /// The expected values of options that are not part of a render request, with an example each.
  private static let examples: [String: String] = [
    "at": "seconds or [hh:]mm:ss, from 0 on, such as 90 or 1:30.5",
    "every": "seconds or [hh:]mm:ss, from 0 on, such as 90 or 1:30.5",
    "count": "a whole number, such as 20",
    "index": "a number, a range or auto, such as 3 or 0-7",
    "hls": HLSSizes.expected,
  ]

  /// Advice for options of other programs that Tessera lacks, by option name.
  private static let others: [String: String] = {
    let from = "--from 90 --to 2:30 renders a part, --cut leaves parts out."
    let size =
      "no option bounds the size; --crf 28 or --for web makes smaller files, --audio-bitrate sets the "
      + "sound's bit rate."
    let canvas = "--size 1080x1920 makes an upright video; the guide Clips has layouts for it."
    let turns =
      "--speakers turns.rttm writes the times of each speaker, --transcript-out said.srt the words."
    let picture = "--also poster.jpg makes a picture of the call, --also thumbs/:every=10 many."
    let loudness = "--loudness speech brings every voice and the mix to one level."
    let input = "give its recording as a further input with the same name, such as ada-mic.wav."
    let people = "--people people.csv sets the names of participants, with a row id,name for each."
    let words: [([String], String)] = [
      (["start", "end", "begin", "ss", "duration", "length", "trim"], from),
      (["max-size", "file-size", "bitrate", "video-bitrate", "max-bitrate"], size),
      (["vertical", "portrait", "aspect", "aspect-ratio", "resolution"], canvas),
      (["rttm", "textgrid", "eaf", "diarization", "srt", "vtt", "subtitles"], turns),
      (["thumbnail", "poster", "screenshot"], picture),
      (["normalize", "loudnorm", "volume"], loudness), (["mic", "microphone"], input),
      (["name", "rename", "speaker-names"], people),
      (
        ["offset"],
        "render, preview, plan, inspect and import take it, and so does a session file: start."
      ),
    ]
    return Dictionary(
      words.flatMap { names, advice in names.map { ($0, advice) } }, uniquingKeysWith: { $1 })
  }()

  /// Adds advice to errors like `--names cannot be "Ada"` if another option takes the value; `nil`
  /// for other messages.
  private static func misunderstood(_ message: String) -> String? {
    guard let colon = message.firstRange(of: "\": "), message.hasPrefix("--") else { return nil }
    let refusal = message[..<colon.upperBound]
    let advice: String? =
      switch message.dropFirst(2).prefix(while: { $0 != " " }) {
      case "chapters": "give on or off; --chapters-from FILE takes chapters from a file."
      case "names": "give on or off; --people people.csv sets the names of participants."
      case "size" where refusal.dropLast(2).contains(":"):
        "give both sides in pixels, such as 1080x1920 for 9:16; the guide Clips has layouts for that."
      default: nil
      }
    return advice.map { refusal + $0 }
  }

  /// Rewrites `The value 'X' is invalid for '--name <value>'`, with the expected values if they are
  /// known; `nil` for other messages.
  private static func invalidValue(_ message: String, _ list: [Substring]) -> String? {
    guard message.hasPrefix("The value '"), let end = message.firstRange(of: "' is invalid for '")
    else {
      return nil
    }
    let value = message[..<end.lowerBound].dropFirst("The value '".count)
    let rest = message[end.upperBound...]
    guard let option = rest.split(whereSeparator: { " '".contains($0) }).first else { return nil }
    let name = String(option.drop { $0 == "-" })
    if let advice = examples[name] ?? RenderRequest.option(name)?.row.expected {
      return "\(option) cannot be \"\(value)\": give \(advice)\(advice.hasSuffix(".") ? "" : ".")"
    }
    guard let choices = rest.firstRange(of: "Please provide one of ") else {
      return "\(option) cannot be \"\(value)\"."
    }
    // A long list of choices follows on lines of its own.
    let listed = list.map { $0.dropFirst("  - ".count) }.joined(separator: ", ")
    let words = list.isEmpty ? String(rest[choices.upperBound...]) : "\(listed)."
    return "\(option) cannot be \"\(value)\": give one of \(words)"
  }

  /// Rewrites `Unknown option '--nam'. Did you mean '--names'?`; `nil` for other messages.
  private static func unknownOption(_ message: String, _ options: [String]) -> String? {
    let parts = message.split(separator: "'")
    guard message.hasPrefix("Unknown option '"), parts.count > 1 else { return nil }
    let name = String(parts[1].drop { $0 == "-" })
    // The parser suggests none of the options that the help does not list.
    let nearest =
      parts.count > 3 ? String(parts[3]) : name.nearest(among: options).map { "--\($0)" }
    let hint = others[name] ?? nearest.map { "did you mean \($0)?" } ?? "--help lists the options."
    return "the option \(parts[1]) is unknown: \(hint)"
  }

  /// Rewrites `Unexpected argument 'x'` and `2 unexpected arguments: 'x', 'y'`; `nil` for other
  /// messages.
  private static func unexpected(_ message: String) -> String? {
    let parts = message.split(separator: "'")
    guard message.lowercased().contains("unexpected argument"), parts.count > 1 else { return nil }
    return "\"\(parts[1])\" is not expected here: leave it out, or see --help."
  }

  /// Rewrites `Missing expected argument '<input> ...'`; `nil` for other messages.
  private static func missing(_ message: String) -> String? {
    let start = "Missing expected argument '"
    guard message.hasPrefix(start) else { return nil }
    let name = message.dropFirst(start.count).prefix { $0 != "'" }
    if name.hasPrefix("--output") {
      let example = name.split { "<>".contains($0) }.last ?? "out.mp4"
      return "no output is named: add -o and a file, such as -o \(example.prefix { $0 != "|" })."
    }
    guard name.hasPrefix("<") else { return "\(name) is missing: add it." }
    let what = ["<input>", "<file>"].contains { name.hasPrefix($0) }
    return what
      ? "no input is named: give a call's folder, archive, manifest or session file, or media files."
      : "\(name) is missing: add it."
  }
}
