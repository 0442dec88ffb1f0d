public import ArgumentParser
import TesseraJobs
import TesseraPlan
public import TesseraPlanning
public import TesseraRecordings
import TesseraRendering
import TesseraTimeline

/// Which call it is, and who of it.
struct CallOptions: ParsableArguments {
  @OptionGroup
  var source: SourceOptions

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("Only these people are seen and heard.", valueName: "person"))
  var only: [String] = []

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("These people are neither seen nor heard.", valueName: "person"))
  var exclude: [String] = []

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("These people are heard but have no tile.", valueName: "person"))
  var hide: [String] = []

  @Option(help: "Who has a tile: everyone, or only whose camera or screen is on.")
  var tiles = TileChoice.all

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Where somebody's recordings begin, if not with all others'; may be negative.",
      valueName: "person=seconds"))
  var offset: [PersonValue] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("How much louder somebody is, in decibels.", valueName: "person=db"))
  var gain: [PersonValue] = []

  @OptionGroup
  var alignment: AlignOption

  @Flag(
    inversion: .prefixedNo,
    help: """
      Leave out stretches in which nobody is there, for 5 seconds or more (as the recording says, \
      else not).
      """)
  var trimIdle: Bool?

  func validate() throws {
    for offset in offset where offset.time == nil {
      throw ValidationError(
        "--offset cannot be \"\(offset.text)\": give a person and seconds, such as ada=1.25 or ada=-0.5."
      )
    }
    for gain in gain {
      guard let decibels = Double(gain.value), Track.gains.contains(decibels) else {
        throw ValidationError(
          "--gain cannot be \"\(gain.text)\": give a person and -96 to 48 decibels, such as ada=-3."
        )
      }
    }
  }

  /// Asks for what is said here.
  func apply(to call: inout CallRequest) {
    (call.alignment, call.trimsIdle) = (alignment.align, trimIdle)
    call.offsets = offset.compactMap { offset in
      offset.time.map { PersonOffset(person: offset.person, time: $0) }
    }
    call.gains = gain.compactMap { gain in
      Double(gain.value).map { PersonGain(person: gain.person, decibels: $0) }
    }
  }

  /// Asks for these people.
  func apply(to rendition: inout Rendition) {
    (rendition.only, rendition.excluded) = (only, exclude)
    (rendition.hidden, rendition.tiles) = (hide, tiles)
  }
}

/// How recordings are laid against each other.
struct AlignOption: ParsableArguments {
  @Option(
    help: """
      How plain files are laid against each other: start (each with its first picture or sound), \
      container (as their own times say), clock (as wall clocks say) or sound (by what is heard in \
      several of them) (as the recording says, else start).
      """)
  var align: Alignment?
}

extension Alignment: ExpressibleByArgument {}
extension TileChoice: ExpressibleByArgument {}

/// A value for one person: `ada=1.5`.
struct PersonValue: ExpressibleByArgument {
  let text: String
  let person: String
  let value: String

  init?(argument: String) {
    guard let sign = argument.lastIndex(of: "="), sign > argument.startIndex else { return nil }
    text = argument
    person = String(argument[..<sign])
    value = String(argument[argument.index(after: sign)...])
  }

  /// The value as a time, also a negative one.
  var time: MediaTime? {
    guard value.hasPrefix("-") else { return MediaTime(value) }
    return MediaTime(String(value.dropFirst())).map { .zero - $0 }
  }
}
