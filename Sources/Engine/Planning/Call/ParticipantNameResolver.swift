import Foundation
import TesseraDocuments
import TesseraMessages
import TesseraPlan
import TesseraRecordings
import TesseraSystem

/// Resolves names of participants in options: identifiers, names, file names with and without
/// extension, paths, and numbers from 1.
struct ParticipantNameResolver {
  /// The names of each participant, by rank. A match of an earlier rank takes precedence.
  private let ranks: [[(id: Participant.ID, name: String)]]
  private let all: [Participant.ID: [String]]
  /// The files of participants with several files: the file name, and the path in the recording.
  private let files: [(name: String, file: String)]
  /// The local participant; `nil` if neither the recording nor an option names one.
  private(set) var local: Participant.ID?
  /// The participant shown large; `nil` if the recording and the layout decide.
  private(set) var focus: Participant.ID?

  /// Creates the names of the participants of `recording`; `input` resolves their files' paths.
  init(_ recording: Recording, _ input: ImportedCall) {
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

  func names(of id: Participant.ID) -> [String] { all[id] ?? [] }

  /// Sets the local and the large participant as `call` and `rendition` ask.
  ///
  /// - Throws: ``RenderError`` if either name matches no participant or several.
  mutating func choose(_ call: CallRequest, _ rendition: Rendition) throws(RenderError) {
    if let name = call.local { local = try id(of: name, by: "\(option: "local")") }
    if let name = rendition.focus { focus = try id(of: name, by: "\(option: "focus")") }
  }

  /// Returns the participants that have no tile.
  ///
  /// - Throws: ``RenderError`` if a name matches no participant or several.
  func hidden(_ rendition: Rendition) throws(RenderError) -> Set<Participant.ID> {
    var hidden: Set<Participant.ID> = []
    for name in rendition.hidden { hidden.insert(try id(of: name, by: "\(option: "hide")")) }
    return hidden
  }

  /// Returns the participant that `name`, the value of `option`, refers to.
  ///
  /// - Throws: ``RenderError`` if the name matches no participant or several.
  func id(of name: String, by option: UserMessage) throws(RenderError) -> Participant.ID {
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
    throw RenderError(
      .usage, option + " \"\(name)\" matches no participant: " + hint(for: name, option))
  }

  /// Returns the path, within the recording, of the file exactly named `name`, if its owner has
  /// several files; otherwise `nil`. `option` is the option with this value. A `./` prefix means
  /// that the name is a file's, not a participant's.
  ///
  /// - Throws: ``RenderError`` if a participant has the same name.
  func file(of name: String, by option: UserMessage) throws(RenderError) -> String? {
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

  /// Returns true if two paths are equal after normalization.
  private static func areSame(_ path: String, _ other: String) -> Bool {
    URL(fileURLWithPath: path).standardizedFileURL
      == URL(fileURLWithPath: other).standardizedFileURL
  }

  private func hint(for name: String, _ option: UserMessage) -> UserMessage {
    let known = ranks[0].map(\.name)
    let parts = name.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    if parts.count > 1, parts.allSatisfy(known.contains) {
      return parts.reduce("give \(option) for each:") { $0 + " \(option) \($1)" } + "."
    }
    var distinct: [String] = []
    for name in known where !distinct.contains(name) { distinct.append(name) }
    if let nearest = name.nearest(among: distinct + ranks[2].map(\.name)) {
      return "did you mean \(file: nearest)?"
    }
    let listed = distinct.prefix(10).joined(separator: ", ")
    return "known names: \(listed)\(distinct.count > 10 ? " and \(distinct.count - 10) more" : "")."
  }
}
