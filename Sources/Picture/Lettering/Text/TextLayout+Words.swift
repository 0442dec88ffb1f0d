import CTesseraPango
import TesseraCaptions
import TesseraLayout
import TesseraPixels

extension TextLayout {
  /// Returns the smallest rectangle around the letters in a byte range of the text, relative to the
  /// top left of the layout. The letters must be on one line.
  func place(of range: Range<Int>) -> Rect {
    guard !range.isEmpty, let first = rect(at: range.lowerBound) else {
      return Rect(x: 0, y: 0, width: 0, height: 0)
    }
    var (left, right) = (first.x, first.maxX)
    for byte in range.dropFirst() {
      guard let place = rect(at: byte), place.y == first.y else { continue }
      (left, right) = (min(left, place.x), max(right, place.maxX))
    }
    return Rect(x: left, y: first.y, width: right - left, height: first.height)
  }

  /// True if the letters of the byte range are on one line.
  func isOnOneLine(_ range: Range<Int>) -> Bool {
    guard let first = range.first, let last = range.last else { return true }
    return rect(at: first)?.y == rect(at: last)?.y
  }

  /// Returns the byte offsets in `text` at which a word may begin, by the rules of its script.
  static func breaks(in text: String, fonts: FontContext) -> [Int] {
    let layout = TextLayout(
      text, TextStyle(families: [], size: 16), .line(maximumWidth: nil), fonts: fonts)
    let lengths = text.unicodeScalars.map { UTF8.width($0) }
    return layout.wordBoundaries(lengths)
  }
}

extension LetteringRenderer {
  /// Splits a word written without blanks into parts between which a line may be broken.
  func pieces(_ word: String) -> [String] {
    guard word.contains(where: \.isDense) else { return [word] }
    var (pieces, last, bytes) = ([String](), 0, Array(word.utf8))
    let breaks = TextLayout.breaks(in: word, fonts: fonts).filter { $0 > 0 && $0 < bytes.count }
    for place in breaks + [bytes.count] where place > last {
      pieces.append(String(decoding: bytes[last..<place], as: UTF8.self))
      last = place
    }
    return pieces
  }
}
