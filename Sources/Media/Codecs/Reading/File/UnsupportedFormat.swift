import CTesseraFFmpeg
import Glibc
import TesseraSystem

/// Identifies recordings in known formats that are not accepted.
enum UnsupportedFormat {
  /// Returns the display name of the format of the file at `path`; returns `nil` for unknown and
  /// for accepted formats.
  static func name(of path: String) -> String? {
    guard let file = unsafe RegularFile.stream(path) else { return nil }
    defer { unsafe fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 4096 + Int(AVPROBE_PADDING_SIZE))
    return unsafe bytes.withUnsafeMutableBufferPointer { buffer -> String? in
      let count = unsafe fread(buffer.baseAddress, 1, 4096, file)
      var data = unsafe AVProbeData(
        filename: nil, buf: buffer.baseAddress, buf_size: CInt(count), mime_type: nil)
      guard let format = unsafe av_probe_input_format(&data, 1),
        let name = unsafe format.pointee.name.map({ unsafe String(cString: $0) })
      else { return nil }
      return ContainerTraits.foreign[name]
    }
  }
}
