import TesseraDocuments
import TesseraMessages

/// Recognizes documents that belong to recorders but are not recordings, such as API requests.
enum AuxiliaryFileDetector {
  /// Returns the kind of `document` in words; `nil` if it is not recognized.
  static func name(_ document: DocumentValue) -> String? {
    // A document that lists files comes from a recorder, even if it repeats the request.
    guard let object = document.object, object["files"]?.list == nil else { return nil }
    if object["outputMode"] != nil || object["sessionId"] != nil && object["hasAudio"] != nil {
      return "a request to start an archive"
    }
    if let items = object["items"]?.list, !items.isEmpty,
      items.allSatisfy({ $0["layoutClassList"] != nil })
    {
      return "a request to set the classes of streams"
    }
    if object["type"]?.text != nil, object.keys.allSatisfy(layoutKeys.contains) {
      return "a request to change the layout"
    }
    if object["RoomSid"] != nil || object["room_sid"] != nil && object["video_layout"] != nil {
      return "a request for a composition"
    }
    if TwilioImporter.isLayout(document) || SoraImporter.isLayout(document) {
      return "a layout file"
    }
    return nil
  }

  private static let layoutKeys: Set<String> = ["type", "stylesheet", "screenshareType"]

  /// Returns the error if the source is a document that is not a recording, or a folder without
  /// media that contains one; `nil` otherwise.
  static func refusal(_ folder: ImporterInput) -> DocumentError? {
    for manifest in folder.manifests {
      guard let name = name(manifest.document) else { continue }
      let isMeant = folder.source.manifest.map { $0 == manifest.path }
      guard isMeant ?? folder.mediaFiles.isEmpty else { continue }
      let advice: UserMessage =
        name == "a layout file"
        ? "give it as \(option: "layout") beside a recording"
        : "give the folder or the .zip of the recording"
      return DocumentError(
        file: manifest.path, reason: "it is \(name), not a recording: \(advice)")
    }
    return nil
  }

  /// Returns a note for each manifest beside a recording that is a request to a recorder, not a
  /// recording.
  static func notes(_ folder: ImporterInput) -> [UserMessage] {
    folder.manifests.compactMap { manifest in
      guard let name = name(manifest.document), name.hasPrefix("a request") else { return nil }
      return "\(file: manifest.path) is \(name), not a recording; it is skipped."
    }
  }
}
