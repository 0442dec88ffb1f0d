/// The destination of a rendition: a file, or a rung of an HLS folder.
package enum RenderTarget: Hashable, Sendable {
  /// A file at a path.
  case file(String)
  /// One resolution of an HTTP Live Streaming folder: its name, and the folder's path. All rungs of
  /// a folder must be adjacent in a list of targets.
  case rung(String, of: String)

  /// The path of the file or the folder.
  package var path: String {
    switch self {
    case .file(let path), .rung(_, of: let path): path
    }
  }

  /// The name of the rung; nil for a file.
  package var rung: String? {
    switch self {
    case .file: nil
    case .rung(let name, of: _): name
    }
  }
}

extension [RenderTarget] {
  /// Groups the indexes of targets by output: one for each file, all rungs for a folder.
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
