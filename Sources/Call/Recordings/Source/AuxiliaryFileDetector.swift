import TesseraDocuments
import TesseraMessages

/// Recognizes documents that belong to recorders or to Tessera but are not recordings, such as API
/// requests.
enum AuxiliaryFileDetector {
  /// The kind of a recognized document. The raw value is the kind in words.
  enum Kind: String {
    case archiveRequest = "a request to start an archive"
    case classesRequest = "a request to set the classes of streams"
    case layoutRequest = "a request to change the layout"
    case compositionRequest = "a request for a composition"
    case layout = "a layout file"
    case edits = "a file of edits"
    case transcript = "a transcript"

    /// The option that takes such a file; `nil` for requests to recorders.
    var option: String? {
      switch self {
      case .archiveRequest, .classesRequest, .layoutRequest, .compositionRequest: nil
      case .layout: "layout"
      case .edits: "edits"
      case .transcript: "transcript"
      }
    }
  }

  /// Returns the kind of `document`; `nil` if it is not recognized.
  static func kind(_ document: DocumentValue) -> Kind? {
    if isTranscript(document) { return .transcript }
    // A document that lists files comes from a recorder, even if it repeats the request.
    guard let object = document.object, object["files"]?.list == nil else { return nil }
    if object["outputMode"] != nil || object["sessionId"] != nil && object["hasAudio"] != nil {
      return .archiveRequest
    }
    if let items = object["items"]?.list, !items.isEmpty,
      items.allSatisfy({ $0["layoutClassList"] != nil })
    {
      return .classesRequest
    }
    if object["type"]?.text != nil, object.keys.allSatisfy(layoutKeys.contains) {
      return .layoutRequest
    }
    if object["RoomSid"] != nil || object["room_sid"] != nil && object["video_layout"] != nil {
      return .compositionRequest
    }
    if object["version"]?.numeral != nil, editKeys.contains(where: { object[$0]?.list != nil }) {
      return .edits
    }
    if TwilioImporter.isLayout(document) || SoraImporter.isLayout(document) { return .layout }
    return nil
  }

  /// True for the JSON of Whisper, WhisperX, whisper.cpp and Vosk.
  private static func isTranscript(_ document: DocumentValue) -> Bool {
    let segments =
      document["segments"]?.list ?? document["transcription"]?.list
      ?? (document["result"]?.list == nil ? document.list : [document])
    return segments?.first.map { segment in
      segment["text"]?.text != nil
        && (segment["start"] != nil || segment["offsets"] != nil || segment["result"] != nil)
    } ?? false
  }

  private static let editKeys = ["keep", "cut", "mute", "maybe"]
  private static let layoutKeys: Set<String> = ["type", "stylesheet", "screenshareType"]

  /// Returns the error if the source is a document that is not a recording, or a folder without
  /// media that contains one; `nil` otherwise.
  static func refusal(_ folder: ImporterInput) -> DocumentError? {
    for manifest in folder.manifests {
      guard let kind = kind(manifest.document) else { continue }
      let isMeant = folder.source.manifest.map { $0 == manifest.path }
      guard isMeant ?? folder.mediaFiles.isEmpty else { continue }
      let advice: UserMessage =
        kind.option.map { "give it as \(option: $0) beside a recording" }
        ?? "give the folder or the .zip of the recording"
      return DocumentError(
        file: manifest.path, reason: "it is \(kind.rawValue), not a recording: \(advice)")
    }
    return nil
  }

  /// Returns a note for each manifest beside a recording that is a request to a recorder, not a
  /// recording.
  static func notes(_ folder: ImporterInput) -> [UserMessage] {
    folder.manifests.compactMap { manifest in
      guard let kind = kind(manifest.document), kind.option == nil else { return nil }
      return "\(file: manifest.path) is \(kind.rawValue), not a recording; it is skipped."
    }
  }
}
