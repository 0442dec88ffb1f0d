import Foundation
import TesseraLayout
package import TesseraRecordings
public import TesseraSoundtrack
public import TesseraTimeline

/// Reads and writes a title card and its duration, such as `Weekly sync:seconds=4` (default: 3 s).
extension OverlayRequest.TitleCard: OptionValue {
  package init?(option text: String) {
    guard let range = text.range(of: ":seconds=", options: .backwards) else {
      self.init(text: text, length: MediaTime(seconds: 3))
      return
    }
    guard let length = MediaTime(String(text[range.upperBound...])), length > .zero else {
      return nil
    }
    self.init(text: String(text[..<range.lowerBound]), length: length)
  }

  package var optionText: String { "\(text):seconds=\(length)" }
}

/// A part of a call: `1:00-1:30`, `-5` (from the start) or `58:00-` (to the end).
public struct CallRange: Hashable, Sendable {
  /// The start time; `nil` for the start of the call.
  public var from: MediaTime?
  /// The end time, after ``from``; `nil` for the end of the call.
  public var to: MediaTime?

  /// Creates the part from `from` to `to`.
  public init(from: MediaTime?, to: MediaTime?) { (self.from, self.to) = (from, to) }

  /// The description of valid values for error messages.
  static let expected =
    "a part of the call whose end is after its beginning, such as 1:00-1:30.5, or 58:00- to the end"

  package var part: EditList.EditedRange { EditList.EditedRange(from: from, to: to) }
}

extension CallRange: OptionValue {
  package static var mayBeginWithDash: Bool { true }

  package init?(option text: String) {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false)
    let times = ends.map { MediaTime(String($0)) }
    guard ends.count == 2, zip(ends, times).allSatisfy({ $0.isEmpty || $1 != nil }),
      times.contains(where: { $0 != nil })
    else { return nil }
    self.init(from: times[0], to: times[1])
    if let to, to <= from ?? .zero { return nil }
  }

  package var optionText: String { part.description }
}

/// The setting for tightening pauses: `on`, `off`, or `pause=1,keep=0.35,turn=0.6,long=4` in
/// seconds.
public enum TightenOption: Hashable, Sendable {
  /// Pauses stay unchanged.
  case off
  /// Pauses are shortened with these settings.
  case on(TightenSettings)

  /// The settings; `nil` if pauses stay unchanged.
  package var settings: TightenSettings? {
    if case .on(let settings) = self { settings } else { nil }
  }

  /// The description of valid values for error messages.
  static let expected =
    "on, off, or seconds such as pause=1,keep=0.35,turn=0.6,long=4, of which long is the longest"
}

extension TightenOption: OptionValue {
  package init?(option text: String) {
    switch text {
    case "off": self = .off
    case "on": self = .on(TightenSettings())
    default:
      var settings = TightenSettings()
      for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        let words = part.split(separator: "=", maxSplits: 1)
        if words == ["screens", "ignore"] {
          settings.ignoresScreens = true
          continue
        }
        guard words.count == 2, let time = MediaTime(String(words[1])), time >= .zero else {
          return nil
        }
        switch words[0] {
        case "pause": settings.pause = time
        case "keep": settings.keep = time
        case "turn": settings.turn = time
        case "long": settings.long = time
        default: return nil
        }
      }
      guard settings.pause <= settings.long else { return nil }
      self = .on(settings)
    }
  }

  package var optionText: String {
    switch self {
    case .off: "off"
    case .on(let settings):
      "pause=\(settings.pause),keep=\(settings.keep),turn=\(settings.turn),long=\(settings.long)"
        + (settings.ignoresScreens ? ",screens=ignore" : "")
    }
  }
}

/// Filler words to cut from the call.
public struct FillerWords: Hashable, Sendable {
  /// The words; empty for none.
  public var words: [String]

  /// Creates an option that cuts `words`.
  public init(_ words: [String] = Self.usual) { self.words = words }

  /// The default filler words, in English.
  public static let usual = ["um", "uh", "er", "ah"]
}

extension FillerWords: OptionValue {
  package init?(option text: String) {
    switch text {
    case "on": self.init()
    case "off": self.init([])
    default:
      let words = text.split(separator: ",", omittingEmptySubsequences: false)
      guard words.allSatisfy({ $0.contains(where: \.isLetter) && !$0.contains(" ") }) else {
        return nil
      }
      self.init(words.map(String.init))
    }
  }

  package var optionText: String {
    words.isEmpty ? "off" : words == Self.usual ? "on" : words.joined(separator: ",")
  }
}

/// The kind of clock drawn into the picture.
public enum ClockOption: Hashable, Sendable {
  /// No clock.
  case off
  /// The time since the start of the call.
  case call
  /// The time of day; `zone` is the offset from UTC in minutes.
  case wall(zone: Int)
}

extension ClockOption: OptionValue {
  /// Reads `on`, `off`, `call`, `wall` or `wall:zone=+02:00`.
  package init?(option text: String) {
    switch text {
    case "off": self = .off
    case "on", "call": self = .call
    case "wall": self = .wall(zone: 0)
    default:
      guard text.hasPrefix("wall:zone="), let zone = Self.zone(text.dropFirst(10)) else {
        return nil
      }
      self = .wall(zone: zone)
    }
  }

  package var optionText: String {
    switch self {
    case .off: return "off"
    case .call: return "call"
    case .wall(let zone):
      let (hours, minutes) = (abs(zone) / 60, abs(zone) % 60)
      let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
      return zone == 0
        ? "wall" : "wall:zone=\(zone < 0 ? "-" : "+")\(two(hours)):\(two(minutes))"
    }
  }

