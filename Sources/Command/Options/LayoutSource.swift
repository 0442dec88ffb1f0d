import ArgumentParser
import TesseraJobs
import TesseraLayout
import TesseraPlan
import TesseraPlanning
import TesseraRendering

/// What `--layout` names: a layout with its options, or a layout file.
enum LayoutSource {
  /// The policy that `text` asks for.
  ///
  /// It is the path of a file if it ends in `.json` or `.css` or contains a slash, else a name.
  static func policy(_ text: String) throws(RenderError) -> any LayoutPolicy {
    do throws(LayoutError) {
      guard !files(text).isEmpty else { return try LayoutCatalog.policy(text) }
    } catch {
      throw RenderError(.usage, "\(error)")
    }
    let contents = try contents(of: text)
    do throws(LayoutError) {
      return try LayoutFile.policy(contents)
    } catch {
      throw RenderError(.usage, "\(text): \(error)")
    }
  }

  /// The file that `text` asks for, if it asks for one.
  static func files(_ text: String) -> [String] {
    text.contains("/") || text.hasSuffix(".json") || text.hasSuffix(".css") ? [text] : []
  }

  /// Refuses what `--max-tiles` cannot be.
  static func validate(maxTiles: Int?) throws {
    guard let maxTiles, !(1...1000).contains(maxTiles) else { return }
    throw ValidationError("--max-tiles takes 1 to 1000.")
  }

  /// The most tiles that are shown, with a note where `policy` decides that itself.
  static func maximumTiles(_ given: Int?, of policy: (any LayoutPolicy)?) -> Int {
    if given != nil, policy?.overflow == .everyone {
      Terminal.say("note: --max-tiles has no effect: this layout chooses itself whom it shows.")
    }
    return given ?? 25
  }

  private static func contents(of path: String) throws(RenderError) -> String {
    guard let text = String(validating: try InputFile.read(path, "layout"), as: UTF8.self) else {
      throw RenderError(.usage, "the layout file \(path) is not text in UTF-8.")
    }
    return text
  }
}
