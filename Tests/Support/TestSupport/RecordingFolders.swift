import Foundation

/// A small real recording in every recorder's format. `scripts/make-recordings` writes it at the
/// first request; it is kept until the script changes.
public enum RecordingFolders {
  /// The names of the formats.
  public static let formats = [
    "agora", "agora-segments", "barc", "chime", "craig", "daily", "files", "ivs", "janus", "jitsi",
    "livekit", "livekit-files", "livekit-segments", "openvidu", "recall", "riverside", "session",
    "sora", "standing", "trtc", "twilio", "videosdk", "vonage", "vonage.zip", "zoom",
    "zoom-local",
  ]

  /// The colors of the people's pictures, as red, green and blue.
  public static let colors: [String: (red: UInt8, green: UInt8, blue: UInt8)] = [
    "ada": (0xc0, 0x20, 0x20), "ben": (0x20, 0xa0, 0x20), "cyd": (0x20, 0x20, 0xc0),
    "screen": (0xc0, 0xc0, 0x20),
  ]

  /// Returns the path of the folder or archive of `format`.
  public static func path(_ format: String) throws -> String {
    "\(try folder.get())/\(format)"
  }

  private static let folder: Result<String, any Error> = Result { try make() }

  private static func make() throws -> String {
    let script = SourceTree.root.appending(path: "scripts/make-recordings")
    // The folder's name contains a hash of the script (FNV-1a).
    let hash = try Data(contentsOf: script).reduce(UInt64(0xcbf2_9ce4_8422_2325)) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    let name = "tessera-recordings-\(String(hash, radix: 16))"
    let folder = FileManager.default.temporaryDirectory.appending(path: name)
    guard !FileManager.default.fileExists(atPath: folder.path) else { return folder.path }
    let work = folder.path + "-\(ProcessInfo.processInfo.processIdentifier)"
    let result = try Tool.run(script.path, [work])
    guard result.status == 0 else { throw Tool.Failure(description: result.messages) }
    // If another process was first, its folder is used.
    do {
      try FileManager.default.moveItem(atPath: work, toPath: folder.path)
    } catch {
      try FileManager.default.removeItem(atPath: work)
    }
    return folder.path
  }
}
