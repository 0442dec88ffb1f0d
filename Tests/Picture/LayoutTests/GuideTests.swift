import Foundation
import TesseraLayout
import TestSupport
import Testing

/// The guides' statements on layouts match the code.
@Suite(.timed) struct GuideTests {
  private struct TimedShot: LayoutPolicy {
    let frame: Rect
    func prepare(_ context: LayoutContext) -> LayoutArrangement {
      var tile = LayoutAttributes(id: 0, frame: frame)
      tile.aspectRatio = context.items[0].aspectRatio
      return LayoutArrangement(contentSize: context.canvas, attributes: [tile])
    }
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: SourceTree.root.appending(path: "Sources/" + path), encoding: .utf8)
  }

  private static func guide(_ name: String) throws -> String {
    try text("Tessera/Tessera.docc/\(name).md")
  }

  private func numbers(_ text: String, by separator: Character) -> [Double] {
    text.split(separator: separator).compactMap { Double($0.filter { $0 != " " }) }
  }

  @Test func croppingMatchesTheTableOfTheGuide() throws {
    let rows = try Self.guide("Look").split(separator: "\n").filter { $0.contains("x") }.map {
      $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }.filter { $0.count == 6 && numbers($0[0], by: ":").count == 2 }
    #expect(rows.count == 5)
    for row in rows {
      let (shape, tile) = (numbers(row[0], by: ":"), numbers(row[1], by: "x"))
      let canvas = numbers(row[2], by: "x")
      let ratio = shape[0] / shape[1]
      var engine = try LayoutEngine(
        policy: TimedShot(frame: Rect(x: 0, y: 0, width: tile[0], height: tile[1])),
        canvas: Size(width: canvas[0], height: canvas[1]))
      let placed = try #require(engine.place([LayoutItem(id: 0, aspectRatio: ratio)]).first)
      let crop = PictureFit.Placement(
        aspectRatio: ratio, in: placed.frame, coverage: try #require(placed.coverage)
      ).crop
      let lost = [crop.x, crop.y, 1 - crop.maxY].map { ($0 * 1000).rounded() / 10 }
      #expect(row[3...].map { numbers($0, by: "%").first } == lost, "\(row)")
    }
    // The guides state the number once, in the table.
    for name in ["Look", "Recordings", "Layouts", "Options"] {
      let prose = try Self.guide(name).split(separator: "\n").filter { !$0.hasPrefix("|") }
      let words = ["a sixth", "at most a third", "one third comes"]
      #expect(!prose.contains { line in words.contains { line.contains($0) } }, "\(name)")
    }
  }

  @Test func theGuideShowsTheWholeProtocol() throws {
    let source = try Self.text("Picture/Layout/LayoutPolicy.swift")
    let body = try #require(source.components(separatedBy: "public protocol LayoutPolicy").last)
      .components(separatedBy: "\n}\n")[0]
    let members = body.split(separator: "\n").compactMap { line -> Substring? in
      let words = line.split(separator: " ")
      guard let first = words.first, ["var", "func"].contains(first) else { return nil }
      return words[1].prefix { $0.isLetter }
    }
    let guide = try Self.guide("Library")
    #expect(members.count == 17)
    for member in members {
      #expect(guide.contains("func \(member)(") || guide.contains("var \(member):"), "\(member)")
    }
  }

  @Test func termsOfCollectionViewsExist() throws {
    let guide = try Self.guide("Layouts")
    for word in [
      "UICollectionView", "MultipartyLayout", "ProminentCellLayout", "MosaicLayout", "itemSize",
      "estimatedItemSize", "minimumLineSpacing", "sectionInset", "shouldInvalidateLayout",
      "targetContentOffset", "isCenter", "zIndex", "publisher", "subscriber", "onStreamEnabled",
      "onParticipantJoined", "placeholder", "aspect fill, aspect fit",
    ] {
      #expect(guide.contains(word), "\(word)")
    }
    #expect(guide.contains(LayoutCatalog.markdown))
  }
}
