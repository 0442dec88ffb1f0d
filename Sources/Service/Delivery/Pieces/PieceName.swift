package import TesseraRendering
package import TesseraSystem

/// A unit of a render's work, made for all outputs together.
package enum RenderPiece: Hashable, Comparable {
  /// The segments of the section with this number.
  case segment(Int)
  /// The sound piece with this number.
  case sound(Int)
  /// The complete soundtrack.
  case soundtrack

  /// The piece under whose name crash losses are recorded. A loss in a sound piece applies to the
  /// whole soundtrack.
  package var loser: RenderPiece {
    if case .sound = self { .soundtrack } else { self }
  }

  /// The name in files of losses and in object names.
  package var name: String {
    switch self {
    case .segment(let number): "\(number)"
    case .sound(let number): "sound\(number)"
    case .soundtrack: "soundtrack"
    }
  }

  /// The name in messages.
  package var description: String {
    switch self {
    case .segment(let number): "segment \(number)"
    case .sound(let number): "piece \(number) of the sound"
    case .soundtrack: "the soundtrack"
    }
  }

  /// Parses ``name``; `nil` for any other text.
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
  /// The pieces that the job makes.
  package var pieces: [RenderPiece] {
    switch self {
    case .segments(let numbers): numbers.map { .segment($0) }
    case .sound(let numbers): numbers.map { .sound($0) }
    case .soundtrack: [.soundtrack]
    case .together(let jobs): jobs.flatMap(\.pieces)
    }
  }
}

/// The name of a finished piece's file in a bucket: the piece, the recipe's digest and the crash
/// losses. Equal names mean equal content, on whatever machine a piece is made.
///
///     pieces/3-DIGEST.tseg            segment 3; of several outputs, each has one
///     pieces/3-DIGEST-LOSS.tseg       the same without what the object losses/3/LOSS.json says
///     pieces/sound3-DIGEST.tsnd       a piece of sound, whose digest says what it was made without
package struct PieceName: Hashable {
  package let piece: RenderPiece
  /// The digest of the recipe that the file was made from.
  package let digest: String
  /// The names of the crash losses of the file, sorted.
  package let losses: [String]

  /// The folder of all pieces.
  package static let folder = "pieces/"
  private static let endings = (segment: ".tseg", sound: ".tsnd")

  package init(_ piece: RenderPiece, digest: String, losses: [String]) {
    (self.piece, self.digest, self.losses) = (piece, digest, losses.sorted())
  }

  /// Parses the name of an object in ``folder``; `nil` if it is no piece.
  package init?(_ text: String) {
    let ending = [Self.endings.segment, Self.endings.sound].first(where: text.hasSuffix)
    guard let ending else { return nil }
    let parts = text.dropLast(ending.utf8.count).split(
      separator: "-", omittingEmptySubsequences: false)
    guard parts.count >= 2, let piece = RenderPiece(name: parts[0]),
      parts.dropFirst().allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isHexDigit) })
    else { return nil }
    self.init(piece, digest: String(parts[1]), losses: parts.dropFirst(2).map(String.init))
    guard self.text == text else { return nil }
  }

  /// The name of the object in ``folder``.
  package var text: String {
    let ending = piece.loser == .soundtrack ? Self.endings.sound : Self.endings.segment
    return ([piece.name, digest] + losses).joined(separator: "-") + ending
  }

  /// Returns the name of a loss: 16 hexadecimal digits of the SHA-256 digest of its JSON.
  package static func name(of loss: CrashedTrackLoss) -> String {
    String(SHA256.digest(Array(CanonicalJSON.bytes(loss))).hexadecimal.prefix(16))
  }
}

/// The content of a work folder in a bucket: recorded crash losses and finished pieces.
package struct BucketPieceListing {
  /// The crash losses of each piece, by loss name.
  package var losses: [RenderPiece: [String: CrashedTrackLoss]] = [:]
  /// The names of the finished pieces' files.
  package var names: [PieceName] = []

  /// Returns the crash losses of `piece` if all of its files exist; `nil` if it is not finished.
  ///
  /// Of several finished versions, the version with the fewest losses is chosen. The choice depends
  /// on the listing only, so all machines agree. `names` returns the file names for given losses.
  package func finished(_ piece: RenderPiece, names: ([CrashedTrackLoss]) -> [PieceName])
    -> [CrashedTrackLoss]?
  {
    let known = losses[piece] ?? [:]
    let own = Set(self.names.filter { $0.piece == piece })
    let sets = Set(own.map(\.losses)).sorted {
      ($0.count, $0.joined(separator: "-")) < ($1.count, $1.joined(separator: "-"))
    }
    for set in sets {
      let lost = set.compactMap { known[$0] }
      guard lost.count == set.count else { continue }
      let ordered = CrashedTrackLoss.ordered(lost)
      if names(ordered).allSatisfy(own.contains) { return ordered }
    }
    return nil
  }
}
