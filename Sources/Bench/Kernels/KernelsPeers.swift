#if Peers
  internal import CScalePeers
  internal import TesseraPixels

  /// The scaler of another library (libyuv, libswscale, zimg), for comparison.
  @safe final class ThirdPartyScaler: BenchmarkScaler {
    let name: String
    private let frames: ScaleBenchmarkFrames
    private let peer: OpaquePointer

    /// Opens the scaler; returns `nil` if the library does not offer `filter`.
    init?(
      _ scale: ScaleBenchmarkCase, frames: ScaleBenchmarkFrames,
      library: (String, scale_peer_library),
      filter: ResampleFilter, avx2: Bool
    ) {
      let code: scale_peer_filter
      switch filter {
      case .bilinear: code = SCALE_PEER_BILINEAR
      case .area: code = SCALE_PEER_AREA
      case .bicubic: code = SCALE_PEER_BICUBIC
      case .lanczos: code = SCALE_PEER_LANCZOS
      case .spline: return nil
      }
      let source = [Int32(scale.source.width), Int32(scale.source.height)]
      let target = [Int32(scale.target.width), Int32(scale.target.height)]
      guard let peer = unsafe scale_peer_open(library.1, code, source, target, avx2) else {
        return nil
      }
      name = library.0 + (avx2 ? " avx2" : "")
      self.frames = frames
      unsafe self.peer = peer
    }

    deinit {
      unsafe scale_peer_close(peer)
    }

    /// The scalers of all libraries that offer `filter`.
    static func all(
      _ scale: ScaleBenchmarkCase, frames: ScaleBenchmarkFrames, filter: ResampleFilter
    ) -> [any BenchmarkScaler] {
      [
        (("libyuv", SCALE_PEER_LIBYUV), false), (("swscale", SCALE_PEER_SWSCALE), false),
        (("zimg", SCALE_PEER_ZIMG), false), (("zimg", SCALE_PEER_ZIMG), true),
      ].compactMap { library, avx2 in
        ThirdPartyScaler(scale, frames: frames, library: library, filter: filter, avx2: avx2)
      }
    }

    func run(frame: Int) {
      let picture = frames.pictures[frame]
      let source = [picture.luma, picture.blue, picture.red]
      let target = (0..<3).map { frames.canvas[plane: $0] }
      var from = scale_peer_planes()
      var to = scale_peer_planes()
      unsafe from.base = (
        UnsafeMutablePointer(mutating: source[0].base),
        UnsafeMutablePointer(mutating: source[1].base),
        UnsafeMutablePointer(mutating: source[2].base)
      )
      from.stride = (
        Int32(source[0].stride), Int32(source[1].stride), Int32(source[2].stride)
      )
      unsafe to.base = (target[0].base, target[1].base, target[2].base)
      to.stride = (Int32(target[0].stride), Int32(target[1].stride), Int32(target[2].stride))
      unsafe scale_peer_run(peer, &from, &to)
    }
  }
#endif
