internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import TesseraLettering
internal import TesseraPixels

/// Measures what is drawn while a render is planned.
struct LetteringCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lettering",
    abstract: "Measure how long the names and cards of a call take on one core.",
    discussion: """
      Everyone is on a 1920x1080 canvas in a grid. The first run of the names opens the fonts; every
      further one begins again with fonts that are open.
      """)

  /// What one part of the work took.
  struct Result: Encodable {
    var name: String
    /// Processor time, the median where there were several runs.
    var milliseconds: Double
  }

  @Option(help: "People.")
  var people = 49
  @Option(help: "Runs; the median counts.")
  var runs = 9
  @Flag(help: "Write JSON.")
  var json = false

  mutating func validate() throws {
    guard (1...400).contains(people), (1...1000).contains(runs) else {
      throw ValidationError("--people must be 1 to 400, --runs 1 to 1000.")
    }
  }

  func run() throws {
    let side = Int(Double(people).squareRoot().rounded(.up))
    let tile = PixelSize(width: 1920 / side - 10, height: 1080 / side - 10)
    guard let step = TileStep(tile) else { return }
    let first = time { draw(Lettering(), step).plates() }
    let plates = (0..<runs).map { _ in time { draw(Lettering(), step).plates() } }
    let cards = (0..<runs).map { _ in time { draw(Lettering(), step).cards() } }
    let results = [
      Result(name: "names, fonts opened", milliseconds: first),
      Result(name: "names", milliseconds: Report.median(plates)),
      Result(name: "cards", milliseconds: Report.median(cards)),
    ]
    if json { return try Report.printJSON(results) }
    print(Self.line("", ["ms"]))
    for result in results {
      print(Self.line(result.name, [String(format: "%.1f", result.milliseconds)]))
    }
  }

  private func draw(_ lettering: Lettering, _ step: TileStep) -> LetteringBench {
    LetteringBench(lettering: lettering, step: step, people: people)
  }

  /// Processor time, so that other work on the machine does not count.
  private func time(_ work: () -> Void) -> Double {
    let start = clock()
    work()
    return Double(clock() - start) / 1e3
  }

  private static func line(_ title: String, _ cells: [String]) -> String {
    Report.line(title, cells, titleWidth: 26, cellWidth: 14)
  }
}

/// The drawings of a call in which everyone has a name of their own.
struct LetteringBench {
  let lettering: Lettering
  let step: TileStep
  let people: Int

  func plates() {
    for number in 0..<people { _ = lettering.decorations(name: name(number), step: step) }
  }

  func cards() {
    for number in 0..<people {
      _ = lettering.personCard(CardPerson(id: "\(number)", name: name(number)), step: step)
    }
  }

  private func name(_ number: Int) -> String {
    "\(Self.names[number % Self.names.count]) \(number)"
  }

  private static let names = [
    "Ada Lovelace", "Žofie Příliš", "Мария Склодовская", "Νίκος Καζαντζάκης", "عمر الخيّام",
    "דוד בן־גוריון", "山田 太郎", "김민준", "रवीन्द्रनाथ ठाकुर", "สมชาย ใจดี", "Zoë 🎉",
  ]
}
