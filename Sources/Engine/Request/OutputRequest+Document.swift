import TesseraCodecs
package import TesseraDocuments
package import TesseraMessages
package import TesseraRecordings
package import TesseraSystem
import TesseraTimeline

extension OutputRequest {
  /// Creates an output from `wish`, whose options are given by name.
  ///
  /// - Throws: ``RenderError`` if an option is unknown, does not apply to a single output, or has
  ///   an invalid value.
  package init(_ wish: SessionOutput) throws(RenderError) {
    let (kind, rest) = try Self.kind(of: wish)
    self.init(wish.file, kind)
    options = try RenditionOptions(rest, of: wish.file)
    if let problem = options.problem, options.encoder != nil {
      throw RenderError(.usage, "\(file: wish.file): \(problem)")
    }
  }

  /// Returns the kind of output that `wish` describes, and its remaining options.
  private static func kind(
    of wish: SessionOutput
  ) throws(RenderError) -> (Kind, [SessionOutput.Option]) {
    let isPicture = [".jpg", ".jpeg", ".png"].contains { wish.file.lowercased().hasSuffix($0) }
    if isPicture || wish.options.contains(where: { $0.name == "every" }) {
      return (try stills(wish, isPicture: isPicture), [])
    }
    guard let option = wish.options.first(where: { $0.name == "hls" }) else {
      guard wish.file.hasSuffix("/") else { return (.file, wish.options) }
      throw RenderError(
        .usage,
        "\(file: wish.file): state the content of the folder, such as hls=1080p,720p or every=10."
      )
    }
    guard let sizes = HLSSizes(option: option.values.joined(separator: ",")) else {
      throw RenderError(.usage, "\(file: wish.file): hls takes \(HLSSizes.expected).")
    }
    if let problem = OutputRequest.stream(wish.file, sizes.sides).placeProblem {
      throw RenderError(.usage, problem)
    }
    return (.stream(sizes.sides), wish.options.filter { $0.name != "hls" })
  }

  private static func stills(
    _ wish: SessionOutput, isPicture: Bool
  ) throws(RenderError) -> Kind {
    let key = isPicture ? "at" : "every"
    if let other = wish.options.first(where: { $0.name != key }) {
      throw RenderError(
        .usage, "\(file: wish.file): the option \"\(other.name)\" is unknown: the option is \(key)."
      )
    }
    let time = wish.options.last.map { MediaTime($0.values.joined(separator: ",")) }
    if case .some(nil) = time {
      throw RenderError(
        .usage, "\(file: wish.file): \(key) is an invalid time: give seconds or [hh:]mm:ss[.mmm].")
    }
    guard !isPicture else { return .poster(at: time.flatMap { $0 }) }
    guard let every = time.flatMap({ $0 }), every >= shortestPause else {
      throw RenderError(
        .usage, "\(file: wish.file): every takes \(shortestPause.clockWithTenths) or more.")
    }
    return .thumbnails(every: every)
  }

  /// The reason that ``destination`` does not fit ``kind``; `nil` if it does.
  package var placeProblem: UserMessage? {
    switch kind {
    case .file:
      return OutputContainer(path: destination) == nil ? Self.unknownEnding(destination) : nil
    case .stream:
      guard OutputContainer(path: destination) != nil else { return nil }
      return
        "\(file: destination) is the name of a file, and hls makes a folder: name one, such as web/."
    case .thumbnails, .poster: return nil
    }
  }

  /// Returns the advice for a name without a known video or audio extension.
  package static func unknownEnding(_ destination: String) -> UserMessage {
    guard !FileOperations.isFolder(destination), !destination.hasSuffix("/") else {
      let file = destination + (destination.hasSuffix("/") ? "" : "/") + "call.mp4"
      return
        "\(file: destination) is a folder: name a file in it, such as -o \"\(file: file)\", or make it one for HTTP "
        + "Live Streaming with \(option: "hls") 1080p,720p."
    }
    if let comma = destination.firstIndex(of: ","), destination[comma...].contains("="),
      OutputContainer(path: String(destination[..<comma])) != nil
    {
      return
        "\(file: destination): the options of an output follow a colon: \(destination[..<comma]):"
        + "\(destination[comma...].dropFirst())."
    }
    let endings = OutputContainer.endings
    return "the name \(file: destination) has no known ending: give -o a name that ends in "
      + "\(endings.dropLast().joined(separator: ", ")) or \(endings[endings.count - 1])."
  }

