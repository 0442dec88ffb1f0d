package import TesseraMessages

/// Loads still pictures for drawing. A module with decoders provides the implementation.
package protocol ImageLoader: Sendable {
  /// Returns the picture in the file at `path`, rotated upright.
  ///
  /// If its longer side has more than `longestSide` pixels, it is scaled down.
  func image(at path: String, longestSide: Int) throws(ImageFileError) -> LoadedImage
}

/// A picture loaded from a file.
package struct LoadedImage: Sendable {
  package var image: ColorImage
  /// A sentence about the file for the user; `nil` if there is none.
  package var note: UserMessage?

  package init(_ image: ColorImage, note: UserMessage? = nil) {
    self.image = image
    self.note = note
  }
}

/// An error in a picture file. The description is one sentence that names the file and the remedy.
package struct ImageFileError: Error, Hashable, Sendable, Codable, MessageConvertible,
  CustomStringConvertible
{
  /// The problem with the file.
  package enum Reason: Error, Hashable, Sendable, Codable {
    /// The file does not exist or cannot be read; with the system's message.
    case unreadable(String)
    /// The path is a folder, pipe or device.
    case notARegularFile
    /// The file is larger than `maximum` bytes.
    case fileTooLarge(maximum: Int)
    /// The content is not PNG, JPEG, WebP or GIF; with a description of it, or `nil` if it is
    /// unknown.
    case unsupported(String?)
    /// The picture has more pixels than are accepted.
    case tooManyPixels(PixelSize)
    /// The file ends before the picture does.
    case truncated
    /// The content cannot be decoded; with the decoder's message, or `nil`.
    case damaged(UserMessage?)
  }

  /// The path of the file.
  package let path: String
  /// The problem with the file.
  package let reason: Reason

  package init(path: String, reason: Reason) {
    self.path = path
    self.reason = reason
  }

  package var sentence: UserMessage {
    switch reason {
    case .unreadable(let why):
      "cannot open the picture \(file: path): \(why); check its name and whether it may be read."
    case .notARegularFile:
      "cannot open the picture \(file: path): it is not a regular file; name the picture itself."
    case .fileTooLarge(let maximum):
      "the picture \(file: path) has more than \(maximum >> 20) MB; save it smaller."
    case .unsupported(let what?):
      "\(file: path) is \(what), but only PNG, JPEG, WebP and GIF images are read: convert it."
    case .unsupported(nil):
      "\(file: path) does not hold a picture: name a PNG, JPEG, WebP or GIF file."
    case .tooManyPixels(let size):
      "the picture \(file: path) has \(size.width) x \(size.height) pixels, more than the 16384 a side "
        + "or 64 megapixels that are read: save it smaller."
    case .truncated:
      "the picture \(file: path) ends too early: fetch it again."
    case .damaged(let why):
      "cannot decode the picture \(file: path)\(why.map { " (\($0))" } ?? "" as UserMessage): it is "
        + "damaged; save it again."
    }
  }
}
