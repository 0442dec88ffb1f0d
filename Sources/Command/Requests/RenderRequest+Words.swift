import ArgumentParser
import TesseraJobs
import TesseraPlanning

/// A command that does what a request asks for.
protocol RequestingCommand: ParsableCommand {
  /// What is asked for.
  func request() throws -> RenderRequest

  var progress: ProgressOptions { get }
  /// Words of its own beside those of the request.
  var ownWords: [String] { get }
}

extension RequestingCommand {
  var ownWords: [String] { [] }

  /// The words of a command that does the same, with all that files say.
  func words() throws -> [String] {
    try request().words() + ["--progress=\(progress.style.rawValue)"] + ownWords
  }
}

extension RenderRequest {
  /// The words of the command that renders it.
  ///
  /// - Throws: where it holds what has no text.
  func words() throws(RenderError) -> [String] {
    _ = try document()
    var words = ["render"] + inputs.map { $0.hasPrefix("-") ? "./\($0)" : $0 }
    if let main = outputs.first {
      words.append("--output=\(main.place)")
      if case .stream(let sides) = main.kind {
        words.append("--hls=\(StreamSizes(sides: sides).optionText)")
      }
      for (row, texts) in main.options.over(look).said { words += Self.words(row.name, texts) }
    }
    for output in outputs.dropFirst() { words.append("--also=\(AlsoOutput(output).text)") }
    let own = Set(RenditionOptions.rows.map(\.name))
    for (row, texts) in said where !own.contains(row.name) { words += Self.words(row.name, texts) }
    return words
  }

  private static func words(_ name: String, _ texts: [String]) -> [String] {
    switch option(name)?.row.arity {
    case .flag: texts == ["off"] ? [] : ["--\(name)"]
    case .deniableFlag: texts == ["off"] ? ["--no-\(name)"] : ["--\(name)"]
    default: texts.map { "--\(name)=\($0)" }
    }
  }
}
