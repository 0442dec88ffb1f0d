import TesseraCaptions
package import TesseraCodecs
import TesseraDocuments
import TesseraLayout
import TesseraLettering
import TesseraMessages
import TesseraPixels
import TesseraPlan
import TesseraRecordings
package import TesseraRequest
import TesseraSoundtrack
package import TesseraSystem
import TesseraTimeline

extension RenditionOptions {
  /// Creates the rendition of the call `input`, with defaults for options that are not set.
  ///
  /// - Parameters:
  ///   - input: The call, whose recording may set defaults.
  ///   - container: The format of the file; `nil` if it is not known yet.
  ///   - name: The name of the file in messages.
  /// - Returns: The rendition for the planner.
  /// - Throws: ``RenderError`` if a file that an option names cannot be read, or if the options
  ///   contradict each other or the kind of file.
  package func rendition(
    of input: ImportedCall, as container: OutputContainer? = nil, called name: String = "the output"
  ) throws(RenderError) -> Rendition {
    if let purpose {
      var options = over(
        purpose.options(for: encoder ?? (container ?? .mp4).videoEncoder))
      options.purpose = nil
      return try options.rendition(of: input, as: container, called: name)
    }
    let policy: (any LayoutPolicy)? =
      if let layout { try layout.policy() } else { nil }
    let wish = input.recording.canvas
    let size = try canvas(of: policy, input)
    var format = OutputFormat(
      video: videoSettings(
        size: size.widescreenPixels, frameRate: frameRate ?? wish.frameRate ?? .thirty, container),
      audio: try soundSettings(container, name), style: try style(), filter: filter ?? .bicubic,
      fit: fit ?? .auto, title: title)
    if let color = color(wish) ?? policy?.background.map(Color.init(rgb:)) {
      format.background = color
    }
    var rendition = Rendition(output: format, layout: policy)
    (rendition.size, rendition.findsFrameRate) = (size, findsFrameRate)
    if let keys = (policy as? RegionLayout)?.ignoredKeys, !keys.isEmpty {
      let name: UserMessage = layout?.file.map { "\(file: $0)" } ?? "the layout"
      rendition.notes.append(
        "\(name): these keys are ignored: \(keys.joined(separator: ", ")).")
    }
    rendition.gap = gap.map(Double.init)
    if let transition { rendition.transition.duration = transition }
    if let maximumTiles {
      (rendition.maximumTiles, rendition.limitsTiles) = (maximumTiles, true)
      if policy?.overflow == .everyone {
        rendition.notes.append(
          "\(option: "max-tiles") has no effect, as this layout decides itself who is shown.")
      }
    }
    rendition.focus = focus
    (rendition.only, rendition.excluded) = (only ?? [], excluded ?? [])
    (rendition.hidden, rendition.tiles) = (hidden ?? [], tiles ?? .all)
    rendition.keptVisible = keptVisible
    rendition.hasChapters = hasChapters ?? true
    rendition.ownChapters = try ownChapters()
    rendition.fitFocus = fitFocus ?? []
    (rendition.followsFaces, rendition.headShare) = (followsFaces || headShare != nil, headShare)
    rendition.freezeAfter = freezeAfter
    (rendition.from, rendition.to, rendition.snaps) = (from, to, snaps ?? false)
    try applyEdits(to: &rendition)
    rendition.fillers = Set((fillers?.words ?? []).map(\.wordKey))
    rendition.tighten = tighten?.settings
    applySound(to: &rendition, container)
    try applyCaptionTracks(to: &rendition, container, name)
    rendition.overlays = try overlays(&rendition.notes)
    if background == nil, let path = wish.background, Color(path) == nil {
      rendition.overlays.background = input.path(of: path)
    }
    return rendition
  }

  /// Reads the chapters in the file that the option names.
  private func ownChapters() throws(RenderError) -> [ChapterFileReader.ChapterMark]? {
    guard let path = chapterFile?.path else { return nil }
    let bytes = try OptionFileReader.read(path, "chapters")
    return try RenderError.refusing { () throws(DocumentError) in
      try ChapterFileReader(bytes, name: path).marks
    }
  }

  // MARK: Part

