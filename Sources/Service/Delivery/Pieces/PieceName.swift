package import TesseraRendering
package import TesseraSystem

/// A part of a render's work that is made at once, for all outputs.
package enum Piece: Hashable, Comparable {
  /// The segments of that section.
  case segment(Int)
  /// The piece of sound with that number.
  case sound(Int)
  /// The whole sound.
  case soundtrack

  /// The piece under whose name losses are recorded: those of sound concern all of it.
  package var loser: Piece {
    if case .sound = self { .soundtrack } else { self }
  }

  /// The name under which files and losses are kept.
  package var name: String {
    switch self {
    case .segment(let number): "\(number)"
    case .sound(let number): "sound\(number)"
    case .soundtrack: "soundtrack"
    }
  }

  /// What people call it.
  package var description: String {
    switch self {
    case .segment(let number): "segment \(number)"
    case .sound(let number): "piece \(number) of the sound"
    case .soundtrack: "the soundtrack"
    }
  }

  /// The piece that is called `name`.
  package init?(name: some StringProtocol) {
    if name == "soundtrack" {
      self = .soundtrack
    } else if name.hasPrefix("sound"), let number = Int(name.dropFirst(5)), number >= 0,
      "sound\(number)" == name
    {
      self = .sound(number)
    } else if let number = Int(name), number >= 0, "\(number)" == name {
      self = .segment(number)
    } else {
      return nil
    }
  }
}

extension RenderJob {
  /// The files that it makes.
  package var pieces: [Piece] {
    switch self {
    case .segments(let numbers): numbers.map { .segment($0) }
    case .sound(let numbers): numbers.map { .sound($0) }
    case .soundtrack: [.soundtrack]
    case .together(let jobs): jobs.flatMap(\.pieces)
    }
  }
}

/// What a file of a finished piece is called in a bucket: which piece it is of, what it was made from, and what it
/// was made without. The same piece has the same name wherever it is made, and so the same content.
///
///     pieces/3-DIGEST.tseg            segment 3; of several outputs, each has one
///     pieces/3-DIGEST-LOSS.tseg       the same without what the object losses/3/LOSS.json says
///     pieces/sound3-DIGEST.tsnd       a piece of sound, whose digest says what it was made without
package struct PieceName: Hashable {
  package let piece: Piece
  /// The digest of what it was made from.
  package let digest: String
  /// The names of the losses that it was made without, in order.
  package let losses: [String]

  /// The folder of all pieces.
  package static let folder = "pieces/"
  private static let endings = (segment: ".tseg", sound: ".tsnd")

  package init(_ piece: Piece, digest: String, losses: [String]) {
    (self.piece, self.digest, self.losses) = (piece, digest, losses.sorted())
  }

  /// Reads the name of an object in ``folder``; nil for one of something else.
  package init?(_ text: String) {
    let ending = [Self.endings.segment, Self.endings.sound].first(where: text.hasSuffix)
    guard let ending else { return nil }
    let parts = text.dropLast(ending.utf8.count).split(
      separator: "-", omittingEmptySubsequences: false)
    guard parts.count >= 2, let piece = Piece(name: parts[0]),
      parts.dropFirst().allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isHexDigit) })
    else { return nil }
    self.init(piece, digest: String(parts[1]), losses: parts.dropFirst(2).map(String.init))
    guard self.text == text else { return nil }
  }

  /// The name of its object in ``folder``.
  package var text: String {
    let ending = piece.loser == .soundtrack ? Self.endings.sound : Self.endings.segment
    return ([piece.name, digest] + losses).joined(separator: "-") + ending
  }

  /// What a loss is called: the hash of what it says.
  package static func name(of loss: CrashLoss) -> String {
    String(SHA256.digest(Array(PlainJSON.bytes(loss))).hexadecimal.prefix(16))
  }
}

/// What is in a work folder in a bucket: the losses that were recorded, and the finished pieces.
package struct PieceListing {
  /// The losses of each piece, by their names.
  package var losses: [Piece: [String: CrashLoss]] = [:]
  /// The finished pieces.
  package var names: [PieceName] = []

  /// What `piece` was made without, if it is finished: all of its files, of which there are the
  /// `names` for some losses. Of several, that which lost least; the same for everyone who sees the
  /// same objects.
  package func finished(_ piece: Piece, names: ([CrashLoss]) -> [PieceName]) -> [CrashLoss]? {
    let known = losses[piece] ?? [:]
    let own = Set(self.names.filter { $0.piece == piece })
    let sets = Set(own.map(\.losses)).sorted {
      ($0.count, $0.joined(separator: "-")) < ($1.count, $1.joined(separator: "-"))
    }
    for set in sets {
      let lost = set.compactMap { known[$0] }
      guard lost.count == set.count else { continue }
      let ordered = CrashLoss.ordered(lost)
      if names(ordered).allSatisfy(own.contains) { return ordered }
    }
    return nil
  }
}
