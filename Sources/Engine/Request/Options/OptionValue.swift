import TesseraCodecs
import TesseraLayout
import TesseraPixels
import TesseraRecordings
import TesseraSoundtrack
package import TesseraTimeline

/// A value that an option takes on the command line, in a list of outputs or jobs, or in a request.
package protocol OptionValue: Sendable {
  /// Reads a value from `text`. Returns `nil` if the text is invalid.
  init?(option text: String)

  /// The text that reads back as exactly this value.
  var optionText: String { get }

  /// True if the text of a value may start with a dash, as negative numbers do (default: false).
  static var mayBeginWithDash: Bool { get }
}

extension OptionValue {
  package static var mayBeginWithDash: Bool { false }
}

/// An option value that may contain the path of an input file.
package protocol FileOptionValue: OptionValue {
  /// The input file's path or address; `nil` if the value names no file.
  var file: String? { get set }
}

extension OptionValue where Self: LosslessStringConvertible {
  package init?(option text: String) { self.init(text) }
  package var optionText: String { description }
}

extension OptionValue where Self: RawRepresentable<String> {
  package init?(option text: String) { self.init(rawValue: text) }
  package var optionText: String { rawValue }
}

extension String: OptionValue {}
extension Int: OptionValue { package static var mayBeginWithDash: Bool { true } }
extension Double: OptionValue { package static var mayBeginWithDash: Bool { true } }
extension FrameRate: OptionValue { package static var mayBeginWithDash: Bool { true } }
extension MediaTime: OptionValue { package static var mayBeginWithDash: Bool { true } }
extension ProposedSize: OptionValue {}
extension ResampleFilter: OptionValue {}
extension PictureFit: OptionValue {}
extension TiledParticipants: OptionValue {}
extension TesseraRecordings.AlignmentMethod: OptionValue {}
extension StreamAssignment: OptionValue {}
extension ChannelAssignment: OptionValue {}
extension SpeakerSource: OptionValue {}
extension SoundEncoderSettings.Codec: OptionValue {}

extension Bool: OptionValue {
  /// Reads `on` or `off`.
  package init?(option text: String) {
    switch text {
    case "on": self = true
    case "off": self = false
    default: return nil
    }
  }

  package var optionText: String { self ? "on" : "off" }
}

extension LoudnessTarget: OptionValue {
  package static var mayBeginWithDash: Bool { true }

  package init?(option text: String) { self.init(text) }

  package var optionText: String {
    switch self {
    case .off: "off"
    case .loudness(let target): "\(target)"
    }
  }
}

extension AudioTrackChoice: OptionValue {
  package init?(option text: String) { self.init(text) }

  package var optionText: String {
    switch self {
    case .preferred: ""
    case .all: "all"
    case .named(let name): name
    }
  }
}

extension MediaTime {
  /// Reads a time that may be negative.
  package init?(signed text: some StringProtocol) {
    guard text.hasPrefix("-") else {
      self.init(String(text))
      return
    }
    guard let time = MediaTime(String(text.dropFirst())) else { return nil }
    self = .zero - time
  }
}