  private func applyEdits(to rendition: inout Rendition) throws(RenderError) {
    var own = EditList()
    (own.keep, own.cut) = ((kept ?? []).map(\.part), (cuts ?? []).map(\.part))
    for (name, parts) in [("keep", own.keep), ("cut", own.cut)] {
      guard let (first, second) = EditList.overlap(of: parts) else { continue }
      throw RenderError(
        .usage, "\(option: name) \(first) and \(option: name) \(second) overlap: give one for both."
      )
    }
    (rendition.cut, rendition.reasons) = (own.list, own.cut)
    for file in edits ?? [] {
      let bytes = try OptionFileReader.read(file.path, "edits")
      if EditedTranscript.endings.contains(where: { file.path.lowercased().hasSuffix(".\($0)") }) {
        rendition.transcriptEdits.append(
          try RenderError.refusing { () throws(TranscriptError) in
            try EditedTranscript(bytes, name: file.path)
          })
        continue
      }
      let edits = try RenderError.refusing { () throws(DocumentError) in
        try EditList(try DocumentValue(bytes, .yaml, file: file.path), file: file.path)
      }
      rendition.cut = rendition.cut.intersection(edits.list)
      rendition.reasons += edits.cut
      rendition.mutes += edits.mute.map { mute in
        var mute = mute
        mute.file = file.path
        return mute
      }
    }
  }

  // MARK: Picture

  /// Returns the canvas size. The first that is set applies: the size option, the layout's
  /// resolution, the recording's size, the resolution of the recording's layout, 1080p.
  private func canvas(
    of policy: (any LayoutPolicy)?, _ input: ImportedCall
  ) throws(RenderError) -> ProposedSize {
    if let size { return size }
    let wished = input.recording.canvas.size.flatMap { ProposedSize($0) }
    var resolution = policy?.resolution.map(ProposedSize.init) ?? wished
    if resolution == nil, policy == nil {
      resolution = try input.layoutResolution.map(ProposedSize.init)
    }
    guard let resolution else {
      return ProposedSize(width: 1920, height: 1080)
    }
    guard resolution.videoProblem == nil else {
      throw RenderError(
        .usage,
        "no video can have the size \(resolution) that the layout or the recording asks for; give "
          + "\(option: "size").")
    }
    return resolution
  }

  private func color(_ wish: CanvasSettings) -> Color? {
    if case .color(let color) = background { return color }
    return wish.background.flatMap { Color($0) }
  }

  private func style() throws(RenderError) -> TileStyle {
    var style = TileStyle(try (theme ?? .named("dark")).resolved())
    if let showsNames { style.showsNames = showsNames }
    if let highlightsSpeaker { style.highlightsSpeaker = highlightsSpeaker }
    style.cornerRadius = cornerRadius
    return style
  }

  /// Returns the overlays over the tiles. Notes about skipped captions are added to `notes`.
  private func overlays(_ notes: inout [UserMessage]) throws(RenderError) -> OverlayRequest {
    var overlays = OverlayRequest()
    if case .image(let path) = background {
      guard FileOperations.exists(path) else { throw Self.unknownBackground(path) }
      overlays.background = path
    }
    if let watermark {
      overlays.rows.append(
        OverlayRequest.TimedOverlay(
          .image(watermark.path), at: watermark.corner, opacity: watermark.opacity,
          height: watermark.height))
    }
    overlays.title = titleCard?.text.isEmpty == false ? titleCard : nil
    overlays.clock = clock?.clock
    overlays.drawsTranscript = captions == .transcript
    if case .words(let bySpeaker) = captions { overlays.words = bySpeaker ? .speaker : .accent }
    if case .file(let path) = captions {
      overlays.captions = try OptionFileReader.captions(path, &notes)
    }
    return overlays
  }

  /// Returns the error for a background that is neither a color nor an existing file.
  private static func unknownBackground(_ text: String) -> RenderError {
    let hint = text.nearest(among: Color.names).map { "did you mean \($0)? Else give" } ?? "give"
    return RenderError(
      .usage,
      "\(option: "background") \(file: text) is neither a color nor an existing image: \(hint) #rrggbb, "
        + "a color such as navy, or the path of a PNG, JPEG, WebP or GIF file.")
  }

  // MARK: Encoding

  private func videoSettings(
    size: PixelSize, frameRate: FrameRate, _ container: OutputContainer?
  ) -> VideoEncoderSettings {
    let encoder = encoder ?? (container ?? .mp4).videoEncoder
    let defaults = Self.defaults[encoder]
    let options = Dictionary((encoderOptions ?? []).map { ($0.key, $0.value) }) { $1 }
    return VideoEncoderSettings(
      encoder: encoder, preset: preset ?? defaults?.preset, quality: quality ?? defaults?.quality,
      options: options.merging(defaults?.options ?? [:]) { own, _ in own }, size: size,
      frameRate: frameRate)
  }