  private static let shortestPause = MediaTime(nanoseconds: 100_000_000)

  /// The output as an object of a list of outputs.
  package var document: DocumentValue {
    var members = DocumentValue.Members()
    members.append("file", .text(destination))
    switch kind {
    case .file, .poster(nil): break
    case .stream(let sides): members.append("hls", .text(HLSSizes(sides: sides).optionText))
    case .thumbnails(let every): members.append("every", .text("\(every)"))
    case .poster(let time?): members.append("at", .text("\(time)"))
    }
    for (row, texts) in options.givenOptions {
      members.append(row.name, DocumentValue(texts, of: row))
    }
    return .object(members)
  }
}

extension RenditionOptions {
  /// Creates options from names and texts; `subject` names their owner in messages.
  ///
  /// - Throws: ``RenderError`` if an option is unknown, does not apply to a single output, or has
  ///   an invalid value.
  package init(_ options: [SessionOutput.Option], of subject: String) throws(RenderError) {
    self.init()
    for option in options {
      do throws(OptionError) {
        try set(option.name, Self.texts(of: option))
      } catch {
        throw RenderError(.usage, "\(file: subject): \(Self.sentence(error, option.name))")
      }
    }
  }

  /// Returns the values of `option`. If the option takes a single value, the parts that commas
  /// separated are joined again.
  private static func texts(of option: SessionOutput.Option) throws(OptionError) -> [String] {
    guard let row = RenditionOptions.row(option.name) else { return option.values }
    if Self.bare.contains(option.name), option.values.isEmpty { return ["on"] }
    guard !option.values.isEmpty else {
      throw OptionError(option.name, "has no value; write \(option.name)=… .")
    }
    return row.arity == .one ? [option.values.joined(separator: ",")] : option.values
  }

  /// Returns the error sentence for the option `name`, with advice if it belongs elsewhere or is
  /// misspelled.
  private static func sentence(_ error: OptionError, _ name: String) -> UserMessage {
    guard RenditionOptions.row(name) == nil else { return error.sentence }
    switch RenderRequest.option(name)?.subject {
    case .call:
      return "\(name) describes the call, which is the same for all outputs; give \(option: name) "
        + "beside them."
    case .render:
      return "\(name) is about the whole render; give \(option: name) beside the outputs."
    case .output, nil:
      let names = RenditionOptions.rows.map(\.name)
      let hint =
        name.nearest(among: names).map { "did you mean \"\($0)\"?" }
        ?? "the options are \(names.sorted().joined(separator: ", ")). A value with commas stands in "
        + "quotation marks: watermark=\"logo.png:corner=top-left,opacity=0.5\"."
      return "the option \"\(name)\" is unknown: \(hint)"
    }
  }
}

/// The sizes of the renditions in an HLS folder: `1080p,720p,360p`.
package struct HLSSizes: Hashable, Sendable, OptionValue {
  /// The shorter sides in pixels, even, `96...4320`. The first is the rendition that players start
  /// with.
  package let sides: [Int]

  private static let (smallest, largest, most) = (96, 4320, 16)

  /// The description of valid values for error messages.
  package static let expected =
    "even heights from \(smallest)p to \(largest)p, such as 1080p,720p"

  package init(sides: [Int]) { self.sides = sides }

  package init?(option text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let sides = parts.compactMap { part in
      part.hasSuffix("p") ? Int(part.dropLast()) : nil
    }
    guard sides.count == parts.count, sides.count <= Self.most, Set(sides).count == sides.count,
      sides.allSatisfy({ (Self.smallest...Self.largest).contains($0) && $0 % 2 == 0 })
    else { return nil }
    self.sides = sides
  }

  package var optionText: String { sides.map { "\($0)p" }.joined(separator: ",") }
}
