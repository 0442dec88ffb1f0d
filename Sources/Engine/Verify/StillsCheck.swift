import TesseraCodecs
import TesseraMessages
import TesseraPixels
import TesseraSystem
import TesseraTimeline

/// Checks still pictures: a poster, or thumbnail sheets against the WebVTT list that names their
/// parts.
enum StillsCheck {
  /// True if `path` names a picture or a thumbnail list.
  static func takes(_ path: String) -> Bool {
    [".jpg", ".jpeg", ".png", ".webp", ".vtt"].contains { path.lowercased().hasSuffix($0) }
  }

  /// The maximum size of a list in bytes.
  private static let largestList = 16 << 20
  /// The largest gap between the times of two thumbnails, in seconds, that is not reported.
  private static let gap = 0.002

  /// Checks the picture at `path`, or the pictures of the list at `path`, and adds to `verdict`.
  ///
  /// - Throws: ``MediaError`` if the list cannot be read.
  static func verdict(on path: String, _ verdict: VerificationReport) throws(MediaError)
    -> VerificationReport
  {
    var verdict = verdict
    guard path.lowercased().hasSuffix(".vtt") else {
      if let size = size(of: path, &verdict) {
        verdict.look(at: .container, "\(size.width)x\(size.height) pixels")
      }
      return verdict
    }
    guard let bytes = try? RegularFile.bytes(path, atMost: largestList) else {
      throw MediaError(path: path, reason: .unreadable("it cannot be read as a list of thumbnails"))
    }
    look(at: String(decoding: bytes, as: UTF8.self), in: path, &verdict)
    return verdict
  }

  /// Checks the times of the list, and that each named part is inside its picture.
  private static func look(at text: String, in path: String, _ verdict: inout VerificationReport) {
    let folder = path.folderPath
    var (sizes, last, times, count) = ([String: PixelSize?](), 0.0, (0.0, 0.0), 0)
    for line in text.split(whereSeparator: \.isNewline) {
      if let found = Self.times(line) {
        times = found
      } else if let (name, area) = place(line) {
        count += 1
        if abs(times.0 - last) > gap {
          verdict.note(.frames, from: last, to: times.0, "no picture is named for this time")
        }
        last = times.1
        if sizes[name] == nil { sizes[name] = .some(size(of: folder + name, &verdict)) }
        guard let size = sizes[name] ?? nil else { continue }
        if area.isEmpty || area.columns.upperBound > size.width
          || area.rows.upperBound > size.height
        {
          verdict.note(
            .container, from: times.0, to: times.1,
            "\(name) has \(size.width)x\(size.height) pixels, and the thumbnail is outside")
        }
      }
    }
    verdict.look(at: .frames, "\(count) thumbnails in \(sizes.count) pictures")
    if count == 0 { verdict.note(.frames, "no picture is named") }
  }

  /// Decodes the picture at `path` and returns its size; `nil` after reporting a failure.
  private static func size(of path: String, _ verdict: inout VerificationReport) -> PixelSize? {
    verdict.look(at: .decoding)
    do throws(ImageFileError) {
      return try StillDecoder().image(at: path, longestSide: .max).image.size
    } catch {
      verdict.note(.decoding, "\(error)")
      return nil
    }
  }

  private static func times(_ line: Substring) -> (Double, Double)? {
    let words = line.split(separator: " ")
    guard words.count >= 3, words[1] == "-->", let start = MediaTime(String(words[0])),
      let end = MediaTime(String(words[2]))
    else { return nil }
    return (start.seconds, end.seconds)
  }

  /// Returns the file name and the rectangle in a line such as `sheet-001.jpg#xywh=0,0,320,180`.
  private static func place(_ line: Substring) -> (String, PixelRect)? {
    guard let mark = line.firstRange(of: "#xywh=") else { return nil }
    let numbers = line[mark.upperBound...].split(separator: ",").compactMap { Int($0) }
    guard numbers.count == 4, line[..<mark.lowerBound].pathParts.count == 1,
      numbers.allSatisfy({ 0..<1 << 20 ~= $0 })
    else { return nil }
    return (
      String(line[..<mark.lowerBound]),
      PixelRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    )
  }
}
