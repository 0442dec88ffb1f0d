package import TesseraCaptions
package import TesseraLayout
import TesseraPixels
package import TesseraPlan
package import TesseraRecordings
package import TesseraRequest
package import TesseraSoundtrack
package import TesseraTimeline

/// What somebody wants made of a call: one video, or one file of sound.
package struct Rendition: Sendable {
  /// What kind of file it is.
  package var output: OutputFormat
  /// Who goes where, all along; nil is as the recording says, else ``AutoLayout``.
  package var layout: (any LayoutPolicy)?
  /// Whether the rate is the lowest at which no picture of the recordings is lost.
  package var findsFrameRate = false
  /// The canvas where one of its sides is left to the layout; nil takes the output's size.
  package var size: ProposedSize?
  /// The distance between tiles in pixels; nil is 0.6 % of the canvas's short side.
  package var gap: Double?
  /// How the layout moves when somebody comes or leaves.
  package var transition = Transition.standard
  /// The most tiles that are shown at once; the last one stands for everyone else.
  package var maximumTiles = 25
  /// Whether somebody said so: those without a tile are then left out on purpose.
  package var limitsTiles = false
  /// The large person, named as in ``CallRequest/local``; nil leaves it to the layout.
  package var focus: String?
  /// The only people that are seen and heard, named as in ``CallRequest/local``; empty is everyone.
  package var only: [String] = []
  /// The people that are neither seen nor heard, named as in ``CallRequest/local``.
  package var excluded: [String] = []
  /// The people that are heard but have no tile, named as in ``CallRequest/local``.
  package var hidden: [String] = []
  /// Somebody who is always seen, in a place that nothing else takes.
  package var keptVisible: KeptPerson?
  /// The people who have a tile.
  package var tiles = TileChoice.all
  /// How loud the mix is to be; voices are then brought to one level.
  package var loudness = LoudnessTarget.off
  /// By how many decibels the sound of shared screens is turned down while somebody speaks.
  package var duck = 0.0
  /// The only people that are heard, named as in ``CallRequest/local``; empty is everyone. They all
  /// have tiles.
  package var onlySound: [String] = []
  /// The people that are not heard, named as in ``CallRequest/local``; they have tiles.
  package var excludedSound: [String] = []
  /// Whether pictures are wanted; without, nobody has to be seen.
  package var hasPictures = true
  /// The point of somebody's picture that cropping keeps in sight.
  package var fitFocus: [FitFocus] = []
  /// Whether cropping keeps faces in sight where nothing else is said of a person.
  package var followsFaces = false
  /// The part of a tile's height that heads take; nil is as they were recorded.
  package var headShare: Double?
  /// How long the last picture is held before the card: zero is for as long as the recording
  /// continues; nil is 5 s for cameras, and zero for what is not a camera.
  package var freezeAfter: MediaTime?
  /// Whether the file has chapters.
  package var hasChapters = true
  /// The chapters by times of the call; nil finds them, or takes those of the recording.
  package var ownChapters: [ChapterFile.Mark]?
  /// What lies over the tiles.
  package var overlays = OverlayRequest()
  /// Captions that players can turn on and off, a track each.
  package var captionTracks: [CaptionTrack] = []
  /// What people should know about the files that were read for it; a sentence each.
  package var notes: [String] = []
  /// What of the call is kept, by its times.
  package var cut = CutList.whole
  /// Why parts of it are cut, where that is known.
  package var reasons: [Edits.Part] = []
  /// Transcripts of the call in which somebody has struck words.
  package var transcriptEdits: [TranscriptEdit] = []
  /// Words that are struck wherever they are said, as ``Swift/String/wordKey``s.
  package var fillers: Set<String> = []
  /// Whether sounds without a word are looked for, which somebody may want to cut.
  package var findsCandidates = false
  /// When people are silent.
  package var mutes: [Edits.Mute] = []
  /// How pauses in which nobody speaks are tightened; nil leaves them.
  package var tighten: TightenSettings?
  /// Where the rendered part begins.
  package var from: MediaTime?
  /// Where the rendered part ends.
  package var to: MediaTime?
  /// The row of a table of clips, or the chapter, that asks for this part; `nil` for options.
  package var partSource: String?
  /// Whether both move to pauses between sentences that are near.
  package var snaps = false

  /// All of a call.
  package init(output: OutputFormat, layout: (any LayoutPolicy)? = nil) {
    (self.output, self.layout) = (output, layout)
  }
}
