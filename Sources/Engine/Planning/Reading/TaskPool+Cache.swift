import TesseraCodecs
import TesseraJobs
import TesseraPlan
import TesseraRequest
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline

extension TaskPool {
  /// What comes of all `tasks`, as ``perform(_:)`` returns it.
  func read(_ tasks: [ReadingTask]) throws(RenderError) -> [ReadingResult?] { try perform(tasks) }

  /// What comes of all `tasks`, as ``read(_:)`` returns it. What `cache` knows of voices is not
  /// decoded again, and what is found is kept in it.
  func read(
    _ tasks: [ReadingTask], cache: ScanCache?
  ) throws(RenderError) -> [ReadingResult?] {
    guard let cache else { return try read(tasks) }
    let keys = tasks.map(\.cacheKey)
    var results = keys.map { key in key.flatMap { cache.finding($0, of: ReadingResult.self) } }
    let missing = tasks.indices.filter { results[$0] == nil }
    guard !missing.isEmpty else { return results }
    for (number, result) in zip(missing, try read(missing.map { tasks[$0] })) {
      results[number] = result
      // A file that was written to meanwhile was not read as it is now.
      guard let key = keys[number], let result, result.isCertain, key == tasks[number].cacheKey
      else { continue }
      cache.keep(result, as: key)
    }
    cache.removeOldest()
    return results
  }
}

extension ReadingTask {
  /// What its result follows from: the files as they are, and all that is asked of them; nil where
  /// that is not kept.
  fileprivate var cacheKey: String? {
    let found: (kind: String, source: PictureSource, pictures: String)? =
      switch self {
      case .faces(let source, let samples): ("faces", source, PlainJSON.text(samples))
      case .blackness(let source, let isLast):
        ("black", source, "\(source.track.packets) \(isLast)")
      default: nil
      }
    if let (kind, source, pictures) = found {
      return FileIdentity(source.path).map { file in
        "\(kind) \(PlainJSON.text(file)) \(source.track.stream.index) \(pictures)"
      }
    }
    let (kind, voices, steps): (String, [VoiceSource], String) =
      switch self {
      case .hear(let voice): ("hear", [voice], "[]")
      case .side(let voice): ("side", [voice], "[]")
      case .mix(let voices, let steps): ("mix", voices, PlainJSON.text(steps))
      case .quiet(let voice, let windows): ("quiet", [voice], PlainJSON.text(windows))
      default: ("", [], "")
      }
    guard !voices.isEmpty else { return nil }
    let keys = voices.compactMap(VoiceKey.init)
    guard keys.count == voices.count else { return nil }
    return "\(kind) \(PlainJSON.text(keys)) \(steps)"
  }
}

extension [VoiceSource] {
  /// What it follows from that `transcriber` says of `wave`; files that it names, such as a model,
  /// are known as they are. Nil where a voice's file is not there.
  func transcriptKey(_ wave: SpokenWave, _ transcriber: Transcriber) -> String? {
    let keys = compactMap(VoiceKey.init)
    guard keys.count == count else { return nil }
    let files = transcriber.words.compactMap { FileIdentity($0) }
    return "transcript \(PlainJSON.text(keys)) \(PlainJSON.text(wave)) \(transcriber.text) "
      + PlainJSON.text(files)
  }
}

/// A voice as far as hearing it depends on it, with its file as it is; the packets follow from the file.
private struct VoiceKey: Encodable {
  var file: FileIdentity
  var voice: VoiceSource

  /// The key of `voice`; `nil` if its file does not exist.
  init?(_ voice: VoiceSource) {
    guard let file = FileIdentity(voice.path) else { return nil }
    (self.file, self.voice) = (file, voice)
    (self.voice.sound.index, self.voice.sound.path) = (PacketIndex(), "")
  }
}

extension ReadingResult {
  /// Whether hearing the same again is sure to find the same: what brought a worker down, or could
  /// not be decoded, may be found the next time.
  fileprivate var isCertain: Bool {
    switch self {
    case .heard(let heard): heard.crash == nil && heard.report.failure == nil
    case .side: true
    case .powers(let powers): powers != nil
    case .places(let places): places != nil
    case .faces(let sightings): !sightings.isEmpty
    case .black(let isBlack): isBlack != nil
    default: false
    }
  }
}
