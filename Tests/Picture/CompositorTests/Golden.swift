import Foundation
import TesseraPixels
import TestSupport
import Testing

/// A reference canvas in the repository, in a YUV4MPEG2 file that players and ffmpeg open.
struct Golden {
  private let name: String

  init(_ name: String) {
    self.name = name
  }

  /// Expects `canvas` to equal the reference; otherwise writes it into the temporary folder.
  ///
  /// With `TESSERA_UPDATE_GOLDENS` in the environment, replaces the reference by `canvas`.
  func expect(_ canvas: Snapshot, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let kept = SourceTree.root
      .appending(path: "Tests/Picture/Goldens/\(name).y4m")
    let actual = Self.file(canvas)
    if ProcessInfo.processInfo.environment["TESSERA_UPDATE_GOLDENS"] != nil {
      try actual.write(to: kept)
    }
    let left = FileManager.default.temporaryDirectory.appending(path: "tessera-\(name).y4m")
    if try Data(contentsOf: kept) == actual {
      try? FileManager.default.removeItem(at: left)
    } else {
      try actual.write(to: left)
      Issue.record(
        "the canvas differs from \(kept.path); it is in \(left.path)",
        sourceLocation: sourceLocation)
    }
  }

  /// Returns the canvas as a file of one frame.
  private static func file(_ canvas: Snapshot) -> Data {
    let header = "YUV4MPEG2 W\(canvas.size.width) H\(canvas.size.height) F1:1 Ip A1:1 C420mpeg2\n"
    return Data((header + "FRAME\n").utf8) + Data(canvas.planes.joined())
  }
}
