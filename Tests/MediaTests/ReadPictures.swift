import TesseraMedia
import TesseraPixels
import TesseraSystem
import TesseraTimeline
import TestSupport

/// A picture that was read, as tests compare it: when it is shown and what it shows.
struct ShownPicture: Hashable {
  var time: MediaTime
  var size: PixelSize
  var digest: UInt64
}

extension Picture {
  /// A number that follows from all samples (Fowler, Noll and Vo's hash 1a, 64 bits).
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
  /// The preferred pictures of the file at `path`.
  static func preferred(_ path: String) throws -> PictureSource? {
    let file = try MediaFile.scan(path, cancellation: Cancellation())
    return file.preferred(.video).first.map { PictureSource($0, of: file) }
  }

  /// Up to `count` pictures from keyframe number `keyframe` on, as they are.
  func pictures(
    from keyframe: Int = 0, count: Int = .max
  ) throws -> [(time: MediaTime, picture: Picture)] {
    var reader = try PictureReader.open(self, keyframe: keyframe, cancellation: Cancellation())
    var pictures: [(time: MediaTime, picture: Picture)] = []
    while pictures.count < count, let time = reader.next() {
      if let picture = reader.makePicture() { pictures.append((time, picture)) }
    }
    return pictures
  }

  /// The same pictures, as tests compare them.
  func shown(from keyframe: Int = 0, count: Int = .max) throws -> [ShownPicture] {
    var reader = try PictureReader.open(self, keyframe: keyframe, cancellation: Cancellation())
    var pictures: [ShownPicture] = []
    while pictures.count < count, let time = reader.next() {
      guard let picture = reader.makePicture() else { continue }
      pictures.append(ShownPicture(time: time, size: picture.size, digest: picture.digest))
    }
    return pictures
  }
}
