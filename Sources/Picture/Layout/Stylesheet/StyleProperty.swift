/// A supported property of a stylesheet: parses a value into a change of a ``ElementStyle``.
struct StyleProperty: Sendable {
  /// The effect of a declaration on a style.
  typealias Change = @Sendable (inout ElementStyle) -> Void

  /// Parses the words of a value; returns `nil` if the value is not supported.
  let read: @Sendable ([Substring]) -> Change?

  /// All supported properties by name.
  static let all: [String: StyleProperty] = [
    "display": keyword(\.isDisplayed, ["block": true, "inline-block": true, "none": false]),
    "float": keyword(\.isFloating, ["left": true, "none": false]),
    "clear": keyword(\.clearsFloats, ["left": true, "both": true, "none": false]),
    "position": keyword(
      \.position, ["static": .static, "relative": .relative, "absolute": .absolute]),
    "object-fit": keyword(\.fit, ["contain": .contain, "cover": .cover]),
    "overflow": overflow, "z-index": zIndex, "border": border,
    "top": length(\.offset.top), "right": length(\.offset.right),
    "bottom": length(\.offset.bottom), "left": length(\.offset.left),
    "width": extent(\.width), "height": extent(\.height),
    "margin": edges(\.margin),
    "margin-top": length(\.margin.top), "margin-right": length(\.margin.right),
    "margin-bottom": length(\.margin.bottom), "margin-left": length(\.margin.left),
    "padding": edges(\.padding),
    "padding-top": extent(\.padding.top), "padding-right": extent(\.padding.right),
    "padding-bottom": extent(\.padding.bottom), "padding-left": extent(\.padding.left),
    "border-radius": extent(\.radius),
  ]

  /// The property `overflow`, parsed and ignored: pictures never leave their tiles.
  private static let overflow = StyleProperty { words in
    guard words == ["hidden"] || words == ["visible"] else { return nil }
    return { _ in }
  }

  private static let zIndex = StyleProperty { words in
    guard words.count == 1, let z = Int(words[0]), (-100_000...100_000).contains(z) else {
      return nil
    }
    return { $0.zIndex = z }
  }

  /// The property `border`: `none`, or a width in pixels, `solid` and a color.
  private static let border = StyleProperty { words in
    if words == ["none"] || words == ["0"] { return { $0.border = nil } }
    guard words.count == 3, words[1] == "solid",
      case .pixels(let width) = ElementStyle.Length(words[0]), width > 0,
      let color = UInt32(cssColor: words[2])
    else { return nil }
    return { $0.border = LayoutAttributes.Border(width: width, color: color) }
  }

  private static func keyword<Value: Sendable>(
    _ path: any WritableKeyPath<ElementStyle, Value> & Sendable, _ values: [String: Value]
  ) -> StyleProperty {
    StyleProperty { words in
      guard words.count == 1, let value = values[String(words[0])] else { return nil }
      return { $0[keyPath: path] = value }
    }
  }

  /// Creates a property for a length that may be negative.
  private static func length(
    _ path: any WritableKeyPath<ElementStyle, ElementStyle.Length> & Sendable
  ) -> StyleProperty {
    StyleProperty { words in
      guard words.count == 1, let length = ElementStyle.Length(words[0]) else { return nil }
      return { $0[keyPath: path] = length }
    }
  }

  /// Creates a property for a length that must not be negative.
  private static func extent(
    _ path: any WritableKeyPath<ElementStyle, ElementStyle.Length> & Sendable
  ) -> StyleProperty {
    StyleProperty { words in
      guard words.count == 1, !words[0].hasPrefix("-") else { return nil }
      return length(path).read(words)
    }
  }

  /// Creates a property for one to four lengths, clockwise from the top.
  private static func edges(
    _ path: any WritableKeyPath<ElementStyle, ElementStyle.Edges> & Sendable
  ) -> StyleProperty {
    StyleProperty { words in
      let lengths = words.compactMap { ElementStyle.Length($0) }
      guard lengths.count == words.count, (1...4).contains(lengths.count) else { return nil }
      var edges = ElementStyle.Edges(lengths[0])
      edges.right = lengths.count > 1 ? lengths[1] : edges.top
      edges.bottom = lengths.count > 2 ? lengths[2] : edges.top
      edges.left = lengths.count > 3 ? lengths[3] : edges.right
      return { [edges] in $0[keyPath: path] = edges }
    }
  }
}

extension ElementStyle.Length {
  /// Parses `auto`, `12px`, `12.5%` or `0`.
  fileprivate init?(_ text: Substring) {
    if text == "auto" {
      self = .auto
      return
    }
    let unit = text.hasSuffix("px") ? 2 : text.hasSuffix("%") ? 1 : 0
    guard let value = Double(text.dropLast(unit)), abs(value) <= 100_000, unit > 0 || value == 0
    else { return nil }
    self = unit == 1 ? .percent(value) : .pixels(value)
  }
}

extension UInt32 {
  /// Parses the color `#rgb` or `#rrggbb` as 0xRRGGBB.
  fileprivate init?(cssColor text: Substring) {
    let digits = text.dropFirst()
    guard text.first == "#", let value = UInt32(digits, radix: 16) else { return nil }
    switch digits.count {
    case 3:
      let (r, g, b) = (value >> 8, value >> 4 & 15, value & 15)
      self = r * 0x110000 + g * 0x1100 + b * 0x11
    case 6: self = value
    default: return nil
    }
  }
}
