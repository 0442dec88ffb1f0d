/// What a plan becomes.
package enum RenderTarget: Hashable, Sendable {
  /// A file.
  case file(String)
  /// One of the sizes in a folder for HTTP Live Streaming, with its name; those of one folder
  /// follow each other.
  case rung(String, of: String)

  /// The file, or the folder.
  package var path: String {
    switch self {
    case .file(let path), .rung(_, of: let path): path
    }
  }

  /// The name of a rung; nil for a file.
  package var rung: String? {
    switch self {
    case .file: nil
    case .rung(let name, of: _): name
    }
  }
}

extension [RenderTarget] {
  /// The places of those that are made into one output, for each output.
  package var outputs: [[Int]] {
    var outputs: [[Int]] = []
    for (number, target) in enumerated() {
      if target.rung != nil, number > 0, self[number - 1].rung != nil,
        self[number - 1].path == target.path
      {
        outputs[outputs.count - 1].append(number)
      } else {
        outputs.append([number])
      }
    }
    return outputs
  }
}
