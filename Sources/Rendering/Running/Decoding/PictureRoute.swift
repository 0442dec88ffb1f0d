import TesseraMedia
import TesseraTimeline

/// Which picture of a track every output frame shows, and where decoding has to begin for it: known
/// from the index, before anything is decoded.
struct PictureRoute {
  /// The first frame that each of them is shown in, if no later one is.
  private let frames: [Int]
  private let source: PictureSource

  /// The route of `track` at `frameRate`.
  init(_ track: Plan.Track, frameRate: FrameRate) {
    source = track.source
    frames = track.source.order.map {
      track.clock.firstFrame(showing: track.source.index.ticks[Int($0)], at: frameRate)
    }
  }

  var count: Int { frames.count }

  /// The number of the picture of packet number `packet`, or of the last one before it; nil before
  /// the first.
  func picture(of packet: Int) -> Int? {
    let next = source.order.partitioningIndex { source.shows(packet, before: Int($0)) }
    return next > 0 ? next - 1 : nil
  }

  /// The first frame that shows picture `number`, if any does; past the last picture, `Int.max`.
  func frame(of number: Int) -> Int { number < count ? frames[number] : .max }

  /// Whether no frame shows picture `number`, because another one follows at once.
  func isSkipped(_ number: Int) -> Bool { frame(of: number + 1) == frames[number] }

  /// The picture that `frame` shows, or the first of all where it shows none yet.
  func picture(shownIn frame: Int) -> Int {
    max(0, frames.partitioningIndex { $0 > frame } - 1)
  }

  /// The packet of picture `number`.
  func packet(of number: Int) -> Int { Int(source.order[number]) }

  /// All packets of the stream.
  var index: PacketIndex { source.index }

  /// The packet that decoding has to begin with so that picture `number` comes out as in a row.
  func start(toShow number: Int) -> Int { source.decodingStart(toShow: Int(source.order[number])) }
}
