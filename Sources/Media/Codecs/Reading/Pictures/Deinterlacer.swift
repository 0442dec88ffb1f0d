import CTesseraFFmpeg
import Glibc
import TesseraPixels

/// Deinterlaces pictures with libavfilter's `bwdif`: one picture per frame, or one per field. The
/// filter needs both neighbors of a frame, so its output is one frame late. Pictures that are not
/// marked as interlaced pass unchanged, one per frame.
@safe final class Deinterlacer {
  private var graph: FilterGraph?
  private let showsFields: Bool
  private let path: String
  /// The number of frames sent, which is the next frame's timestamp in the graph.
  private var sentCount = 0
  /// The packet numbers of the last four frames sent, each at its frame's number modulo 4.
  private var packets = [0, 0, 0, 0]
  /// The timestamp of the last picture returned, in half frames.
  private var lastTime: Int64 = -1

  /// Creates a deinterlacer that outputs a picture per field if `showsFields`, otherwise per frame.
  init(showsFields: Bool, path: String) { (self.showsFields, self.path) = (showsFields, path) }

  /// libavfilter, loaded at first access; `nil` if it is not installed.
  private static let library: cff_filters? = {
    var filters = cff_filters()
    return unsafe cff_load_filters(&filters) != 0 ? filters : nil
  }()

  /// Loads libavfilter. Must be called before entering a sandbox in which the library cannot be
  /// opened.
  static func load() { _ = library }

  /// True if `frame` has the size and format of the previous frames. Otherwise the caller must
  /// drain the graph with ``finish()`` and ``reset()`` first.
  func accepts(_ frame: borrowing Frame) -> Bool {
    graph?.accepts(frame) ?? true
  }

  /// Sends `frame`, which was decoded from packet number `packet`, and takes over its content.
  func send(_ frame: borrowing Frame, of packet: Int) throws(FFmpegError) {
    if graph == nil {
      graph = try FilterGraph.make(for: frame, showsFields: showsFields, path: path)
    }
    packets[sentCount % packets.count] = packet
    unsafe frame.raw.pointee.pts = Int64(sentCount)
    sentCount += 1
    try graph?.send(frame)
  }

  /// Starts the flush: no frame follows.
  func finish() { graph?.finish() }

  /// Discards the graph, after its last picture was received.
  func reset() { graph = nil }

  /// Returns the next picture, with its content in `frame`; returns `nil` if none is ready.
  func receive(into frame: borrowing Frame) throws(FFmpegError) -> DecodedPictureID? {
    guard let time = try graph?.receive(into: frame) else { return nil }
    // A second field is between its frame and the next; for a single frame, both fields have one
    // timestamp.
    let isSecondField = showsFields && (time % 2 == 1 || time == lastTime)
    lastTime = time
    let packet = packets[Int(time / 2) % packets.count]
    unsafe frame.raw.pointee.pts = Int64(packet)
    return DecodedPictureID(packet: packet, isSecondField: isSecondField)
  }

  /// A filter graph for frames of one size and format: `buffer`, `bwdif`, `buffersink`.
  @safe private struct FilterGraph: ~Copyable {
    private let filters: cff_filters
    private let graph: UnsafeMutablePointer<AVFilterGraph>
    private let source: UnsafeMutablePointer<AVFilterContext>
    private let sink: UnsafeMutablePointer<AVFilterContext>
    private let size: PixelSize
    private let format: AVPixelFormat
    private let path: String

    private static let timeBase = AVRational(num: 1, den: 1000)
    /// The time base of output timestamps: half a tick of the input.
    private static let halves = AVRational(num: 1, den: 2000)

    deinit {
      var graph: UnsafeMutablePointer<AVFilterGraph>? = unsafe graph
      unsafe filters.graph_free(&graph)
    }

    static func make(
      for frame: borrowing Frame, showsFields: Bool, path: String
    ) throws(FFmpegError) -> FilterGraph {
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
        + ":time_base=\(Self.timeBase.num)/\(Self.timeBase.den):pixel_aspect=1/1"
      do throws(FFmpegError) {
        let source = try unsafe add("buffer", input, filters, to: graph, path: path)
        let filter = try unsafe add(
          "bwdif", "mode=send_\(showsFields ? "field" : "frame"):deint=interlaced", filters,
          to: graph, path: path)
        let sink = try unsafe add("buffersink", nil, filters, to: graph, path: path)
        try check(unsafe filters.link(source, 0, filter, 0), operation, path)
        try check(unsafe filters.link(filter, 0, sink, 0), operation, path)
        try check(unsafe filters.graph_config(graph, nil), operation, path)
        return unsafe FilterGraph(
          filters: filters, graph: graph, source: source, sink: sink, size: size, format: format,
          path: path)
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

    /// Returns the timestamp of the next picture in ``halves``; returns `nil` if none is ready.
    func receive(into frame: borrowing Frame) throws(FFmpegError) -> Int64? {
      let result = unsafe filters.get_frame(sink, frame.raw)
      guard result != CFF_ERROR_EOF, result != cff_averror(EAGAIN) else { return nil }
      try check(result, "deinterlace a picture", path)
      let ticks = unsafe frame.raw.pointee.pts.ticks ?? 0
      return max(0, av_rescale_q(ticks, unsafe filters.get_time_base(sink), Self.halves))
    }
  }
}
