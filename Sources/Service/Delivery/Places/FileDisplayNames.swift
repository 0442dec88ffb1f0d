import TesseraCodecs
import TesseraMessages
package import TesseraPlan
package import TesseraPlanning
package import TesseraRendering
import TesseraSoundtrack
import TesseraStorage
import TesseraSystem
package import TesseraVerify

/// The names that messages and reports show for files of this machine: the addresses that inputs
/// were fetched from, and those that outputs are uploaded to.
package struct FileDisplayNames: Sendable {
  /// The named files and folders, longest paths first.
  private var names: [(path: String, name: String)] = []

  /// An empty set of names.
  package init() {}

  package var isEmpty: Bool { names.isEmpty }

  /// Shows `name` for the file or folder at `path`, and names below `name` for files in the folder.
  package mutating func add(_ path: String, _ name: String) {
    // Messages about a cache behind a link may have real paths.
    for path in Set([path, FileOperations.realName(path)]) { names.append((path, name)) }
    names.sort { $0.path.utf8.count > $1.path.utf8.count }
  }

  /// The address that is shown for the file at `path`; `nil` if the path itself is shown.
  package func address(of path: String) -> String? {
    names.first { path == $0.path || path.hasPrefix("\($0.path)/") }.map {
      $0.name + path.dropFirst($0.path.count)
    }
  }

  /// The name that is shown for the file at `path`.
  package func name(of path: String) -> String { address(of: path) ?? path }

  /// Replaces paths in an error by names. Errors of unknown types are returned unchanged.
  package func error(_ error: any Error) -> any Error {
    switch error {
    case let error as RenderError: error.named(by: self)
    case let error as SystemError:
      SystemError(error.operation, name(of: error.path), number: error.number)
    case let error as MediaError: error.named(by: self)
    case let error as StorageError where !isEmpty: RenderError(error).named(by: self)
    default: error
    }
  }
}

/// A value that contains paths which messages and reports show.
package protocol PathDisplayable {
  /// Replaces all paths in the value by names.
  mutating func name(by names: FileDisplayNames)
}

extension PathDisplayable {
  /// Returns a copy of the value with names in place of paths.
  package func named(by names: FileDisplayNames) -> Self {
    var named = self
    if !names.isEmpty { named.name(by: names) }
    return named
  }
}

extension Array: PathDisplayable where Element: PathDisplayable {
  package mutating func name(by names: FileDisplayNames) {
    for index in indices { self[index].name(by: names) }
  }
}

extension Optional: PathDisplayable where Wrapped: PathDisplayable {
  package mutating func name(by names: FileDisplayNames) { self = map { $0.named(by: names) } }
}

extension UserMessage: PathDisplayable {
  package mutating func name(by names: FileDisplayNames) { self = named(names.name) }
}

// MARK: Losses and errors

extension RenderError: PathDisplayable {
  package mutating func name(by names: FileDisplayNames) {
    self = RenderError(kind, sentence.named(names.name))
  }
}

extension MediaError: PathDisplayable {
  package mutating func name(by names: FileDisplayNames) {
    let reason: Reason =
      switch reason {
      case .segments(let why): .segments(why.named(names.name))
      case .outside(let root): .outside(names.name(of: root))
      default: reason
      }
    self = MediaError(path: names.name(of: path), reason: reason)
  }
}

extension MediaLoss: PathDisplayable {
  package mutating func name(by names: FileDisplayNames) {
    if case .damaged(let why) = cause { cause = .damaged(why.named(names.name)) }
  }
}

extension VoiceReport.Failure: PathDisplayable {
  package mutating func name(by names: FileDisplayNames) {
    if case .unreadable(let error) = self { self = .unreadable(error.named(by: names)) }
  }
}

extension Loss.Cause: PathDisplayable {
  package mutating func name(by names: FileDisplayNames) {
    switch self {
    case .unreadable(let error, let missing):
      self = .unreadable(error.named(by: names), missing: missing)
    case .unheard(let failure): self = .unheard(failure.named(by: names))
    case .media(let loss): self = .media(loss.named(by: names))
    case .overlap, .unplaced, .unevidenced, .offCanvas, .crash: break
    }
  }
}

extension Loss: PathDisplayable {
  package mutating func name(by names: FileDisplayNames) {
    source = names.name(of: source)
    cause.name(by: names)
  }
}

// MARK: Plans and reports

extension WorkPlan: PathDisplayable {
  package mutating func name(by names: FileDisplayNames) {
    relocate(names.name)
    for index in renditions.indices {
      renditions[index].output = names.name(of: renditions[index].output)
      renditions[index].plan.losses.name(by: names)
      renditions[index].plan.messages.name(by: names)
    }
  }
}

extension RenderReport: PathDisplayable {
  package mutating func name(by names: FileDisplayNames) {
    output = names.name(of: output)
    failure.name(by: names)
    messages.name(by: names)
    deviations.name(by: names)
    inputs.name(by: names)
    outputs.name(by: names)
  }
}

extension RenderReport.Deviation: PathDisplayable {
  package mutating func name(by names: FileDisplayNames) { text.name(by: names) }
}

extension RenderReport.ParticipantReport: PathDisplayable {
  package mutating func name(by names: FileDisplayNames) {
    files = files.map(names.name)
    losses.name(by: names)
    for index in (pictures?.losses ?? []).indices { pictures?.losses[index].cause.name(by: names) }
    sound?.losses.name(by: names)
    sound?.failure.name(by: names)
    for index in voices.indices { voices[index].file = names.name(of: voices[index].file) }
  }
}

extension RecordingInspection: PathDisplayable {
  package mutating func name(by names: FileDisplayNames) {
    path = names.name(of: path)
    warnings.name(by: names)
    levels.name(by: names)
  }
}

extension RecordingInspection.LoudnessLevel: PathDisplayable {
  package mutating func name(by names: FileDisplayNames) { failure.name(by: names) }
}

extension CallInspection: PathDisplayable {
  package mutating func name(by names: FileDisplayNames) {
    path.name(by: names)
    files.name(by: names)
    errors.name(by: names)
    warnings.name(by: names)
    notes.name(by: names)
    for person in people.indices { people[person].tracks.name(by: names) }
  }
}

extension CallInspection.Track: PathDisplayable {
  package mutating func name(by names: FileDisplayNames) {
    file = names.name(of: file)
    placedBy.name(by: names)
    levels.name(by: names)
  }
}

// MARK: Updates

extension RequestResult: PathDisplayable {
  package mutating func name(by names: FileDisplayNames) {
    report.name(by: names)
    stills = stills.map(names.name)
    failures.name(by: names)
    verdicts.name(by: names)
  }
}

extension VerificationReport: PathDisplayable {
  package mutating func name(by names: FileDisplayNames) {
    output = names.name(of: output)
    for check in checks.indices {
      for finding in checks[check].findings.indices {
        checks[check].findings[finding].text.name(by: names)
      }
    }
  }
}

extension RequestUpdate: PathDisplayable {
  package mutating func name(by names: FileDisplayNames) {
    switch self {
    // Messages have names since they were reported.
    case .planning, .rendering, .note, .warning, .error: break
    case .created(let path): self = .created(names.name(of: path))
    case .report(let report): self = .report(report.named(by: names))
    case .finished(let result): self = .finished(result.named(by: names))
    }
  }
}
