import Foundation
import TesseraDelivery
import TesseraJobs
import TesseraRendering
import TesseraStorage

/// The words of a command line, and which of them name something in a bucket or at an address.
struct RemoteWords {
  /// A word that names a remote input or output.
  struct Place {
    /// Which word it is in.
    let index: Int
    /// What stands in the word before the location: `--report=`.
    let before: String
    let location: Location
    /// What stands after it: `:language=eng`.
    let after: String
    /// The option whose value it is; nil where it is an argument.
    let option: String?

    var isOutput: Bool { option.map(RemoteWords.outputs.contains) ?? false }

    /// The file of a folder of files that says what is in it, and comes last; nil for a file, and
    /// for a folder without one.
    let entry: String?
    /// Whether it becomes a folder.
    var isFolder: Bool { entry != nil }
  }

  let words: [String]
  let places: [Place]

  /// The commands whose inputs and outputs may be remote.
  private static let commands: Set = [
    "import", "inspect", "plan", "preview", "stitch", "timeline",
  ]
  private static let outputs: Set = [
    "-o", "--output", "--report", "--speakers", "--transcript-out", "--also",
  ]
  /// Options whose values are folders of this machine.
  private static let local: Set = ["--work-dir", "--cache", "--fetch-cache", "--root"]
  /// Options whose values may look like addresses.
  private static let texts: Set = [
    "--title", "--title-card", "--only", "--exclude", "--only-sound", "--exclude-sound", "--local",
    "--focus",
  ]
  /// Options whose files may have options of their own after a colon.
  private static let withOptions: Set = [
    "--captions-track", "--transcript", "--watermark", "--also",
  ]

  /// - Throws: where a word names a location that cannot be.
  init(_ words: [String]) throws(LocationError) {
    self.words = words
    var places: [Place] = []
    if let command = words.first, Self.commands.contains(command) {
      for index in words.indices.dropFirst() {
        if let place = try Self.place(words, index) { places.append(place) }
      }
    }
    self.places = places
  }

  /// Whether an option's value is a folder of this machine.
  private static func isLocal(_ option: String, _ command: String) -> Bool {
    local.contains(option) && !(command == "stitch" && option == "--work-dir")
  }

  private static func place(_ words: [String], _ index: Int) throws(LocationError) -> Place? {
    var value = words[index]
    var before = ""
    var option: String?
    if value.hasPrefix("--"), let sign = value.firstIndex(of: "=") {
      before = String(value[...sign])
      option = String(before.dropLast())
      value = String(value[value.index(after: sign)...])
    } else if words[index - 1].hasPrefix("-"), !words[index - 1].contains("=") {
      option = words[index - 1]
    }
    let schemes = ["s3://", "https://", "http://"]
    if option == "--transcript", let scheme = value.firstRange(of: "://"),
      let sign = value[..<scheme.lowerBound].lastIndex(of: "=")
    {
      before += value[...sign]
      value = String(value[sign...].dropFirst())
    }
    guard schemes.contains(where: { value.lowercased().hasPrefix($0) }),
      !(option.map { isLocal($0, words[0]) || texts.contains($0) } ?? false)
    else { return nil }
    var after = ""
    if option == "--also" {
      let rest = value[(value.firstRange(of: "://")?.upperBound ?? value.startIndex)...]
      if let colon = AlsoOutput.colon(in: String(rest)) {
        let length = String(rest)[colon...].count
        (value, after) = (String(value.dropLast(length)), String(value.suffix(length)))
      }
    } else if let option, withOptions.contains(option) {
      (value, after) = split(value)
    }
    return Place(
      index: index, before: before, location: try Location(value), after: after, option: option,
      entry: option == "--also" ? entry(after) : nil)
  }

  /// The file that says what is in the folder that a further output with `options` becomes.
  private static func entry(_ options: String) -> String? {
    let keys = options.dropFirst().split(separator: ",").map { $0.prefix { $0 != "=" } }
    if keys.contains("hls") { return OutputFolder.Content.stream.entry }
    return keys.contains("every") ? ThumbnailFolder.content.entry : nil
  }

  /// A location and the options after it.
  private static func split(_ value: String) -> (String, String) {
    guard let colon = value.lastIndex(of: ":"), let slash = value.lastIndex(of: "/"),
      colon > slash
    else { return (value, "") }
    let key = value[value.index(after: colon)...].prefix { $0.isLetter || $0 == "-" }
    let isOption = !key.isEmpty && value[key.endIndex...].hasPrefix("=")
    return isOption ? (String(value[..<colon]), String(value[colon...])) : (value, "")
  }

  /// The words with each place's location replaced by a path.
  func replacing(_ path: (Place) throws -> String) rethrows -> [String] {
    var words = words
    for place in places {
      words[place.index] = place.before + (try path(place)) + place.after
    }
    return words
  }

  /// Whether something is to be fetched or uploaded.
  var areRemote: Bool {
    guard let command = words.first, Self.commands.contains(command) else { return false }
    return !places.isEmpty
      || words.dropFirst().contains { !$0.hasPrefix("-") && SessionAddresses($0) != nil }
  }

  /// Whether there is such a flag.
  func has(_ flag: String) -> Bool { words.contains(flag) }
}
