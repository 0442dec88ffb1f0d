import CTesseraFFmpeg
import TesseraSystem

/// Identifies recordings in known formats that are not accepted.
enum UnsupportedFormat {
  /// Returns the display name of the format of the file at `path`; returns `nil` for unknown and
  /// for accepted formats.
  static func name(of path: String) -> String? {
    guard let head = try? RegularFile.bytes(path, atMost: 4096) else { return nil }
    var bytes = head + [UInt8](repeating: 0, count: Int(AVPROBE_PADDING_SIZE))
    return unsafe bytes.withUnsafeMutableBufferPointer { buffer -> String? in
      var data = unsafe AVProbeData(
        filename: nil, buf: buffer.baseAddress, buf_size: CInt(head.count), mime_type: nil)
      guard let format = unsafe av_probe_input_format(&data, 1),
        let name = unsafe format.pointee.name.map({ unsafe String(cString: $0) })
      else { return nil }
      return ContainerTraits.foreign[name]
    }
  }
}
