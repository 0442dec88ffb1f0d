import CTesseraFFmpeg
import Glibc
import TesseraPixels

/// Makes whole pictures of field pairs with libavfilter's `bwdif`, one picture out for each one
/// in. The filter looks at a picture's neighbours, so it returns pictures one late. Pictures that
/// are not marked as interlaced pass unchanged.
@safe final class Deinterlacer {
  private var graph: Graph?
  private let timeBase: AVRational
  private let path: String

  init(timeBase: AVRational, path: String) {
    self.timeBase = timeBase
    self.path = path
  }

  /// libavfilter, once it was needed; nil where it is not installed.
  private static let library: cff_filters? = {
    var filters = cff_filters()
    return unsafe cff_load_filters(&filters) != 0 ? filters : nil
  }()

  /// Loads what deinterlacing needs: before a sandbox in which it would not be found.
  static func load() { _ = library }

  /// Whether `frame` can go into the graph as it is: it has the same size and format as those
  /// before. Where not, the caller takes out the rest with ``finish()`` first.
  func accepts(_ frame: borrowing Frame) -> Bool {
    graph?.accepts(frame) ?? true
  }

  /// Takes over `frame`'s content.
  func send(_ frame: borrowing Frame) throws(FFmpegError) {
    if graph == nil { graph = try Graph.make(for: frame, timeBase: timeBase, path: path) }
    try graph?.send(frame)
  }

  /// No frame of this kind follows.
  func finish() { graph?.finish() }

  /// Forgets the graph, after the last frame came out.
  func reset() { graph = nil }

  /// Whether a frame came out.
  func receive(into frame: borrowing Frame) throws(FFmpegError) -> Bool {
    try graph?.receive(into: frame) ?? false
  }

  @safe private struct Graph: ~Copyable {
    private let filters: cff_filters
    private let graph: UnsafeMutablePointer<AVFilterGraph>
    private let source: UnsafeMutablePointer<AVFilterContext>
    private let sink: UnsafeMutablePointer<AVFilterContext>
    private let size: PixelSize
    private let format: AVPixelFormat
    private let timeBase: AVRational
    private let path: String

    private init(
      _ filters: cff_filters, owning graph: UnsafeMutablePointer<AVFilterGraph>,
      source: UnsafeMutablePointer<AVFilterContext>, sink: UnsafeMutablePointer<AVFilterContext>,
      size: PixelSize, format: AVPixelFormat, timeBase: AVRational, path: String
    ) {
      self.filters = filters
      unsafe (self.graph, self.source, self.sink) = unsafe (graph, source, sink)
      (self.size, self.format, self.timeBase, self.path) = (size, format, timeBase, path)
    }

    deinit {
      var graph: UnsafeMutablePointer<AVFilterGraph>? = unsafe graph
      unsafe filters.graph_free(&graph)
    }

    static func make(
      for frame: borrowing Frame, timeBase: AVRational, path: String
    ) throws(FFmpegError) -> Graph {
      let operation = "set up the deinterlacer"
      guard let filters = Deinterlacer.library else {
        let code = cff_averror(ENOSYS)
        throw FFmpegError(code: code, operation: "load libavfilter", path: path)
      }
      guard let graph = filters.graph_alloc() else {
        throw .outOfMemory(operation, path)
      }
      var owned: UnsafeMutablePointer<AVFilterGraph>? = unsafe graph
      unsafe graph.pointee.nb_threads = 1
      let (size, format) = (frame.size, frame.pixelFormat)
      let input =
        "video_size=\(size.width)x\(size.height):pix_fmt=\(format.rawValue)"
        + ":time_base=\(timeBase.num)/\(timeBase.den):pixel_aspect=1/1"
      do throws(FFmpegError) {
        let source = try unsafe add("buffer", input, filters, to: graph, path: path)
        let filter = try unsafe add(
          "bwdif", "mode=send_frame:deint=interlaced", filters, to: graph, path: path)
        let sink = try unsafe add("buffersink", nil, filters, to: graph, path: path)
        try check(unsafe filters.link(source, 0, filter, 0), operation, path)
        try check(unsafe filters.link(filter, 0, sink, 0), operation, path)
        try check(unsafe filters.graph_config(graph, nil), operation, path)
        return unsafe Graph(
          filters, owning: graph, source: source, sink: sink, size: size, format: format,
          timeBase: timeBase, path: path)
      } catch {
        unsafe filters.graph_free(&owned)
        throw error
      }
    }

    private static func add(
      _ name: String, _ arguments: String?, _ filters: cff_filters,
      to graph: UnsafeMutablePointer<AVFilterGraph>, path: String
    ) throws(FFmpegError) -> UnsafeMutablePointer<AVFilterContext> {
      var context: UnsafeMutablePointer<AVFilterContext>? = nil
      try check(
        unsafe filters.graph_create_filter(
          &context, filters.get_by_name(name), name, arguments, nil, graph),
        "set up the deinterlacer's \(name)", path)
      guard let context = unsafe context else {
        throw .outOfMemory("set up the deinterlacer's \(name)", path)
      }
      return unsafe context
    }

    func accepts(_ frame: borrowing Frame) -> Bool {
      frame.size == size && frame.pixelFormat == format
    }

    func send(_ frame: borrowing Frame) throws(FFmpegError) {
      try check(
        unsafe filters.add_frame(source, frame.raw, 0), "deinterlace a picture", path)
    }

    func finish() { _ = unsafe filters.add_frame(source, nil, 0) }

    func receive(into frame: borrowing Frame) throws(FFmpegError) -> Bool {
      let result = unsafe filters.get_frame(sink, frame.raw)
      guard result != CFF_ERROR_EOF, result != cff_averror(EAGAIN) else { return false }
      try check(result, "deinterlace a picture", path)
      if let ticks = unsafe frame.raw.pointee.pts.ticks {
        let from = unsafe filters.get_time_base(sink)
        unsafe frame.raw.pointee.pts = av_rescale_q(ticks, from, timeBase)
      }
      return true
    }
  }
}