  /// The clock for the overlay request; `nil` for none.
  package var clock: OverlayRequest.ClockKind? {
    switch self {
    case .off: nil
    case .call: .call
    case .wall(let zone): .wall(zone: zone)
    }
  }

  /// Returns the UTC offset in minutes of `Z`, `+02:00`, `-3` or `+0530`, or `nil` for invalid
  /// text.
  private static func zone(_ text: Substring) -> Int? {
    if text == "Z" || text == "UTC" { return 0 }
    guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
    let digits = text.dropFirst().filter { $0 != ":" }
    guard (1...4).contains(digits.utf8.count), digits.utf8.count != 3, let number = Int(digits),
      digits.utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    let (hours, minutes) = digits.utf8.count == 4 ? (number / 100, number % 100) : (number, 0)
    guard hours <= 14, minutes < 60 else { return nil }
    return (sign == "-" ? -1 : 1) * (60 * hours + minutes)
  }
}

/// The channel layout of the output's audio.
public enum AudioChannels: String, Hashable, Sendable, CaseIterable {
  case mono
  case stereo

  /// The number of channels: 1 or 2.
  public var count: Int { self == .mono ? 1 : 2 }
}

extension AudioChannels: OptionValue {}

/// A bit rate in bits per second: `128k` or `128000`.
package struct BitRate: Hashable, Sendable, OptionValue {
  /// The bit rate in bits per second, above 0 and below 10,000,000.
  package let bitsPerSecond: Int

  package static let mayBeginWithDash = true

  package init(_ bitsPerSecond: Int) { self.bitsPerSecond = bitsPerSecond }

  package init?(option text: String) {
    let isKilo = text.lowercased().hasSuffix("k")
    guard let number = Int(isKilo ? text.dropLast() : text[...]), number > 0, number < 10_000_000
    else { return nil }
    bitsPerSecond = isKilo ? number * 1000 : number
  }

  package var optionText: String { "\(bitsPerSecond)" }
}

/// A size in bytes: `8G`, `500M` or `1000000`. The suffixes K, M, G and T are powers of 1024.
package struct ByteCount: Hashable, Sendable, OptionValue {
  /// The number of bytes, above 0.
  package let value: Int

  package init?(option text: String) {
    let shifts: [Character: Int] = ["k": 10, "m": 20, "g": 30, "t": 40]
    let shift = text.lowercased().last.flatMap { shifts[$0] }
    guard let number = Int(shift == nil ? text[...] : text.dropLast()), number > 0,
      number < 1 << 20 || shift == nil
    else { return nil }
    value = number << (shift ?? 0)
  }

  package var optionText: String { "\(value)" }
}

/// A private option of an encoder: `key=value`.
public struct EncoderOption: Hashable, Sendable {
  /// The option's name.
  public var key: String
  /// The option's value.
  public var value: String

  /// Creates an option that sets `key` to `value`.
  public init(key: String, value: String) { (self.key, self.value) = (key, value) }
}

extension EncoderOption: OptionValue {
  package init?(option text: String) {
    let parts = text.split(separator: "=", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    self.init(key: String(parts[0]), value: String(parts[1]))
  }

  package var optionText: String { "\(key)=\(value)" }
}

// MARK: Values of people

/// A text of the form `PERSON=VALUE`, such as `ada=1.5`, split at the last equals sign.
private struct PersonValueText {
  let person: String
  let value: String

  init?(_ text: String) {
    guard let sign = text.lastIndex(of: "="), sign > text.startIndex else { return nil }
    person = String(text[..<sign])
    value = String(text[text.index(after: sign)...])
  }
}

extension PersonOffset: OptionValue {
  package static var mayBeginWithDash: Bool { true }

  package init?(option text: String) {
    guard let parts = PersonValueText(text), let time = MediaTime(signed: parts.value) else {
      return nil
    }
    self.init(person: parts.person, time: time)
  }

  package var optionText: String { "\(person)=\(time)" }
}

extension PersonGain: OptionValue {
  package static var mayBeginWithDash: Bool { true }

  package init?(option text: String) {
    guard let parts = PersonValueText(text), let decibels = Double(parts.value),
      Track.gains.contains(decibels)
    else { return nil }
    self.init(person: parts.person, decibels: decibels)
  }

  package var optionText: String { "\(person)=\(decibels)" }
}

/// The area that cropping keeps visible.
enum FocusOption: Hashable, Sendable, OptionValue {
  /// The detected face of each participant.
  case faces
  /// A fixed point of one participant's picture.
  case point(PersonFocus)

  init?(option text: String) {
    if text == "auto" {
      self = .faces
    } else if let focus = PersonFocus(option: text) {
      self = .point(focus)
    } else {
      return nil
    }
  }

  var optionText: String {
    switch self {
    case .faces: "auto"
    case .point(let focus): focus.optionText
    }
  }
}

extension PersonFocus: OptionValue {
  package init?(option text: String) {
    guard let parts = PersonValueText(text) else { return nil }
    let sides = parts.value.split(separator: ",").compactMap { Double($0) }
    guard sides.count == 2, sides.allSatisfy({ (0...1).contains($0) }) else { return nil }
    self.init(person: parts.person, point: Point(x: sides[0], y: sides[1]))
  }

  package var optionText: String { "\(person)=\(point.x),\(point.y)" }
}
