import TesseraCodecs
import TesseraJobs
import TesseraRequest
import TesseraSoundtrack
import TesseraSystem

extension TaskWorkerPool {
  /// Performs all `tasks` and returns their results in order, using `cache`: cached results are not
  /// computed again, and new ones are stored.
  func read(
    _ tasks: [RecordingReadTask], cache: ScanCache?
  ) throws(RenderError) -> [RecordingReadResult?] {
    guard let cache else { return try results(of: tasks) }
    let keys = tasks.map(\.cacheKey)
    var found = keys.map { key in key.flatMap { cache.finding($0, of: RecordingReadResult.self) } }
    let missing = tasks.indices.filter { found[$0] == nil }
    guard !missing.isEmpty else { return found }
    for (number, result) in zip(missing, try results(of: missing.map { tasks[$0] })) {
      found[number] = result
      // If the file was written to in the meantime, its result may not match its new content.
      guard let key = keys[number], let result, result.isCertain, key == tasks[number].cacheKey
      else { continue }
      cache.keep(result, as: key)
    }
    cache.removeOldest()
    return found
  }
}

extension RecordingReadTask {
  /// The cache key: the identities of the files, and all parameters of the task that do not follow
  /// from them. `nil` for tasks that are not cached, and if a file is missing.
  fileprivate var cacheKey: String? {
    let found: (kind: String, source: PictureSource, pictures: String)? =
      switch self {
      case .faces(let source, let samples): ("faces", source, CanonicalJSON.text(samples))
      case .blackness(let source, let isLast):
        ("black", source, "\(source.track.packets) \(isLast)")
      default: nil
      }
    if let (kind, source, pictures) = found {
      return FileIdentity(source.path).map { file in
        "\(kind) \(CanonicalJSON.text(file)) \(source.track.stream.index) \(pictures)"
      }
    }
    let (kind, voices, steps): (String, [VoiceSource], String) =
      switch self {
      case .hear(let voice): ("hear", [voice], "[]")
      case .side(let voice): ("side", [voice], "[]")
      case .mix(let voices, let steps): ("mix", voices, CanonicalJSON.text(steps))
      case .quiet(let voice, let windows): ("quiet", [voice], CanonicalJSON.text(windows))
      default: ("", [], "")
      }
    guard !voices.isEmpty else { return nil }
    let keys = voices.compactMap(VoiceCacheKey.init)
    guard keys.count == voices.count else { return nil }
    return "\(kind) \(CanonicalJSON.text(keys)) \(steps)"
  }
}

extension [VoiceSource] {
  /// Returns the cache key of the transcript that `transcriber` writes for `wave`, or `nil` if a
  /// voice's file does not exist. Files in the command, such as a model, are part of the key by
  /// their identity.
  func transcriptKey(_ wave: SpeechWaveFile, _ transcriber: Transcriber) -> String? {
    let keys = compactMap(VoiceCacheKey.init)
    guard keys.count == count else { return nil }
    let files = transcriber.words.compactMap { FileIdentity($0) }
    return "transcript \(CanonicalJSON.text(keys)) \(CanonicalJSON.text(wave)) \(transcriber.text) "
      + CanonicalJSON.text(files)
  }
}

/// The parts of a voice that decoding it depends on: the file's identity and the parameters.
/// Packets are left out because they follow from the file.
private struct VoiceCacheKey: Encodable {
  var file: FileIdentity
  var voice: VoiceSource

  /// Creates the key of `voice`. Returns `nil` if its file does not exist.
  init?(_ voice: VoiceSource) {
    guard let file = FileIdentity(voice.path) else { return nil }
    (self.file, self.voice) = (file, voice)
    (self.voice.sound.index, self.voice.sound.path) = (PacketIndex(), "")
  }
}

extension RecordingReadResult {
  /// True if repeating the task would give an equal result. A crash or decoding error may not occur
  /// again.
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
