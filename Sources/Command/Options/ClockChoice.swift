import ArgumentParser
import Foundation
import TesseraJobs
import TesseraPlan
import TesseraPlanning
import TesseraRendering

/// What `--clock` asks for: `call`, `wall` or `wall:zone=+02:00`. Without a value, it is `call`.
enum ClockChoice: ExpressibleByArgument, CustomStringConvertible {
  case call
  /// The time of day, `zone` minutes ahead of UTC.
  case wall(zone: Int)
  /// Neither; not a file either, which would be an input after `--clock` without a value.
  case unknown(String)

  init?(argument: String) {
    switch argument {
    case "call": self = .call
    case "wall": self = .wall(zone: 0)
    default:
      if argument.hasPrefix("wall:zone="), let zone = Self.zone(argument.dropFirst(10)) {
        self = .wall(zone: zone)
      } else if argument.hasPrefix("-") || argument.contains("/")
        || FileManager.default.fileExists(atPath: argument)
      {
        return nil
      } else {
        self = .unknown(argument)
      }
    }
  }

  var description: String { "call" }

  /// What is asked of the planner.
  var clock: OverlayRequest.Clock? {
    switch self {
    case .call: .call
    case .wall(let zone): .wall(zone: zone)
    case .unknown: nil
    }
  }

  /// The minutes of `Z`, `+02:00`, `-3` or `+0530`; nil for anything else.
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
