package import Foundation
package import TesseraPixels
package import TesseraTimeline

/// The expected content of an output, measured on the canvases and the mix before encoding.
/// Verification compares the finished file with the proof.
package struct OutputProof: Sendable, Codable {
  /// The version of the JSON format, read and written.
  package static let version = 2
  /// The suffix of a proof's file name. The proof is stored beside its output.
  package static let ending = ".proof"

  /// The version of the JSON format of this proof.
  package var version = OutputProof.version
  /// The name and version of the program that wrote the proof.
  package var tool: String
  package var duration: MediaTime
  /// The output's title tag.
  package var title: String?
  /// The output's chapters.
  package var chapters: [TimedText] = []
  /// The output's subtitle streams.
  package var captions: [Captions] = []
  /// The video of the output; `nil` if it has no video.
  package var pictures: Pictures?
  /// The audio of the output; `nil` if it has no audio.
  package var sound: Sound?
  /// The renditions of a segmented stream (HLS), which has no ``pictures`` of its own.
  package var rungs: [Rung]?

  /// A timed text: a chapter or a caption.
  package struct TimedText: Hashable, Sendable, Codable {
    /// The start, in milliseconds.
    package var start: Int64
    /// The end, in milliseconds; `nil` if the mark lasts until the next one.
    package var end: Int64?
    package var text: String

    /// Creates a mark with `text` from `start` to `end`, in milliseconds.
    package init(start: Int64, end: Int64? = nil, text: String) {
      (self.start, self.end, self.text) = (start, end, text)
    }
  }

  /// One subtitle stream.
  package struct Captions: Hashable, Sendable, Codable {
    /// The language as a three-letter code.
    package var language: String?
    /// The captions in order of time.
    package var cues: [TimedText]

    package init(language: String?, cues: [TimedText]) {
      (self.language, self.cues) = (language, cues)
    }
  }

  /// The expected video of an output.
  package struct Pictures: Sendable, Codable {
    package var size: PixelSize
    package var frameRate: FrameRate
    package var frameCount: Int
    /// The slots that tiles show. ``ProofTile/slot`` is an index into this array.
    package var slots: [TileOwner]
    /// The measured canvases, by segments in presentation order.
    package var segments: [Segment]

    /// Creates a proof of video without measurements.
    package init(size: PixelSize, frameRate: FrameRate, frameCount: Int, slots: [TileOwner]) {
      (self.size, self.frameRate, self.frameCount) = (size, frameRate, frameCount)
      (self.slots, segments) = (slots, [])
    }
  }

  /// The owner of a tile: a person's camera or screen.
  package struct TileOwner: Hashable, Sendable, Codable {
    /// The person's name.
    package var name: String
    /// True if the slot shows the person's shared screen.
    package var isScreen: Bool

    package init(_ name: String, isScreen: Bool) { (self.name, self.isScreen) = (name, isScreen) }
  }

  /// Consecutive frames that were composed by one job, with their measurements.
  package struct Segment: Sendable, Codable {
    /// The number of the first frame, and the number of frames.
    package var (first, count): (Int, Int)
    /// The segment's ``CanvasMeasurements``, encoded by a ``MeasurementWriter``.
    package var marks: Data

    /// Creates a segment of `count` frames, starting with number `first`.
    package init(first: Int, count: Int, marks: Data) {
      (self.first, self.count, self.marks) = (first, count, marks)
    }
  }

  /// The expected audio of an output.
  package struct Sound: Sendable, Codable {
    /// The number of samples per channel, at 48 kHz.
    package var sampleCount: Int64
    /// The mix's levels as a ``SoundEnvelopeMeter`` stores them.
    package var levels: Data
    /// The maximum true peak that the limiter allowed, in dBTP; `nil` if there was no limit.
    package var ceiling: Double?
    /// The time spans in which each person speaks.
    package var turns: [Turn]

    /// Creates a proof of `sampleCount` samples per channel.
    package init(sampleCount: Int64, levels: Data, ceiling: Double?, turns: [Turn]) {
      (self.sampleCount, self.levels) = (sampleCount, levels)
      (self.ceiling, self.turns) = (ceiling, turns)
    }
  }

  /// A time span in which one person speaks.
  package struct Turn: Hashable, Sendable, Codable {
    /// The person's name.
    package var name: String
    /// The start and the end, in milliseconds.
    package var (start, end): (Int64, Int64)

    /// Creates the turn of the person `name`, from `start` to `end` in milliseconds.
    package init(_ name: String, start: Int64, end: Int64) {
      (self.name, self.start, self.end) = (name, start, end)
    }
  }

  /// Creates a proof that states only the duration.
  package init(tool: String, duration: MediaTime) { (self.tool, self.duration) = (tool, duration) }

  /// One size of a segmented stream. All rungs show the same pictures.
  package struct Rung: Sendable, Codable {
    /// The name of the rung's folder.
    package var name: String
    package var pictures: Pictures

    package init(_ name: String, _ pictures: Pictures) {
      (self.name, self.pictures) = (name, pictures)
    }
  }

  /// Returns the proof of one rung of a segmented stream, or of its audio if `name` is no rung. The
  /// part has no chapters or captions, because separate files carry them.
  package func part(_ name: String) -> OutputProof {
    var part = OutputProof(tool: tool, duration: duration)
    part.pictures = rungs?.first { $0.name == name }?.pictures
    part.sound = part.pictures == nil ? sound : nil
    return part
  }
}
