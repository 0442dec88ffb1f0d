import Foundation
import TesseraCodecs
import TesseraMessages
import TesseraPlan
import TesseraSoundtrack
import TesseraSystem

/// A report that is stored as JSON at the end of the file of a piece.
protocol PieceReport: Codable {}

extension PieceReport {
  var text: String { CanonicalJSON.text(self, by: CanonicalJSON.internalEncoder) }

  /// Parses the note of a finished piece; nil if it is malformed.
  init?(_ text: String) {
    guard let note: Self = CanonicalJSON.value(Data(text.utf8)) else { return nil }
    self = note
  }
}

/// The result of rendering a segment, stored as JSON at the end of its file.
struct SegmentReport: PieceReport {
  /// The decoding results of each track. Frames count from the segment's first frame.
  @SortedKeyDictionary var pictures: [TrackID: PictureStatistics.TimelinePart]
  /// Number of samples that were written onto the canvas.
  var pixelsWritten: Int
  /// The crash losses that were applied to the segment.
  var crashes: [CrashedTrackLoss]
  /// True if a file could not be read as it was during planning. The segment is usable for now, but
  /// is rendered again next time.
  var isMakeshift: Bool
  /// The measurements of its canvases, as a `MeasurementWriter` writes them; nil if no proof is
  /// recorded.
  var marks: Data?
}

/// The result of mixing the sound or a piece of it, stored as JSON at the end of its file.
struct SoundReport: PieceReport {
  /// The mixing results of each voice, in the plan's order.
  var voices: [VoiceReport]
  /// The crash losses that were applied to the sound.
  var crashes: [CrashedTrackLoss]
  /// The loudness over time: the levels of a `SoundEnvelopeMeter`. nil for a piece.
  var levels: Data?
  /// True if a file could not be read as it was during planning. The sound is usable for now, but
  /// is made again next time.
  var isMakeshift: Bool { voices.contains { $0.failure != nil || $0.losses.areOfChange } }
}

extension [MediaLoss] {
  /// True if a file lacks data that it had during planning.
  var areOfChange: Bool {
    contains { loss in
      if case .shrunk = loss.cause { true } else { false }
    }
  }
}

extension RenderError {
  /// Explains why encoding or writing `output` failed.
  init(_ error: FFmpegError, output: String) {
    if error.isOutOfSpace {
      let folder = URL(fileURLWithPath: output).deletingLastPathComponent().path
      self.init(
        .temporary,
        "the disk with \(file: folder) is full (\(error.reason)); make room there or name another "
          + "output. An earlier output is untouched.")
    } else if error.isRefusal {
      self.init(.usage, "\(error); choose another encoder, preset or option of it.")
    } else {
      self.init(.failure, "\(error).")
    }
  }
}
