import Foundation
import TesseraDocuments
import TesseraPlan
import TesseraRecordings
import TesseraSystem
import TesseraTimeline

/// What participants are called: by their identifiers and names, their files' names with and
/// without the extension, their paths, and their numbers from 1.
struct PeopleNames {
  /// The names by which each participant can be meant, in ranks: one before goes before one after.
  private let ranks: [[(id: Participant.ID, name: String)]]
  private let all: [Participant.ID: [String]]
  /// The files of participants who have several: their names, and their paths in the recording.
  private let files: [(name: String, file: String)]
  /// The local participant, where somebody says who that is.
  private(set) var local: Participant.ID?
  /// The large person; nil leaves it to the recording and the layout.
  private(set) var focus: Participant.ID?

  /// The participants of `recording`, whose files lie where `input` says.
  init(_ recording: Recording, _ input: CallInput) {
    var ranks: [[(Participant.ID, String)]] = Array(repeating: [], count: 5)
    var all: [Participant.ID: [String]] = [:]
    for (index, person) in recording.participants.enumerated() {
      var names = [[person.id, person.name], [], [], [], ["\(index + 1)"]]
      for track in person.tracks {
        let path = input.path(of: track.file)
        let url = URL(fileURLWithPath: path)
        names[1].append(url.deletingPathExtension().lastPathComponent)
        names[2].append(path)
        names[3].append(url.lastPathComponent)
      }
      var seen: Set<String> = []
      for rank in 0..<5 {
        for name in names[rank] where seen.insert(name).inserted || rank == 4 {
          ranks[rank].append((person.id, name))
          all[person.id, default: []].append(name)
        }
      }
    }
    (self.ranks, self.all) = (ranks, all)
    files = recording.participants.flatMap { person in
      let files = Set(person.tracks.map(\.file)).sorted()
      return files.count < 2 ? [] : files.map { (URL(fileURLWithPath: $0).lastPathComponent, $0) }
    }
    local = recording.participants.first(where: \.isLocal)?.id
  }

  /// All names of the participant `id`.
  func names(of id: Participant.ID) -> [String] { all[id] ?? [] }

  /// Takes the local and the large person from `call` and `rendition`.
  ///
  /// - Throws: where either is none of them.
  mutating func choose(_ call: CallRequest, _ rendition: Rendition) throws(RenderError) {
    if let name = call.local { local = try id(of: name, by: "\(option: "local")") }
    if let name = rendition.focus { focus = try id(of: name, by: "\(option: "focus")") }
  }

  /// Those who are to have no tile.
  ///
  /// - Throws: where a name is nobody's, or several people's.
  func hidden(_ rendition: Rendition) throws(RenderError) -> Set<Participant.ID> {
    var hidden: Set<Participant.ID> = []
    for name in rendition.hidden { hidden.insert(try id(of: name, by: "\(option: "hide")")) }
    return hidden
  }

  /// The participant that `name`, the value of `option`, means.
  ///
  /// - Throws: where it is none of them, or several.
  func id(of name: String, by option: Message) throws(RenderError) -> Participant.ID {
    for (rank, names) in ranks.enumerated() {
      let found = names.filter { $0.name == name || rank == 2 && Self.areSame($0.name, name) }
      let people = Set(found.map(\.id))
      if people.count == 1, let first = people.first { return first }
      guard people.isEmpty else {
        throw RenderError(
          .usage,
          option + " \(name) means \(people.count) recordings; give a path or a number instead.")
      }
    }
    throw RenderError(.usage, option + " \"\(name)\" names nobody: " + hint(for: name, option))
  }

  /// The file, by its path in the recording, that `name`, the value of `option`, is the exact name of, if its participant
  /// has others as well; `./` before the name excludes participants.
  ///
  /// - Throws: ``RenderError`` if a participant has the same name.
  func file(of name: String, by option: Message) throws(RenderError) -> String? {
    let isFile = name.hasPrefix("./")
    let wanted = isFile ? String(name.dropFirst(2)) : name
    let found = files.filter { $0.name == wanted || $0.file == wanted }
    guard found.count == 1 else { return nil }
    guard isFile || !ranks[0].contains(where: { $0.name == name }) else {
      throw RenderError(
        .usage,
        option + " \"\(name)\" is the name of a participant and of a file: give \"./\(name)\" "
          + "for the file.")
    }
    return found[0].file
  }

  /// Whether two paths name the same place, however they are written.
  private static func areSame(_ path: String, _ other: String) -> Bool {
    URL(fileURLWithPath: path).standardizedFileURL
      == URL(fileURLWithPath: other).standardizedFileURL
  }

  private func hint(for name: String, _ option: Message) -> Message {
    let known = ranks[0].map(\.name)
    let parts = name.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    if parts.count > 1, parts.allSatisfy(known.contains) {
      return parts.reduce("give \(option) for each:") { $0 + " \(option) \($1)" } + "."
    }
    var distinct: [String] = []
    for name in known where !distinct.contains(name) { distinct.append(name) }
    if let nearest = name.nearest(among: distinct + ranks[2].map(\.name)) {
      return "did you mean \(nearest)?"
    }
    let listed = distinct.prefix(10).joined(separator: ", ")
    return "known names: \(listed)\(distinct.count > 10 ? " and \(distinct.count - 10) more" : "")."
  }
}