  /// The default settings by video encoder.
  private static let defaults: [String: (preset: String, quality: Int, options: [String: String])] =
    [
      // For talking heads, 9.5 % fewer bytes at the same SSIM than mode 1 with strength 1, in the
      // same time. CRF 24 saves 19 % of the bytes over 23, and lowers the SSIM by 0.0009.
      "libx264": ("veryfast", 24, ["aq-mode": "2", "aq-strength": "0.7"]),
      "libvpx-vp9": ("good", 33, ["cpu-used": "5"]),
    ]

  /// Returns these options without shared ones that do not fit another container or encoder.
  ///
  /// Shared options fit the main output, whose options are `main`. Options that `own` sets are
  /// kept.
  package func suiting(
    _ container: OutputContainer, beside main: RenditionOptions, _ mainContainer: OutputContainer?,
    unless own: RenditionOptions
  ) -> RenditionOptions {
    var suited = self
    let mainEncoder = main.encoder ?? (mainContainer ?? .mp4).videoEncoder
    var encoder = encoder ?? container.videoEncoder
    if own.encoder == nil, container.hasPictures,
      !VideoEncoderSettings(
        encoder: encoder, size: PixelSize(width: 16, height: 16), frameRate: .thirty
      ).containers.contains(container)
    {
      suited.encoder = nil
      encoder = container.videoEncoder
    }
    // Settings of one encoder have no meaning for another.
    if encoder != mainEncoder {
      (suited.preset, suited.quality) = (own.preset, own.quality)
      suited.encoderOptions = own.encoderOptions
    }
    if own.soundCodec == nil, let codec = soundCodec, !container.soundCodecs.contains(codec) {
      suited.soundCodec = nil
      suited.bitRate = own.bitRate
    }
    if !container.hasPictures { suited.captionTracks = own.captionTracks }
    return suited
  }

  /// Returns the audio encoder's settings.
  private func soundSettings(
    _ container: OutputContainer?, _ name: String
  ) throws(RenderError) -> SoundEncoderSettings {
    let codecs = (container ?? .mp4).soundCodecs
    let codec = soundCodec ?? codecs[0]
    guard codecs.contains(codec) else {
      let names = codecs.map(\.rawValue).joined(separator: ", ")
      throw RenderError(
        .usage,
        "\(file: name): this format cannot carry the sound of \(codec.rawValue); "
          + "it can carry that of \(names).")
    }
    let channels = channels ?? .stereo
    let settings = SoundEncoderSettings(
      codec: codec, bitRate: soundBitRate ?? 128_000, channelCount: channels.count)
    let rates = settings.bitRates
    guard !codec.isLossy || rates.contains(settings.bitRate) else {
      throw RenderError(
        .usage,
        "\(option: "audio-bitrate") takes \(rates.lowerBound / 1000)k to \(rates.upperBound / 1000)k for "
          + "\(codec.rawValue) in \(channels.rawValue).")
    }
    return settings
  }

  private func applySound(to rendition: inout Rendition, _ container: OutputContainer?) {
    (rendition.loudness, rendition.duck) = (loudness ?? .off, duck ?? 0)
    (rendition.onlySound, rendition.excludedSound) = (onlySound ?? [], excludedSound ?? [])
    rendition.hasPictures = container?.hasPictures ?? true
  }

  private func applyCaptionTracks(
    to rendition: inout Rendition, _ container: OutputContainer?, _ name: String
  ) throws(RenderError) {
    let tracks = captionTracks ?? []
    if container?.hasPictures == false, !tracks.isEmpty { throw .captionsInSound(name) }
    for file in tracks { rendition.captionTracks.append(try file.track(&rendition.notes)) }
  }
}

extension CallOptions {
  /// Applies these options to `call`.
  ///
  /// - Throws: ``RenderError`` if a transcript cannot be read.
  package func apply(to call: inout CallRequest) throws(RenderError) {
    call.local = local
    (call.alignment, call.trimsIdle) = (alignment, trimsIdle)
    (call.offsets, call.gains) = (offsets ?? [], gains ?? [])
    call.audioTrack = audioTrack ?? .preferred
    call.speakerSource = speakerSource ?? .auto
    call.allowsMissing = allowsMissing ?? false
    if let longestDuration { call.longestDuration = longestDuration }
    call.transcriber = transcriber
    for option in transcripts ?? [] { call.transcripts.append(try option.input(&call.notes)) }
  }
}
