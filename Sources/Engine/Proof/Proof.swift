package import Foundation
package import TesseraPixels
package import TesseraTimeline

/// What an output has to show and to sound like: measured while it was composed, before it was
/// encoded.
package struct Proof: Sendable, Codable {
  /// The version of its JSON that is read and written.
  package static let version = 2
  /// What the name of a proof ends in, which lies beside its output.
  package static let ending = ".proof"

  /// ``version``.
  package var version = Proof.version
  /// Whose it is.
  package var tool: String
  /// How long the output is.
  package var duration: MediaTime
  /// The title that it carries.
  package var title: String?
  /// The chapters that it carries.
  package var chapters: [Mark] = []
  /// The captions that it carries.
  package var captions: [Captions] = []
  /// Its pictures; nil where it has none.
  package var pictures: Pictures?
  /// Its sound.
  package var sound: Sound?
  /// The pictures of each size of a stream, which has no other ones.
  package var rungs: [Rung]?

  /// A text at a time.
  package struct Mark: Hashable, Sendable, Codable {
    /// When it is, in milliseconds.
    package var start: Int64
    /// Until when it is, in milliseconds; nil where the next one follows.
    package var end: Int64?
    /// What it says.
    package var text: String

    /// `text` from `start` to `end`.
    package init(start: Int64, end: Int64? = nil, text: String) {
      (self.start, self.end, self.text) = (start, end, text)
    }
  }

  /// A stream of captions.
  package struct Captions: Hashable, Sendable, Codable {
    /// The language as three letters.
    package var language: String?
    /// What is read.
    package var cues: [Mark]

    /// `cues` in a language.
    package init(language: String?, cues: [Mark]) { (self.language, self.cues) = (language, cues) }
  }

  /// The pictures of an output.
  package struct Pictures: Sendable, Codable {
    /// The canvas.
    package var size: PixelSize
    /// Frames a second.
    package var frameRate: FrameRate
    /// How many there are.
    package var frameCount: Int
    /// Whose tiles are drawn: names, and whether somebody's screen.
    package var slots: [Slot]
    /// What is to be seen, by segments in their order: what a ``MarkWriter`` wrote.
    package var segments: [Segment]

    /// Pictures of which nothing is known yet.
    package init(size: PixelSize, frameRate: FrameRate, frameCount: Int, slots: [Slot]) {
      (self.size, self.frameRate, self.frameCount) = (size, frameRate, frameCount)
      (self.slots, segments) = (slots, [])
    }
  }

  /// Whose a tile is.
  package struct Slot: Hashable, Sendable, Codable {
    /// The person.
    package var name: String
    /// Whether it shows what the person shares.
    package var isScreen: Bool

    /// The tile of `name`.
    package init(_ name: String, isScreen: Bool) { (self.name, self.isScreen) = (name, isScreen) }
  }

  /// Frames in a row that were composed together.
  package struct Segment: Sendable, Codable {
    /// The number of the first one, and how many there are.
    package var (first, count): (Int, Int)
    /// What a ``MarkWriter`` wrote.
    package var marks: Data

    /// `count` frames from `first` on.
    package init(first: Int, count: Int, marks: Data) {
      (self.first, self.count, self.marks) = (first, count, marks)
    }
  }

  /// The sound of an output.
  package struct Sound: Sendable, Codable {
    /// How many samples of each channel there are, at 48 kHz.
    package var sampleCount: Int64
    /// The levels of a ``SoundEnvelope``.
    package var levels: Data
    /// The highest true peak that was allowed, in dBTP.
    package var ceiling: Double?
    /// The turns of the speakers.
    package var turns: [Turn]

    /// Sound of which so many samples were mixed.
    package init(sampleCount: Int64, levels: Data, ceiling: Double?, turns: [Turn]) {
      (self.sampleCount, self.levels) = (sampleCount, levels)
      (self.ceiling, self.turns) = (ceiling, turns)
    }
  }

  /// Somebody speaks.
  package struct Turn: Hashable, Sendable, Codable {
    /// The person.
    package var name: String
    /// From when to when, in milliseconds.
    package var (start, end): (Int64, Int64)

    /// `name` speaks.
    package init(_ name: String, start: Int64, end: Int64) {
      (self.name, self.start, self.end) = (name, start, end)
    }
  }

  /// Nothing but how long it is.
  package init(tool: String, duration: MediaTime) { (self.tool, self.duration) = (tool, duration) }

  /// The same pictures at one size.
  package struct Rung: Sendable, Codable {
    /// What its folder is called.
    package var name: String
    /// Its pictures.
    package var pictures: Pictures

    /// The rung `name`.
    package init(_ name: String, _ pictures: Pictures) {
      (self.name, self.pictures) = (name, pictures)
    }
  }

  /// What the rung `name` of a stream has to be, or its sound, which belongs to no rung: without texts, which lie elsewhere.
  package func part(_ name: String) -> Proof {
    var part = Proof(tool: tool, duration: duration)
    part.pictures = rungs?.first { $0.name == name }?.pictures
    part.sound = part.pictures == nil ? sound : nil
    return part
  }
}
