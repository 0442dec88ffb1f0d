/// Opens still pictures for what draws with them: a module that decodes is plugged in.
package protocol ImageLoader: Sendable {
  /// The picture in the file at `path`, turned upright, and made smaller where its longer side
  /// has more than `longestSide` pixels.
  func image(at path: String, longestSide: Int) throws(ImageFileError) -> LoadedImage
}

/// A picture out of a file.
package struct LoadedImage: Sendable {
  /// The picture.
  package var image: ColorImage
  /// What its owner may want to know about the file, as a sentence; nil for nothing.
  package var note: String?

  /// `image`, with a note.
  package init(_ image: ColorImage, note: String? = nil) {
    self.image = image
    self.note = note
  }
}

/// Why a file cannot be used as a picture: one sentence that names it and says what to do.
package struct ImageFileError: Error, Hashable, Sendable, Codable, CustomStringConvertible {
  /// What is wrong with the file.
  package enum Reason: Error, Hashable, Sendable, Codable {
    /// There is no such file, or it may not be read; the system's own words.
    case unreadable(String)
    /// A folder, pipe or device.
    case notARegularFile
    /// The file has more bytes than any picture that is accepted.
    case fileTooLarge(maximum: Int)
    /// The content is not a PNG, JPEG, WebP or GIF picture, but what the text says; nil where
    /// nobody knows.
    case unsupported(String?)
    /// The picture has more pixels than are accepted.
    case tooManyPixels(PixelSize)
    /// The file ends before the picture does.
    case truncated
    /// The content cannot be decoded; the decoder's words, or nil.
    case damaged(String?)
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

  package var description: String {
    switch reason {
    case .unreadable(let why):
      "cannot open the picture \(path): \(why); check its name and whether it may be read."
    case .notARegularFile:
      "cannot open the picture \(path): it is not a regular file; name the picture itself."
    case .fileTooLarge(let maximum):
      "the picture \(path) has more than \(maximum >> 20) MB; save it smaller."
    case .unsupported(let what?):
      "\(path) is \(what), and pictures are read from PNG, JPEG, WebP and GIF files: save it as one."
    case .unsupported(nil):
      "\(path) does not hold a picture: name a PNG, JPEG, WebP or GIF file."
    case .tooManyPixels(let size):
      "the picture \(path) has \(size.width) x \(size.height) pixels, more than the 16384 a side "
        + "or 64 megapixels that are read: save it smaller."
    case .truncated:
      "the picture \(path) ends too early: fetch it again."
    case .damaged(let why):
      "cannot decode the picture \(path)" + (why.map { " (\($0))" } ?? "")
        + ": it is damaged; save it again."
    }
  }
}
