import ArgumentParser
import TesseraJobs
import TesseraLayout
import TesseraMedia
import TesseraPixels
import TesseraPlan
import TesseraPlanning
import TesseraRecordings
import TesseraRendering

/// The sizes in a folder for HTTP Live Streaming: `1080p,720p,360p`.
struct StreamRungs: ExpressibleByArgument {
  /// The shorter sides in pixels, the one that players begin with first.
  private let sides: [Int]

  private static let (smallest, largest, most) = (96, 4320, 16)

  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    let sides = parts.compactMap { part in
      part.hasSuffix("p") ? Int(part.dropLast()) : nil
    }
    guard sides.count == parts.count, sides.count <= Self.most, Set(sides).count == sides.count,
      sides.allSatisfy({ (Self.smallest...Self.largest).contains($0) && $0 % 2 == 0 })
    else { return nil }
    self.sides = sides
  }

  /// The sizes as they are written.
  var text: String { sides.map { "\($0)p" }.joined(separator: ",") }

  /// The sizes that `wish` asks for, and the rest of it; nil where it asks for a file.
  ///
  /// - Throws: where it asks for sizes that cannot be, or for a folder of nothing.
  static func taken(
    from wish: OutputWish
  ) throws(RenderError) -> (rungs: StreamRungs, wish: OutputWish)? {
    guard let option = wish.options.first(where: { $0.name == "hls" }) else {
      guard wish.file.hasSuffix("/") else { return nil }
      throw RenderError(
        .usage, "\(wish.file): say what is in the folder, as hls=1080p,720p or every=10.")
    }
    guard let rungs = StreamRungs(argument: option.values.joined(separator: ",")) else {
      throw RenderError(
        .usage,
        "\(wish.file): hls takes even heights from \(smallest)p to \(largest)p, such as 1080p,720p."
      )
    }
    let others = wish.options.filter { $0.name != "hls" }
    return (rungs, OutputWish(OutputFolder.withoutSlash(wish.file), others))
  }

  /// All rungs of the folder at `path`, which differ from `rendition` in their size.
  func outputs(of rendition: Rendition, at path: String) -> [FurtherOutputs.Output] {
    sides.map { side in
      (.rung("\(side)p", of: path), Self.rung(of: rendition, shorterSide: side))
    }
  }

  /// What is asked for at that size, in the same shape.
  private static func rung(of rendition: Rendition, shorterSide: Int) -> Rendition {
    var rung = rendition
    let whole = rendition.output.video.size
    let shorter = min(whole.width, whole.height)
    let scaled = { (side: Int) in (side * shorterSide + shorter) / (2 * shorter) * 2 }
    let size = PixelSize(width: scaled(whole.width), height: scaled(whole.height))
    rung.output.video.size = size
    rung.output.video.placesAllKeyframes = true
    // A side that is left to the layout stays so.
    rung.size = rendition.size.map { asked in
      ProposedSize(
        width: asked.width.map { _ in Double(size.width) },
        height: asked.height.map { _ in Double(size.height) })
    }
    let share = Double(shorterSide) / Double(shorter)
    rung.gap = rendition.gap.map { ($0 * share).rounded() }
    rung.output.style.cornerRadius = rendition.output.style.cornerRadius.map { $0 * share }
    return rung
  }
}
