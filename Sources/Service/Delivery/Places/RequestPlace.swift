import TesseraCodecs
import TesseraJobs
import TesseraRendering
package import TesseraRequest
import TesseraStorage

/// Where an output of a request goes, or what is written beside the outputs.
package struct RequestPlace: Sendable {
  /// The path or address.
  package var text: String
  /// The file of a folder that says what is in it, and comes last; nil for a file, and for a folder
  /// without one.
  package var entry: String?
  package var isFolder: Bool
  /// Whether what is there is replaced.
  package var isReplacing: Bool
  /// Whether it is a plan, which names what it reads by location.
  package var isPlan: Bool

  /// The file at `text`.
  package init(
    _ text: String, entry: String? = nil, isFolder: Bool = false, isReplacing: Bool = false,
    isPlan: Bool = false
  ) {
    (self.text, self.entry, self.isFolder) = (text, entry, isFolder)
    (self.isReplacing, self.isPlan) = (isReplacing, isPlan)
  }
}

extension RenderRequest {
  /// The places of all that is made, the main output's first.
  package var places: [RequestPlace] {
    let files = outputs.map { output in
      switch output.kind {
      case .stream:
        RequestPlace(output.place, entry: StreamFolder.entry, isFolder: true)
      case .thumbnails:
        RequestPlace(output.place, entry: ThumbnailFolder.content.entry, isFolder: true)
      case .file, .poster: RequestPlace(output.place)
      }
    }
    let texts =
      [sidecars.page, sidecars.proof, sidecars.speakers].compactMap { $0 }
      + sidecars.transcriptFiles
    return files + texts.map { RequestPlace($0) }
      + [sidecars.report].compactMap { $0 }.map { RequestPlace($0, isReplacing: true) }
      + [sidecars.stems].compactMap { $0 }.map {
        RequestPlace($0, isFolder: true, isReplacing: true)
      }
  }

  /// Whether something that it reads, makes or keeps lies in a bucket or at an address.
  ///
  /// - Throws: where one of its places cannot be.
  package var hasRemotePlaces: Bool {
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
