import Foundation
import TestSupport
import Testing

/// Scan results of recordings are cached for later commands.
@Suite(.timed) struct CacheCommandTests {
  private static func names(_ folder: String, ending: String = "") -> Set<String> {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return Set(names.filter { $0.hasSuffix(ending) })
  }

  @Test func allCommandsShareOneCache() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder, seconds: 1)
    let cache = folder.path("kept/cache")
    let plain = try TesseraTool.run(["inspect", clip, "--json", "--no-cache"])
    #expect(Self.names(cache).isEmpty)
    let first = try TesseraTool.run(["inspect", clip, "--json", "--cache", cache])
    #expect(first.status == 0 && first.output == plain.output)
    let planned = folder.path("plan.json")
    let plan = ["plan", clip, "-o", planned, "--size", "64x36"]
    #expect(try TesseraTool.run(plan + ["--no-cache"]).status == 0)
    let digests = try Self.digests(planned)
    let kept = Self.names(cache)
    #expect(kept.count == 3 && Self.names(cache, ending: ".scan").count == 1)
    let old = Date(timeIntervalSince1970: 1_000_000_000)
    for arguments in [
      ["inspect", clip, "--json"],
      plan,
      ["preview", clip, "--at", "0", "-o", folder.path("a.png"), "--size", "64x36"],
      ["timeline", clip, "-o", folder.path("a.svg")],
      ["render", clip, "-o", folder.path("a.mp4"), "--size", "64x36"],
    ] {
      for name in kept {
        try FileManager.default.setAttributes(
          [.modificationDate: old], ofItemAtPath: "\(cache)/\(name)")
      }
      let result = try TesseraTool.run(arguments + ["--cache", cache])
      #expect(result.status == 0, "\(result.messages)")
      #expect(Self.names(cache).subtracting(Self.names(cache, ending: ".heard")) == kept)
      for name in kept {
        let used = try FileManager.default.attributesOfItem(atPath: "\(cache)/\(name)")
        #expect(try #require(used[.modificationDate] as? Date) > old, "\(arguments[0])")
      }
    }
    #expect(try Self.digests(planned) == digests)
  }

  @Test("Speech found in voices is cached for every command, until the recording changes")
  func voicesAreAnalyzedOnce() throws {
    let folder = try TemporaryFolder()
    let clips = try ["a.webm", "b.webm"].map { try TesseraTool.makeClip(folder, $0, seconds: 3) }
    let cache = ["--cache", folder.path("cache"), "--progress", "json"]
    let plan =
      ["plan"] + clips + ["-o", folder.path("plan.json"), "--size", "64x36", "--layout", "speaker"]
      + ["--loudness", "speech"] + cache
    let hears = { (result: Tool.Result) in
      ["listening", "measuring"].map { result.messages.contains("\"phase\": \"\($0)\"") }
    }
    #expect(hears(try TesseraTool.run(plan)) == [true, true])
    let digests = try Self.digests(folder.path("plan.json"))
    #expect(hears(try TesseraTool.run(plan)) == [false, false])
    #expect(try Self.digests(folder.path("plan.json")) == digests)
    let timeline = ["timeline"] + clips + ["-o", folder.path("a.svg")] + cache
    #expect(hears(try TesseraTool.run(timeline)) == [false, false])
    let inspect = ["inspect", clips[0], "--levels"] + cache
    let levels = try TesseraTool.run(inspect)
    let again = try TesseraTool.run(inspect)
    #expect(levels.status == 0 && levels.output == again.output)
    #expect(hears(again) == [false, false])
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: clips[1])
    #expect(hears(try TesseraTool.run(plan)) == [true, true])
  }

  /// Returns the digests of the pieces of the plan at `path`.
  private static func digests(_ path: String) throws -> [String] {
    struct Plan: Decodable {
      var renditions: [Rendition]
    }
    struct Rendition: Decodable {
      var digests: [String]
      var soundtrackDigest: String
    }
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let plan = try JSONDecoder().decode(Plan.self, from: data)
    return plan.renditions.flatMap { $0.digests + [$0.soundtrackDigest] }
  }

  @Test func theUserCacheFolderIsTheDefault() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder, seconds: 1)
    for (home, count) in [(folder.path("home"), 1), ("/proc/none", 0)] {
      let result = try Tool.run(
        "env", ["XDG_CACHE_HOME=\(home)", TesseraTool.path, "inspect", clip])
      #expect(result.status == 0 && result.messages.isEmpty, "\(result.messages)")
      #expect(Self.names("\(home)/tessera", ending: ".scan").count == count)
    }
    let result = try TesseraTool.run(["inspect", clip, "--cache", "/proc/none"])
    #expect(result.status == 0 && result.messages.isEmpty, "\(result.messages)")
    let both = try TesseraTool.run(["inspect", clip, "--cache", "a", "--no-cache"])
    #expect(both.status == 2 && both.messages.contains("exclude each other"))
  }
}
