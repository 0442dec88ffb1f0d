import Foundation
import TesseraCodecs
import TesseraCompositor
import TesseraDelivery
import TesseraPixels
import TesseraPlan
import TesseraPlanning
import TesseraRequest
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraRendering

/// Kept pieces are never reused for a different render. Every change of the canvases, the mix or
/// their encoding also changes the digests by which pieces are found.
@Suite(.timed) struct BucketPieceCacheTests {
  private typealias Case = KeptPiecesCase

  /// The rendered result of a session.
  private struct Conversion {
    let plan: Plan
    let canvases: [Int: UInt64]
    let mix: [Float]
    let rendition: RenditionPlan

    init(_ plan: Plan) {
      self.plan = plan
      canvases = isWholeRun ? plan.canvases : [:]
      mix = isWholeRun ? plan.mix : []
      rendition = RenditionPlan(plan)
    }
  }

  /// A folder with the recordings of the cases' session, and the result without any change.
  private struct Call {
    let folder: TemporaryFolder
    let usual: Conversion

    init() async throws {
      folder = try TemporaryFolder()
      try Self.makeFiles(folder)
      usual = try await Conversion(Self.plan(Case.session, [], name: "usual", in: folder))
    }

    private static func makeFiles(_ folder: TemporaryFolder) throws {
      let x264 = ["-c:v", "libx264", "-preset", "ultrafast"]
      try Tool.ffmpeg(
        [
          "-f", "lavfi", "-i", "testsrc2=s=64x48:r=5:d=3", "-f", "lavfi", "-i",
          "sine=frequency=300:d=3,tremolo=f=4:d=0.9,volume=2", "-f", "lavfi", "-i",
          "sine=frequency=700:d=3", "-map", "0", "-map", "1", "-map", "2", "-metadata:s:a:0",
          "language=eng", "-metadata:s:a:1", "language=deu", "-c:a", "flac",
        ] + x264 + [folder.path("ada.mkv")])
      try Tool.ffmpeg(
        [
          "-f", "lavfi", "-i", "testsrc=s=48x64:r=1:d=3", "-f", "lavfi", "-i",
          "sine=frequency=500:d=3", "-c:a", "aac", "-output_ts_offset", "0.6",
        ] + x264 + [folder.path("bob.mp4")])
      for color in ["red", "blue"] {
        let path = folder.path("\(color).png")
        try Tool.ffmpeg(["-f", "lavfi", "-i", "color=\(color):s=16x16", "-frames:v", "1", path])
      }
      let texts = [
        "captions.vtt": "WEBVTT\n\n00:00.500 --> 00:02.500\nSo.\n",
        "chapters.txt": "0:00 One\n0:01 Two\n",
        "edits.yaml": "version: 1\ncut: [{ from: 0.5, to: 1 }]\n",
        "people.csv": "id,name\nbob,Robert\n",
      ]
      for (name, text) in texts {
        try Data(text.utf8).write(to: URL(filePath: folder.path(name)))
      }
    }

    /// Returns the plan for `session` with `options`, whose files are in `folder`.
    static func plan(
      _ session: String, _ options: [(key: String, value: String)], name: String,
      in folder: TemporaryFolder
    ) async throws -> Plan {
      let path = folder.path("\(name).json")
      try Data(session.utf8).write(to: URL(filePath: path))
      var request = RenderRequest(path, to: folder.path("\(name).mp4"))
      request.execution.ignoresCache = true
      for (key, value) in options {
        let file = folder.path(value)
        try request.set(key, [FileManager.default.fileExists(atPath: file) ? file : value])
      }
      return try await TesseraDelivery.plan(request)
    }
  }

  private static let call = Task { try await Call() }

  private static func applied(
    _ changes: KeyValuePairs<String, String>, to session: String
  ) throws -> String {
    try changes.reduce(session) { session, change in
      try #require(session.contains(change.key), "\(session)")
      return session.replacing(change.key, with: change.value)
    }
  }

