import CTesseraFFmpeg
import TesseraPixels

extension ColorSpace {
  /// Creates the color space from libav*'s tags. Defaults: BT.601 for up to 576 lines, otherwise
  /// BT.709; limited range.
  init(space: AVColorSpace, range: AVColorRange, format: AVPixelFormat, height: Int) {
    let fullRangeFormats = [AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P]
    let matrix: Matrix =
      switch space {
      case AVCOL_SPC_BT709: .bt709
      case AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M, AVCOL_SPC_FCC: .bt601
      case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: .bt2020
      default: ColorSpace.untagged(rows: height).matrix
      }
    let isFull = range == AVCOL_RANGE_JPEG || fullRangeFormats.contains(format)
    self.init(matrix: matrix, range: isFull ? .full : .limited)
  }
}

extension Colorimetry {
  /// Creates the light properties from libav*'s tags, with `otherwise` as the fallback. Without
  /// tagged primaries, a BT.2020 matrix implies BT.2020 primaries, and so does a high dynamic range
  /// transfer.
  init(
    transfer: AVColorTransferCharacteristic, primaries: AVColorPrimaries, space: AVColorSpace,
    peak: Int = 0, otherwise: Colorimetry? = nil
  ) {
    let isUntagged = transfer == AVCOL_TRC_UNSPECIFIED
    let kind: Transfer? =
      switch transfer {
      case AVCOL_TRC_SMPTE2084: .pq
      case AVCOL_TRC_ARIB_STD_B67: .hlg
      default: isUntagged ? otherwise?.transfer : .sdr
      }
    let isWide = [AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL].contains(space)
    let meant: Primaries? =
      switch primaries {
      case AVCOL_PRI_BT2020: .bt2020
      case AVCOL_PRI_UNSPECIFIED: isWide ? .bt2020 : otherwise?.primaries
      default: .bt709
      }
    let transfer = kind ?? .sdr
    self.init(
      transfer: transfer, primaries: meant ?? (transfer == .sdr ? .bt709 : .bt2020),
      peak: peak > 0 ? peak : otherwise?.peak ?? Colorimetry.defaultPeak)
  }
}

extension ChromaSiting {
  /// Creates the chroma siting from libav*'s tag; the default is left.
  init(_ location: AVChromaLocation) {
    self =
      switch location {
      case AVCHROMA_LOC_CENTER: .center
      case AVCHROMA_LOC_TOPLEFT: .topLeft
      case AVCHROMA_LOC_TOP: .top
      case AVCHROMA_LOC_BOTTOMLEFT: .bottomLeft
      case AVCHROMA_LOC_BOTTOM: .bottom
      default: .left
      }
  }
}

extension Orientation {
  /// Creates the orientation from an ISO 14496-12 display matrix, by the signs of its four linear
  /// coefficients (16.16): it displays a coded point (x, y) at (a·x + c·y, b·x + d·y). Shears and
  /// arbitrary angles are rounded to the nearest quarter turn. `nil` is upright.
  init(displayMatrix matrix: UnsafePointer<Int32>?) {
    guard let matrix = unsafe matrix else {
      self = .upright
      return
    }
    let (a, b) = unsafe (Int64(matrix[0]), Int64(matrix[1]))
    let (c, d) = unsafe (Int64(matrix[3]), Int64(matrix[4]))
    guard a.magnitude + d.magnitude >= b.magnitude + c.magnitude else {
      self.init(transposed: true, mirroredHorizontally: b < 0, mirroredVertically: c < 0)
      return
    }
    self.init(transposed: false, mirroredHorizontally: a < 0, mirroredVertically: d < 0)
  }
}

extension Frame {
  /// The orientation in the picture's own side data (EXIF, H.264's display orientation SEI); `nil`
  /// if there is none.
  var orientation: Orientation? {
    guard let side = unsafe av_frame_get_side_data(raw, AV_FRAME_DATA_DISPLAYMATRIX),
      unsafe side.pointee.size >= 9 * MemoryLayout<Int32>.size
    else { return nil }
    return unsafe side.pointee.data.withMemoryRebound(to: Int32.self, capacity: 9) {
      unsafe Orientation(displayMatrix: $0)
    }
  }
}

extension Orientation {
  /// True for orientations that mirror the picture.
  var isMirrorImage: Bool {
    switch self {
    case .upright, .rotated90, .rotated180, .rotated270: false
    case .mirrored, .flipped, .transposed, .transversed: true
    }
  }
}

extension SampleAspectRatio {
  /// Converts libav*'s ratio; square if it is unknown or beyond 64:1.
  init(_ rational: AVRational) {
    let (width, height) = (Int(rational.num), Int(rational.den))
    let isSane = width > 0 && height > 0 && width <= 64 * height && height <= 64 * width
    self.init(isSane ? width : 1, isSane ? height : 1)
  }
}
