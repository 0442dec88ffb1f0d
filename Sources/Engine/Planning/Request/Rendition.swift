package import TesseraCaptions
package import TesseraLayout
package import TesseraMessages
import TesseraPixels
package import TesseraPlan
package import TesseraRecordings
package import TesseraRequest
package import TesseraSoundtrack
package import TesseraTimeline

/// One file to make from a call: its format, layout, participants, sound, edits and overlays.
package struct Rendition: Sendable {
  /// The format of the file: encoders, size, frame rate and style.
  package var output: OutputFormat
  /// The layout for the whole call; `nil` for the recording's own, otherwise ``AutoLayout``.
  package var layout: (any LayoutPolicy)?
  /// True to use the lowest frame rate at which no picture of the recordings is lost, at most 30
  /// fps.
  package var findsFrameRate = false
  /// The canvas size if one of its sides is left to the layout; `nil` for the output's size.
  package var size: ProposedSize?
  /// The gap between tiles in pixels; `nil` for the theme's, otherwise 0.6 % of the canvas's
  /// shorter side.
  package var gap: Double?
  /// The transition of tiles when a participant joins or leaves.
  package var transition = LayoutTransition.standard
  /// The maximum number of tiles. The last tile stands for everyone else.
  package var maximumTiles = 25
  /// True if the user set ``maximumTiles``. Participants without a tile are then left out on
  /// purpose.
  package var limitsTiles = false
  /// The participant shown large, named as in ``CallRequest/local``; `nil` if the layout decides.
  package var focus: String?
  /// The only participants that are seen and heard, named as in ``CallRequest/local``; empty for
  /// all.
  package var only: [String] = []
  /// The participants that are neither seen nor heard, named as in ``CallRequest/local``.
  package var excluded: [String] = []
  /// The participants that are heard but have no tile, named as in ``CallRequest/local``.
  package var hidden: [String] = []
  /// A participant that is always visible in a reserved part of the canvas; `nil` for none.
  package var keptVisible: ReservedPlaceOption?
  /// The choice of participants that get a tile.
  package var tiles = TiledParticipants.all
  /// The loudness target of the mix. If set, voices are also leveled.
  package var loudness = LoudnessTarget.off
  /// The attenuation in dB of shared screens' audio while someone speaks.
  package var duck = 0.0
  /// The only participants that are heard, named as in ``CallRequest/local``; empty for all. The
  /// others keep their tiles.
  package var onlySound: [String] = []
  /// The participants that are not heard, named as in ``CallRequest/local``. They keep their tiles.
  package var excludedSound: [String] = []
  /// False for an audio-only file, for which no participant has to be visible.
  package var hasPictures = true
  /// Points of participants' pictures that cropping keeps visible.
  package var fitFocus: [PersonFocus] = []
  /// True if cropping keeps faces visible for participants without an explicit point.
  package var followsFaces = false
  /// The fraction of a tile's height that a head takes; `nil` keeps the recorded size.
  package var headShare: Double?
  /// The time for which the last picture is held before a card replaces it. Zero holds it as long
  /// as the recording continues. `nil` is 5 s for cameras and zero for others.
  package var freezeAfter: MediaTime?
  /// True to write chapters into the file.
  package var hasChapters = true
  /// The user's chapters in times of the call; `nil` for those of the recording, or automatic ones.
  package var ownChapters: [ChapterFileReader.ChapterMark]?
  /// The overlays over the tiles.
  package var overlays = OverlayRequest()
  /// Caption tracks that players can turn on and off.
  package var captionTracks: [CaptionTrack] = []
  /// Notes for the user about files read for this rendition, one sentence each.
  package var notes: [UserMessage] = []
  /// The parts of the call that are kept, in times of the call.
  package var cut = KeptRanges.whole
  /// The cut parts with their reasons, as far as they are known.
  package var reasons: [EditList.EditedRange] = []
  /// Transcripts of the call in which words are struck.
  package var transcriptEdits: [EditedTranscript] = []
  /// Filler words that are struck wherever they are spoken, as ``Swift/String/wordKey``s.
  package var fillers: Set<String> = []
  /// True to search for sounds without words, as suggestions for further cuts.
  package var findsCandidates = false
  /// The times at which participants are muted.
  package var mutes: [EditList.MutedRange] = []
  /// The settings for tightening pauses in which nobody speaks; `nil` leaves them unchanged.
  package var tighten: TightenSettings?
  /// The start of the rendered part; `nil` for the start of the call.
  package var from: MediaTime?
  /// The end of the rendered part; `nil` for the end of the call.
  package var to: MediaTime?
  /// The table row of a clip, the chapter, or the further output that defines this part, for
  /// messages; `nil` if the main output's options define it.
  package var partSource: UserMessage?
  /// True to move ``from`` and ``to`` to nearby pauses between sentences.
  package var snaps = false

  /// Creates a rendition of the whole call.
  package init(output: OutputFormat, layout: (any LayoutPolicy)? = nil) {
    (self.output, self.layout) = (output, layout)
  }
}
