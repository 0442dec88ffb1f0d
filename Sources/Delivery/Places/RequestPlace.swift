import TesseraJobs
import TesseraMedia
package import TesseraPlanning
import TesseraRendering
import TesseraStorage

/// Where an output of a request goes, or what is written beside the outputs.
package struct RequestPlace: Sendable {
  /// The path or address.
  package var text: String
  /// The file of a folder that says what is in it, and comes last; nil for a file, and for a folder
  /// without one.
  package var entry: String?
  package var isFolder = false
  /// Whether what is there is replaced.
  var isReplacing = false
}

extension RenderRequest {
  /// The places of all that is made, the main output's first.
  package var places: [RequestPlace] {
    let files = outputs.map { output in
      switch output.kind {
      case .stream:
        RequestPlace(text: output.place, entry: StreamFolder.entry, isFolder: true)
      case .thumbnails:
        RequestPlace(text: output.place, entry: ThumbnailFolder.content.entry, isFolder: true)
      case .file, .poster: RequestPlace(text: output.place)
      }
    }
    let texts =
      [sidecars.page, sidecars.proof, sidecars.speakers].compactMap { $0 }
      + sidecars.transcriptFiles
    return files + texts.map { RequestPlace(text: $0) }
      + [sidecars.report].compactMap { $0 }.map { RequestPlace(text: $0, isReplacing: true) }
      + [sidecars.stems].compactMap { $0 }.map {
        RequestPlace(text: $0, isFolder: true, isReplacing: true)
      }
  }

  /// Whether something that it reads, makes or keeps lies in a bucket or at an address.
  ///
  /// - Throws: where one of its places cannot be.
  var hasRemotePlaces: Bool {
    get throws(LocationError) {
      let all = inputFiles + places.map(\.text) + [means.workFolder].compactMap { $0 }
      for place in all where try Location(place).isRemote { return true }
      return inputs.contains { SessionAddresses($0) != nil }
    }
  }

  /// Whether something that it reads or makes lies in a bucket or at an address, as far as that can
  /// be told.
  package var isRemote: Bool { (try? hasRemotePlaces) ?? false }
}