  /// Each change changes the digests. With `TESSERA_TEST_ALL`, canvases and mix are rendered, and
  /// the digest must differ for each of them that does.
  @Test("Changes are not taken from kept pieces", arguments: Case.options + Case.fields)
  func changes(change: KeptPiecesCase) async throws {
    let call = try await Self.call.value
    let session = try Self.applied(change.preparation, to: Case.session)
    let isUsual = change.preparation.isEmpty && change.common.isEmpty
    let before =
      isUsual
      ? call.usual
      : try await Conversion(
        Call.plan(session, Array(change.common), name: change.name, in: call.folder))
    let after = try await Conversion(
      Call.plan(
        Self.applied(change.change, to: session), Array(change.common) + Array(change.options),
        name: change.name, in: call.folder))
    let (old, new) = (before.plan.output, after.plan.output)
    let areOtherTexts =
      (old.title, old.chapters) != (new.title, new.chapters) || old.captions != new.captions
    let areOtherDigests = before.rendition.digests != after.rendition.digests
    let isOtherDigest = before.rendition.soundtrackDigest != after.rendition.soundtrackDigest
    guard isWholeRun else {
      #expect(areOtherDigests || isOtherDigest || areOtherTexts, "the change has no effect")
      return
    }
    let areOtherPictures = before.canvases != after.canvases || old.video != new.video
    let isOtherSound = before.mix != after.mix || old.audio != new.audio
    #expect(areOtherPictures || isOtherSound || areOtherTexts, "the change has no effect")
    if areOtherPictures { #expect(areOtherDigests) }
    if isOtherSound { #expect(isOtherDigest) }
  }

  @Test("Kept pieces give the same file as new ones")
  func sameFile() async throws {
    let folder = try await Self.call.value.folder
    var files: [Data] = []
    for (name, work, gain) in [
      ("first", "kept", "0"), ("again", "kept", "-6"), ("new", "new", "-6"),
    ] {
      let path = folder.path("\(name).session.json")
      try Data(Case.session.utf8).write(to: URL(filePath: path))
      var request = RenderRequest(path, to: folder.path("\(name).mp4"))
      request.execution.workFolder = folder.path("\(work).work")
      try request.set("gain", ["bob=\(gain)"])
      var reused = 0
      for try await case .rendering(let progress) in render(request) { reused = progress.reused }
      #expect((reused > 0) == (name == "again"))
      files.append(try Data(contentsOf: URL(filePath: folder.path("\(name).mp4"))))
    }
    #expect(files[0] != files[1] && files[1] == files[2])
  }

  @Test("Every option that can change picture or sound has a case")
  func options() {
    /// The options without effect on video and sound.
    let others: Set = [
      "format", "max-archive-size", "speakers", "chapters", "cache", "no-cache", "cpu", "jobs",
      "memory", "work-dir", "executor", "retry-losses", "root", "strict", "strict-notes",
      "allow-missing", "report", "stems", "stem-format", "proof", "verify", "max-input-size",
      "allow-redirects", "fetch-cache", "max-duration", "overwrite", "accept-losses",
      "transcript-out", "page", "page-video", "page-for", "page-thumbnails", "secrets",
      // There is no silence here, and no transcript with word times; other tests cover these
      // options.
      "tighten", "without-fillers", "transcriber",
      // For plain files only; this is a session.
      "streams",
      // All sound here is mono.
      "channels",
      // Other ways to select parts, and crops around faces, which do not occur here.
      "chapter", "clips", "snap", "frame",
    ]
    #expect(
      Set(RenderRequest.optionNames).subtracting(others) == Set(Case.options.map(\.name)))
  }

  @Test("Every field of a session that can change picture or sound has a case")
  func fields() throws {
    /// The fields without effect on video and sound.
    let others: Set = [
      "session.version", "session.made-by", "session.notes", "session.left-out", "session.outputs",
      "track.id", "track.clock-source", "participant.name-source", "event.screen-audio",
      "event.media",
      // All sound here is mono.
      "track.channels",
    ]
    let schema = try JSONDecoder().decode(
      Schema.self,
      from: Data(
        contentsOf: SourceTree.root.appending(path: "Sources/Call/Recordings/session.schema.json")))
    var names = Set(schema.properties.keys.map { "session.\($0)" })
    for key in schema.properties["canvas"]?.properties?.keys.map({ $0 }) ?? [] {
      names.insert("canvas.\(key)")
    }
    for kind in ["participant", "track", "event", "overlay"] {
      names.formUnion(schema.definitions[kind]?.properties?.keys.map { "\(kind).\($0)" } ?? [])
    }
    #expect(names.subtracting(others) == Set(Case.fields.map(\.name)))
  }

  private struct Schema: Decodable {
    var properties: [String: Object]
    var definitions: [String: Object]
    struct Object: Decodable { var properties: [String: Anything]? }
    struct Anything: Decodable {}
  }
}

extension Plan {
  /// A digest of each encoded frame's canvas, by frame number in the call (FNV-1a).
  fileprivate var canvases: [Int: UInt64] {
    var renderer = FrameRenderer(
      self, frames: FrameSelection(cut.call(0..<cut.count)), kernels: PixelKernels(),
      cancellation: Cancellation())
    let numbers = ConditionLock([Int: UInt64]())
    renderer.run { number, canvas in
      let hash = canvas.withPlanes { luma, blue, red in
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for plane in [luma, blue, red] {
          for y in 0..<plane.size.height {
            for x in 0..<plane.size.width { hash = (hash ^ UInt64(plane[x, y])) &* 0x100_0000_01b3 }
          }
        }
        return hash
      }
      numbers.update { $0[number] = hash }
    }
    return numbers.withLock(\.self)
  }

  /// The whole mix, as its encoder receives it.
  fileprivate var mix: [Float] {
    let input = soundInput()
    let pool = VoiceDecodePool(
      [
        VoiceDecodePool.MixVoices(
          input.voices.map(\.source), sampleCount: input.mixedCount, splices: input.splices)
      ], cancellation: Cancellation())
    var soundtrack = Soundtrack(0, of: pool)
    var (mix, block): ([Float], [Float]) = ([], [])
    while (try? soundtrack.next(into: &block)) == true { mix += block }
    return mix
  }
}
