/// Why a file cannot be used as a recording.
package struct MediaError: Error, Hashable, Sendable, Codable {
  /// What is wrong with the file.
  package enum Reason: Hashable, Sendable, Codable {
    /// There is no such file, or it may not be read; the system's own words.
    case unreadable(String)
    /// What a playlist names cannot be read, and why.
    case segments(String)
    /// A folder, pipe or device.
    case notARegularFile
    /// It, or what it is a link to, lies outside of this folder, and only files in it are opened.
    case outside(String)
    /// The file holds no bytes.
    case empty
    /// The content is none of the accepted formats.
    case notAMediaFile
    /// The content is a recording in a format that is not accepted: its name.
    case foreignFormat(String)
    /// A format that is accepted, but whose header is damaged or missing; libav*'s own words.
    case damagedHeader(String)
    /// The header is at the beginning of another file; `isSegment` if that is the initialization segment of
    /// fragmented MP4.
    case part(isSegment: Bool)
    /// The pictures or the sound are encrypted.
    case encrypted
    /// The file holds neither a picture nor a sound that can be decoded; the last error's words.
    case nothingDecodable(String?)
    /// Reading it ended the process that read it, twice, in this manner.
    case crash(String)
    /// The operation was cancelled.
    case cancelled
  }

  /// The file.
  package let path: String
  /// What is wrong with it.
  package let reason: Reason

  /// The error that `path` cannot be used because of `reason`.
  package init(path: String, reason: Reason) {
    self.path = path
    self.reason = reason
  }
}

extension MediaError {
  /// What went wrong in the system's or libav*'s words, without the file's name.
  package var cause: String {
    switch reason {
    case .unreadable(let why), .segments(let why), .damagedHeader(let why), .crash(let why): why
    case .nothingDecodable(let why): why ?? "nothing in it can be decoded"
    case .encrypted: "it is encrypted"
    case .notARegularFile, .outside, .empty, .notAMediaFile, .foreignFormat, .part, .cancelled:
      description
    }
  }
}

extension MediaError: CustomStringConvertible {
  /// One sentence: the file, what failed, what to do.
  package var description: String {
    switch reason {
    case .unreadable(let why):
      "cannot open \(path): \(why); check the name and the permissions."
    case .segments(let why):
      "cannot read \(path): \(why); fetch its segments again, beside it."
    case .notARegularFile:
      "cannot open \(path): it is not a regular file; name the recording itself."
    case .outside(let root):
      "cannot open \(path): it, or what it is a link to, lies outside --root \(root); put it there, "
        + "or name another folder."
    case .empty:
      "cannot read \(path): the file is empty; fetch the recording again."
    case .notAMediaFile:
      "\(path) is not a media file: its content is none of the formats that Tessera reads "
        + "(\(ContainerTraits.accepted)); check what was downloaded."
    case .foreignFormat(let name):
      "cannot read \(path): \(name) is a format that Tessera does not read; convert it to one of "
        + "\(ContainerTraits.accepted)."
    case .damagedHeader(let why):
      "cannot read \(path): its header is damaged or incomplete (\(why)); "
        + "fetch the recording again."
    case .part(isSegment: true):
      "cannot read \(path): it is a segment of fragmented MP4 without its initialization segment; join both "
        + "(cat init.mp4 \(path.split(separator: "/").last ?? "segment.m4s") > whole.mp4)."
    case .part(isSegment: false):
      "cannot read \(path): it has no header; if it is a later part of a browser's recording, join the parts "
        + "in order (cat part-*.webm > whole.webm), else check what was downloaded."
    case .encrypted:
      "cannot read \(path): it is encrypted, which Tessera does not read; give the recording without "
        + "encryption."
    case .nothingDecodable(let why):
      "cannot decode \(path): it holds no picture and no sound that can be decoded"
        + (why.map { " (\($0))" } ?? "") + "; check the recording."
    case .crash(let manner):
      "cannot read \(path): reading it brought its worker down (\(manner)); "
        + "fetch the recording again, or convert it."
    case .cancelled:
      "stopped while reading \(path)."
    }
  }
}
