package import TesseraTimeline

/// A composed call as an editor's project: every original file at its place, cut as the output is,
/// and above them a programme: what the layout shows largest.
///
/// All times of the timeline are whole frames of the output; cuts of the call apply to every
/// track, and each clip still refers to the whole file, so that an editor can lengthen it.
package struct Project: Hashable, Sendable {
  /// A file that clips refer to.
  package struct Media: Hashable, Sendable {
    /// Its absolute path.
    package var path: String
    /// The stream in it that is meant, from 0.
    package var stream: Int
    /// How long it is, from its beginning.
    package var duration: MediaTime
  }

  /// A part of a file.
  package struct Clip: Hashable, Sendable {
    /// What it is called: the person, or the person's screen.
    package var name: String
    /// The number of the file among ``Project/media``.
    package var media: Int
    /// The time in the file, from its beginning, at which it begins.
    package var source: ExactTime
    /// Where it stands, in frames of the output.
    package var frames: Range<Int>
    /// Timeline seconds in a second of the file; other than 1 where its recorder's clock ran slow or
    /// fast.
    package var rate: Ratio
  }

  /// What a track holds.
  package enum Kind: Hashable, Sendable {
    case pictures, sound
  }

  /// Clips one after the other, with gaps between them.
  package struct Track: Hashable, Sendable {
    package var name: String
    package var kind: Kind
    /// In order; none overlap.
    package var clips: [Clip] = []
    /// Whether it is what is shown and heard: an editor hides the pictures of all others.
    package var isProgramme = false
  }

  /// A moment or stretch with a name.
  package struct Marker: Hashable, Sendable {
    package var name: String
    package var frames: Range<Int>
    /// Whether it is a chapter's, and not somebody's turn.
    package var isChapter: Bool
  }

  package var name: String
  package var rate: FrameRate
  /// The size of the pictures.
  package var width, height: Int
  /// How many frames it has.
  package var frameCount: Int
  package var media: [Media] = []
  /// From the lowest to the highest; the programme is the highest of the pictures.
  package var tracks: [Track] = []
  package var markers: [Marker] = []
  /// What an editor cannot show, a sentence each.
  package var notes: [String] = []

  /// The formats of projects, by the endings of files.
  package enum Format: String, CaseIterable, Sendable {
    /// OpenTimelineIO.
    case otio
    /// MLT's, which Shotcut, Kdenlive and `melt` read.
    case mlt
    /// An edit decision list (CMX 3600) of the programme.
    case edl
  }

  /// The frame of a file that has the rate of the timeline which is shown at `time` of it.
  func frame(at time: ExactTime) -> Int { Int(saturating: (time.seconds * perSecond).rounded()) }

  /// Frames a second.
  var perSecond: Double { Double(rate.numerator) / Double(rate.denominator) }

  /// The text of a file.
  package func text(_ format: Format) -> String {
    switch format {
    case .otio: otio
    case .mlt: mlt
    case .edl: edl
    }
  }
}
