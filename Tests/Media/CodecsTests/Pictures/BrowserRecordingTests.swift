import TesseraPixels
import TesseraSystem
import TestSupport
import Testing

@testable import TesseraCodecs

/// Rebuilt files of browsers' recorders.
@Suite(.timed) struct BrowserRecordingTests {
  @Test("Without alpha a disabled camera is black, and alpha returns later")
  func cameraOff() throws {
    let path = try RecordingFolders.path("browser-off/ada.webm")
    var source = try #require(try PictureSource.preferred(path))
    source.background = .white
    let pictures = try source.pictures()
    try #require(pictures.count == 40)
    for (place, picture) in pictures.map(\.picture).enumerated() {
      // Red at half over white, and opaque black.
      let luma = (15..<25).contains(place) ? 16 : 160
      #expect(abs(Int(picture.luma[80, 45]) - luma) <= 3, "picture \(place)")
    }
    // Pictures are the same from any start.
    let all = try source.shown()
    for start in source.index.keyframes.map(Int.init) {
      #expect(try source.shown(from: start) == all.filter { $0.packet >= start })
    }
  }

  @Test(
    "Without the parameter sets of a new size, nothing is shown, with a reason")
  func missingParameters() throws {
    let path = try RecordingFolders.path("browser-resize/ada.mp4")
    let source = try #require(try PictureSource.preferred(path))
    var reader = try PictureReader.open(source, cancellation: Cancellation())
    var (shown, blank): ([Int], [Int]) = ([], [])
    while let packet = reader.next()?.packet {
      if reader.isBlank { blank.append(packet) } else { shown.append(packet) }
    }
    #expect(shown == Array(0..<10) + Array(30..<40) && blank == [10])
    #expect(
      reader.takeLosses().map { "\($0.packet) \($0.cause.self)" }.sorted()
        == (10..<30).map { "\($0) \(MediaLoss.Cause.missingParameters(1))" }.sorted())
  }

  /// K is a keyframe without parameter sets, k another keyframe; p depends on them. Damaged packets
  /// have an exclamation mark.
  @Test(arguments: [
    ("K p p K p", "shown shown shown shown shown"),
    ("K p K! p p", "shown shown inDoubt both2 shown"),
    ("K p K! p! p K p", "shown shown inDoubt unknown2 still shown shown"),
    ("K p K! p! p! K! p! K p", "shown shown inDoubt unknown2 still still still shown shown"),
    ("K p k! p! p!", "shown shown shown shown shown"),
    ("K K! p! k! p", "shown inDoubt unknown1 shown shown"),
    ("K p! p! p!", "shown shown shown shown"),
  ])
  func watch(pictures: String, verdicts: String) {
    var watch = ParameterSetCheck()
    let seen = pictures.split(separator: " ").enumerated().map { number, picture in
      let isKeyframe = picture.first != "p"
      if isKeyframe {
        watch.sendKeyframe(number, lacksParameterSets: picture.first == "K")
      }
      return
        switch watch.see(
          number, isKeyframe: isKeyframe, isDamaged: picture.last == "!")
      {
      case .shown: "shown"
      case .inDoubt: "inDoubt"
      case .bothShown(let first): "both\(first)"
      case .unknown(let first): "unknown\(first)"
      case .stillUnknown: "still"
      }
    }
    #expect(seen.joined(separator: " ") == verdicts)
  }
}
