package import TesseraMessages

/// The error that a file cannot be used as a recording, with the reason.
package struct MediaError: Error, Hashable, Sendable, Codable {
  /// The problem with the file.
  package enum Reason: Hashable, Sendable, Codable {
    /// The file does not exist or must not be read; the operating system's message.
    case unreadable(String)
    /// A file that a playlist lists cannot be read; the cause.
    case segments(UserMessage)
    /// The path is a folder, pipe or device.
    case notARegularFile
    /// The path, or the target of a symbolic link, is outside of the folder given, and only files
    /// in that folder are opened.
    case outside(String)
    /// The file has no bytes.
    case empty
    /// The content is in no known media format.
    case notAMediaFile
    /// The content is a recording in a known format that is not accepted; the format's name.
    case foreignFormat(String)
    /// The format is accepted, but the header is damaged or missing; libav*'s message.
    case damagedHeader(String)
    /// The header is in another file. `isSegment` is true if the file is a segment of fragmented
    /// MP4, whose header is its initialization segment.
    case part(isSegment: Bool)
    /// The pictures or the audio are encrypted.
    case encrypted
    /// The file has no picture and no audio that can be decoded; the message of the last error, if
    /// any.
    case nothingDecodable(String?)
    /// The process that read the file crashed twice; a description of the crash.
    case crash(String)
    /// The operation was cancelled.
    case cancelled
  }

  package let path: String
  package let reason: Reason

  /// Creates the error for the file at `path`.
  package init(path: String, reason: Reason) {
    self.path = path
    self.reason = reason
  }
}

extension MediaError {
  /// The operating system's or libav*'s message, without the file's name.
  package var cause: UserMessage {
    switch reason {
    case .unreadable(let why), .damagedHeader(let why), .crash(let why): UserMessage(why)
    case .segments(let why): why
    case .nothingDecodable(let why): UserMessage(why ?? "nothing in it can be decoded")
    case .encrypted: "it is encrypted"
    case .notARegularFile, .outside, .empty, .notAMediaFile, .foreignFormat, .part, .cancelled:
      sentence
    }
  }
}

extension MediaError: MessageConvertible, CustomStringConvertible {
  /// One sentence: the file, the problem and the remedy.
  package var sentence: UserMessage {
    switch reason {
    case .unreadable(let why):
      "cannot open \(file: path): \(why); check the name and the permissions."
    case .segments(let why):
      "cannot read \(file: path): \(why); fetch its segments again, beside it."
    case .notARegularFile:
      "cannot open \(file: path): it is not a regular file; name the recording itself."
    case .outside(let root):
      "cannot open \(file: path): it, or the target of its link, is outside of \(option: "root") \(file: root); put it there, "
        + "or name another folder."
    case .empty:
      "cannot read \(file: path): the file is empty; fetch the recording again."
    case .notAMediaFile:
      "\(file: path) is not a media file: its content is none of the formats that Tessera reads "
        + "(\(ContainerTraits.accepted)); name a recording, or check the download."
    case .foreignFormat(let name):
      "cannot read \(file: path): \(name) is a format that Tessera does not read; convert it to one of "
        + "\(ContainerTraits.accepted)."
    case .damagedHeader(let why):
      "cannot read \(file: path): its header is damaged or incomplete (\(why)); "
        + "fetch the recording again."
    case .part(isSegment: true):
      "cannot read \(file: path): it is a segment of fragmented MP4 without its initialization segment; join both "
        + "(cat init.mp4 \(path.split(separator: "/").last ?? "segment.m4s") > whole.mp4)."
    case .part(isSegment: false):
      "cannot read \(file: path): it has no header; if it is a later part of a browser's recording, give the "
        + "folder with all parts, numbered as in part-000.webm and part-001.webm, or join them in "
        + "order (cat part-*.webm > whole.webm), otherwise check the download."
    case .encrypted:
      "cannot read \(file: path): it is encrypted, which Tessera does not read; give the recording without "
        + "encryption."
    case .nothingDecodable(let why):
      "cannot decode \(file: path): it has no picture and no sound that can be decoded"
        + "\(why.map { " (\($0))" } ?? ""); check the recording."
    case .crash(let manner):
      "cannot read \(file: path): reading it crashed a worker (\(manner)); "
        + "fetch the recording again, or convert it."
    case .cancelled:
      "stopped while reading \(file: path)."
    }
  }
}
