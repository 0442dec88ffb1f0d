import CTesseraFFmpeg
import CTesseraOpus

/// The versions of the codec libraries that are loaded at run time.
package enum LibraryVersions {
  package static var all: [(name: String, version: String)] {
    [
      ("libavformat", text(avformat_version())), ("libavcodec", text(avcodec_version())),
      ("libswscale", text(swscale_version())),
      ("libswresample", text(swresample_version())), ("libavutil", text(avutil_version())),
      (
        "libopus", unsafe String(cString: opus_get_version_string()).replacing("libopus ", with: "")
      ),
      ("ffmpeg", unsafe String(cString: av_version_info())),
    ]
  }

  private static func text(_ version: UInt32) -> String {
    "\(version >> 16).\(version >> 8 & 255).\(version & 255)"
  }
}
