import ArgumentParser
import Foundation
import TesseraJobs
import TesseraMedia
import TesseraPlan
import TesseraPlanning
import TesseraRendering

/// Where what was found in recordings is kept.
struct CacheOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Where what was found in recordings is kept, so that they are not read again before they \
      change; at most 2 GB (the user's cache folder).
      """, valueName: "dir"),
    completion: .directory)
  var cache: String?

  @Flag(name: .customLong("no-cache"), help: "Read all recordings again, and keep nothing.")
  var isWithout = false

  func validate() throws {
    if cache == "" { throw ValidationError("--cache has no name; name a folder.") }
    var isFolder: ObjCBool = false
    if let cache, unsafe FileManager.default.fileExists(atPath: cache, isDirectory: &isFolder),
      !isFolder.boolValue
    {
      throw ValidationError("--cache \(cache) is a file: name a folder, or give --no-cache.")
    }
    if cache != nil, isWithout {
      throw ValidationError("--cache and --no-cache exclude each other; give one of them.")
    }
  }

  /// The cache; nil where none is wanted, or the user has no folder for one.
  var scans: ScanCache? {
    guard !isWithout else { return nil }
    let folder = cache ?? ScanCache.userFolder(ProcessInfo.processInfo.environment)
    return folder.map { ScanCache($0) }
  }
}
