import ArgumentParser
import Foundation
import TesseraMedia
import TesseraPlan
import TesseraPlanning
import TesseraRendering
import TesseraRequest
import TesseraSystem

/// Where what was found in recordings is kept.
struct CacheOptions: ParsableArguments {
  @Option("cache")
  var cache: String?

  @Flag("no-cache")
  var noCache = false

  func validate() throws {
    try requireRows()
    var isFolder: ObjCBool = false
    if let cache, unsafe FileManager.default.fileExists(atPath: cache, isDirectory: &isFolder),
      !isFolder.boolValue
    {
      throw ValidationError("--cache \(cache) is a file: name a folder, or give --no-cache.")
    }
    if cache != nil, noCache {
      throw ValidationError("--cache and --no-cache exclude each other; give one of them.")
    }
  }

  /// The cache; nil where none is wanted, or the user has no folder for one.
  var scans: ScanCache? {
    guard !noCache else { return nil }
    let folder = cache ?? UserFolder.cache.path()
    return folder.map { ScanCache($0) }
  }
}
