import TesseraJobs
import TesseraMessages
import TesseraPixels
import TesseraSystem

/// Decodes still images in workers: images known in advance together, further ones on demand.
final class WorkerImageLoader: ImageLoader {
  /// An image to decode and the maximum length of its longer side in pixels.
  struct Request: Hashable {
    var path: String
    var longestSide: Int
  }

  private let readers: TaskWorkerPool
  private let known = ConditionLock<[Request: Result<LoadedImage, ImageFileError>]>([:])

  /// Creates a loader that decodes images in `readers`.
  init(_ readers: TaskWorkerPool) { self.readers = readers }

  /// Decodes all images of `requests`.
  ///
  /// - Throws: ``RenderError`` if no worker can be started, or after a cancellation.
  func load(_ requests: Set<Request>) throws(RenderError) {
    let requests = requests.sorted { ($0.path, $0.longestSide) < ($1.path, $1.longestSide) }
    let results = try readers.results(
      of: requests.map { RecordingReadTask.image($0.path, longestSide: $0.longestSide) })
    for (request, result) in zip(requests, results) {
      switch result {
      case .image(let image): known.withLock { $0[request] = .success(image.loaded) }
      case .unusable(let error): known.withLock { $0[request] = .failure(error) }
      default: throw .stopped(readers.cancellation)
      }
    }
  }

  func image(at path: String, longestSide: Int) throws(ImageFileError) -> LoadedImage {
    let request = Request(path: path, longestSide: longestSide)
    do throws(RenderError) {
      if known.withLock({ $0[request] == nil }) { try load([request]) }
    } catch {
      throw ImageFileError(path: path, reason: .damaged(error.sentence))
    }
    guard let result = known.withLock({ $0[request] }) else {
      throw ImageFileError(path: path, reason: .damaged(nil))
    }
    return try result.get()
  }
}

/// A decoded image in the form in which a worker returns it.
package struct DecodedImage: Sendable, Codable {
  private let size: PixelSize
  private let bytes: StoredBlob
  private let note: UserMessage?

  init(_ image: LoadedImage) {
    (size, bytes, note) = (image.image.size, StoredBlob(image.image.bytes), image.note)
  }

  /// The image. If a compromised worker returned inconsistent data, a single black pixel.
  var loaded: LoadedImage {
    let isWhole =
      (1...1 << 14).contains(size.width) && (1...1 << 14).contains(size.height)
      && bytes.bytes.count == 4 * size.area
    let image =
      isWhole
      ? ColorImage(width: size.width, height: size.height, bytes: bytes.bytes)
      : ColorImage(width: 1, height: 1, bytes: [0, 0, 0, 255])
    return LoadedImage(image, note: note)
  }
}
