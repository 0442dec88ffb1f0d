import TesseraJobs
import TesseraMedia
import TesseraPixels
import TesseraPlan
import TesseraPlanning
import TesseraRecordings
import TesseraRendering
import TesseraTimeline

/// Still pictures of an output that are made beside it.
enum StillOutput {
  /// Sheets of small pictures in a folder, one every so often.
  case thumbnails(String, every: MediaTime)
  /// One picture, of a time of the output; nil is the one that shows the call best.
  case poster(String, at: MediaTime?)

  /// The folder, or the file.
  var path: String {
    switch self {
    case .thumbnails(let path, _), .poster(let path, _): path
    }
  }

  /// What `wish` asks for; nil where that is no still picture.
  ///
  /// - Throws: where an option is unknown, or its value invalid.
  init?(_ wish: OutputWish) throws(RenderError) {
    let isPicture = [".jpg", ".jpeg", ".png"].contains { wish.file.lowercased().hasSuffix($0) }
    let key = isPicture ? "at" : "every"
    guard isPicture || wish.options.contains(where: { $0.name == key }) else { return nil }
    if let other = wish.options.first(where: { $0.name != key }) {
      throw RenderError(
        .usage, "\(wish.file): the option \"\(other.name)\" is unknown: the option is \(key).")
    }
    let time = wish.options.last.map { MediaTime($0.values.joined(separator: ",")) }
    if case .some(nil) = time {
      throw RenderError(
        .usage, "\(wish.file): \(key) is an invalid time: give seconds or [hh:]mm:ss[.mmm].")
    }
    guard !isPicture else {
      self = .poster(wish.file, at: time.flatMap { $0 })
      return
    }
    guard let every = time.flatMap({ $0 }), every >= Self.shortest else {
      throw RenderError(
        .usage, "\(wish.file): every takes \(Self.shortest.clockWithTenths) or more.")
    }
    self = .thumbnails(wish.file, every: every)
  }

  private static let shortest = MediaTime(nanoseconds: 100_000_000)

  /// Makes sure early that it can be made; a file of somebody else is replaced only when it
  /// `isOverwriting`.
  func require(protecting files: [String], overwriting isOverwriting: Bool) throws(RenderError) {
    switch self {
    case .thumbnails(let path, _):
      try OutputFolder.require(
        path, ThumbnailFolder.content, protecting: files, overwriting: isOverwriting)
    case .poster(let path, _):
      try OutputFile.require(
        path, protecting: files, overwriting: isOverwriting, mark: .record)
    }
  }

  /// Makes it of `plan`, which has become the video `file`; nil where that is not a single file.
  ///
  /// - Throws: where it cannot be made.
  func write(
    of plan: Plan, in file: String?, protecting files: [String], overwriting: Bool
  ) throws(RenderError) {
    let (readers, cancellation) = (EngineOptions.readers(), Interrupts.cancellation)
    switch self {
    case .thumbnails(let path, let every):
      let folder =
        if let file {
          ThumbnailFolder(
            of: file, size: plan.output.video.size, frameRate: plan.output.video.frameRate,
            every: every)
        } else {
          ThumbnailFolder(of: plan, every: every)
        }
      try folder.write(
        to: path, protecting: plan.files + files, overwriting: overwriting, readers: readers,
        cancellation: cancellation)
    case .poster(let path, let time):
      var stills = Stills(plan, readers: readers, cancellation: cancellation)
      (stills.protected, stills.isOverwriting) = (files, overwriting)
      _ = try stills.writePoster(at: time, to: path)
    }
  }
}
