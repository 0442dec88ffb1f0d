import Foundation
import TesseraJobs
import TesseraSystem
import TesseraTimeline

/// Recognizes outputs of earlier runs of a request or batch. An input folder may contain them, and
/// they must not be read as recordings.
package struct OwnOutputDetector: Sendable {
  private struct Pattern: Sendable {
    /// The literal parts of each path component. A name in braces between two parts matches any
    /// text.
    let components: [[Substring]]
    let place: OutputLocation

    /// The components of the output's folder.
    var folder: ArraySlice<[Substring]> { components.dropLast() }

    init(_ place: OutputLocation) {
      self.place = place
      // Symbolic links can only be resolved in the components before the first name in braces.
      let path = URL(fileURLWithPath: place.name).path.split(separator: "/")
      let known = path.dropLast().prefix { !$0.contains("{") }
      let real = FileOperations.realName("/" + known.joined(separator: "/"))
      components = (real.split(separator: "/") + path[known.endIndex...]).map { component in
        component.split(separator: "{", omittingEmptySubsequences: false).enumerated().map {
          number, part in
          number == 0 ? part : part.drop { $0 != "}" }.dropFirst()
        }
      }
    }

    /// True if `path` matches the output, or is a file in the output's folder, and the output
    /// carries Tessera's mark.
    func isMade(_ path: String) -> Bool {
      let names = path.split(separator: "/")
      guard names.count >= components.count, place.isFolder || names.count == components.count,
        zip(names, components).allSatisfy({ $0.matches($1) })
      else { return false }
      let entry = place.entry.map {
        "/" + (names.prefix(components.count) + [$0[...]]).joined(separator: "/")
      }
      return OutputMark(path: entry ?? path).isNamed(at: entry ?? path)
    }
  }

  private let patterns: [Pattern]
  /// The addresses of the folders of outputs in buckets, with a trailing slash.
  private let remoteFolders: Set<String>

  /// Creates patterns of the outputs at `places`. A name in braces in a path matches any text.
  package init(_ places: [OutputLocation]) {
    patterns = places.filter { !$0.name.contains("://") && $0.name != "-" }.map(Pattern.init)
    remoteFolders = Set(places.map(\.name).filter { $0.contains("://") }.map(\.folderPath))
  }

  /// True if the file at `path`, an absolute path without symbolic links, is an output with
  /// Tessera's mark.
  package func contains(_ path: String) -> Bool { patterns.contains { $0.isMade(path) } }

  /// True if the call at `path` consists of outputs only.
  ///
  /// An output's folder below `folder` with a known name consists of outputs, whatever its content.
  /// Elsewhere, each visible file must be an output with Tessera's mark. An empty folder is no
  /// output.
  ///
  /// - Parameters:
  ///   - path: the file or folder of the call, absolute and without symbolic links.
  ///   - folder: the input folder in which the call was found, absolute and without symbolic links.
  /// - Returns: `true` if nothing in the call is a recording.
  package func makeUp(_ path: String, in folder: String) -> Bool {
    let names = path.split(separator: "/")
    let depth = folder.split(separator: "/").count
    let isFolder = patterns.contains { pattern in
      pattern.folder.count > depth && pattern.folder.elementsEqual(names, by: { $0 == [$1] })
    }
    if isFolder { return true }
    guard FileOperations.isFolder(path) else { return contains(path) }
    let content = FileOperations.names(in: path).filter {
      !$0.hasPrefix(".") && !$0.hasSuffix(".tessera")
    }
    return !content.isEmpty && content.allSatisfy { makeUp("\(path)/\($0)", in: folder) }
  }

  /// True if the call at the address `place`, with a trailing slash, is a folder of outputs. Only
  /// the address decides: nothing is fetched.
  package func makeUp(remote place: String) -> Bool { remoteFolders.contains(place) }
}
