import TesseraCodecs
import TesseraPixels
import TesseraSystem
import TesseraTimeline
import TestSupport

/// A decoded picture for comparison: its time and a digest of its samples.
struct ShownPicture: Hashable {
  var packet: Int
  var time: ExactTime
  var size: PixelSize
  var digest: UInt64
}

extension Picture {
  /// A digest of all samples (64-bit FNV-1a).
  var digest: UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for plane in [luma, blue, red] {
      for y in 0..<plane.size.height {
        for x in 0..<plane.size.width {
          hash = (hash ^ UInt64(plane[x, y])) &* 0x100_0000_01b3
        }
      }
    }
    return hash
  }
}

extension PictureSource {
  /// Returns the preferred pictures of the file at `path`.
  static func preferred(_ path: String) throws -> PictureSource? {
    let scan = try MediaFileInfo.scan(path)
    return scan.file.preferred(.video).first.map(scan.pictures)
  }

  /// Returns up to `count` pictures from packet number `packet` on.
  func pictures(
    from packet: Int? = nil, count: Int = .max
  ) throws -> [(packet: Int, picture: Picture)] {
    var reader = try PictureReader.open(self, from: packet, cancellation: Cancellation())
    var pictures: [(packet: Int, picture: Picture)] = []
    while pictures.count < count, let packet = reader.next()?.packet {
      guard !reader.isBlank else { continue }
      if let picture = reader.makePicture() { pictures.append((packet, picture)) }
    }
    return pictures
  }

  /// Returns the pictures of ``pictures(from:count:)`` for comparison.
  func shown(from packet: Int? = nil, count: Int = .max) throws -> [ShownPicture] {
    var reader = try PictureReader.open(self, from: packet, cancellation: Cancellation())
    return reader.shown(of: self, count: count)
  }
}

extension PictureReader {
  /// Returns up to `count` of the following pictures.
  mutating func shown(of source: PictureSource, count: Int = .max) -> [ShownPicture] {
    var pictures: [ShownPicture] = []
    while pictures.count < count, let packet = next()?.packet {
      guard !isBlank, let picture = makePicture() else { continue }
      pictures.append(
        ShownPicture(
          packet: packet, time: source.time(of: packet), size: picture.size,
          digest: picture.digest))
    }
    return pictures
  }
}
