import Foundation
import TesseraCodecs
import TesseraPlan
import TesseraSoundtrack
import TesseraSystem

/// What making a segment came to; it stands at the end of its file.
struct SegmentNote: Codable {
  /// What became of each track's pictures, with frames counted from the segment's first one.
  @CodedInOrder var pictures: [TrackID: PictureTally.Part]
  /// Samples that were written onto the canvas.
  var pixelsWritten: Int
  /// What it was made without, because that brought workers down.
  var crashes: [CrashLoss]
  /// Whether a file could not be read as it was when the plan was made: the piece does for now, but
  /// is made again the next time.
  var isMakeshift: Bool
  /// What its canvases show, where the output is proven: what a `MarkWriter` wrote.
  var marks: Data?
}

/// What making the sound came to.
struct SoundNote: Codable {
  /// What each voice came to, in the plan's order.
  var voices: [VoiceReport]
  /// What it was made without.
  var crashes: [CrashLoss]
  /// How loud it is: the levels of a `SoundEnvelope`.
  var levels: Data?
  /// As ``SegmentNote/isMakeshift``.
  var isMakeshift: Bool { voices.contains { $0.failure != nil || $0.losses.areOfChange } }
}

extension [MediaLoss] {
  /// Whether the file lacks what it had.
  var areOfChange: Bool {
    contains { loss in
      if case .shrunk = loss.cause { true } else { false }
    }
  }
}

extension SegmentNote {
  var text: String { PlainJSON.text(self) }

  /// The note of a finished segment; nil where there is none.
  package init?(_ text: String) {
    guard let note = PlainJSON.value(Data(text.utf8), as: Self.self) else {
      return nil
    }
    self = note
  }
}

extension SoundNote {
  var text: String { PlainJSON.text(self) }

  /// The note of a finished soundtrack; nil where there is none.
  init?(_ text: String) {
    guard let note = PlainJSON.value(Data(text.utf8), as: Self.self) else {
      return nil
    }
    self = note
  }
}

extension RenderError {
  /// Why `output` cannot be made.
  init(_ error: FFmpegError, output: String) {
    if error.isOutOfSpace {
      let folder = URL(fileURLWithPath: output).deletingLastPathComponent().path
      self.init(
        .temporary,
        "the disk with \(folder) is full (\(error.reason)); make room there or name another "
          + "output. An earlier output is untouched.")
    } else if error.isRefusal {
      self.init(.usage, "\(error); choose another encoder, preset or option of it.")
    } else {
      self.init(.failure, "\(error).")
    }
  }
}
