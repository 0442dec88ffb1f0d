import ArgumentParser
import Foundation

/// Options for the cache of scan results.
struct CacheOptions: ParsableArguments {
  @Option("cache") var cache: String?
  @Flag("no-cache") var noCache = false

  func validate() throws {
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
}
