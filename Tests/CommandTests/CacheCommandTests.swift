import Foundation
import TestSupport
import Testing

/// What was found in recordings is kept for later commands.
@Suite struct CacheCommandTests {
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
      #expect(Self.names(cache) == kept)
      for name in kept {
        let used = try FileManager.default.attributesOfItem(atPath: "\(cache)/\(name)")
        #expect(try #require(used[.modificationDate] as? Date) > old, "\(arguments[0])")
      }
    }
    #expect(try Self.digests(planned) == digests)
  }

  /// What the pieces of the plan at `path` are made from.
  private static func digests(_ path: String) throws -> [String] {
    struct Plan: Decodable {
      var digests: [String]
      var soundtrackDigest: String
    }
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let plan = try JSONDecoder().decode(Plan.self, from: data)
    return plan.digests + [plan.soundtrackDigest]
  }

  @Test func theUsersFolderIsUsedUnlessItCannotBe() throws {
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
