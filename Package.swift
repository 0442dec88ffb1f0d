// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableExperimentalFeature("Lifetimes"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

let kernelFlags: [CSetting] = [
  // The row kernels are the program's inner loop: a debug build without optimization is 60 times slower.
  .headerSearchPath("."), .headerSearchPath("x86"),
  .unsafeFlags(["-O2", "-Werror", "-Wall", "-Wextra"]),
]

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let systemPackage = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

/// The name of the target whose sources are in `folder`. It cannot collide with a user's own.
func named(_ folder: String) -> String {
  ["Tessera", "FuzzTargets", "PlanningSupport", "TestSupport"].contains(folder)
    ? folder : "Tessera\(folder)"
}

/// The modules that each module imports, and those that these import in turn.
nonisolated(unsafe) var reached: [String: Set<String>] = [:]

/// The dependencies of the target `folder` that imports the modules of `folders`, and `others`.
///
/// The lists below state imports, which `SurfaceTests` checks. The target also depends on all modules
/// that these import in turn, because sizes of values are compiled in, and SwiftPM recompiles a target
/// only after a change of a direct dependency. Measured with Swift 6.3: if A changes the size of a
/// value that B stores, and B's own module file stays the same, C, which names B alone, is not
/// recompiled and uses the old size.
func needs(
  _ folders: [String], _ others: [Target.Dependency] = [], by folder: String
) -> [Target.Dependency] {
  let all = folders.reduce(into: Set(folders)) { all, folder in
    guard let further = reached[folder] else {
      fatalError("Package.swift: declare \(folder) above what imports it")
    }
    all.formUnion(further)
  }
  reached[folder] = all
  return all.sorted().map { .target(name: named($0)) } + others
}

/// The last component of a path: `Timeline` of `Base/Timeline`.
func last(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }

/// The module in `Sources/path`, which imports the modules of `folders`.
func module(
  _ path: String, _ folders: [String], _ others: [Target.Dependency] = [],
  exclude: [String] = [], resources: [Resource]? = nil, settings: [SwiftSetting] = []
) -> Target {
  .target(
    name: named(last(path)), dependencies: needs(folders, others, by: last(path)),
    path: "Sources/\(path)", exclude: exclude, resources: resources,
    swiftSettings: strict + settings)
}

/// The tests in `Tests/path`, which import the modules of `folders`.
func tests(
  _ path: String, _ folders: [String], _ others: [Target.Dependency] = [],
  exclude: [String] = [], resources: [Resource]? = nil, settings: [SwiftSetting] = []
) -> Target {
  .testTarget(
    name: last(path),
    dependencies: needs(folders + ["TestSupport"], others, by: last(path)),
    path: "Tests/\(path)", exclude: exclude, resources: resources, swiftSettings: strict + settings)
}

/// The settings for tests that compute little themselves: without optimization they compile a minute faster.
let plain: [SwiftSetting] = [.unsafeFlags(["-Onone"])]

let package = Package(
  name: "tessera",
  products: [
    .executable(name: "tessera", targets: ["TesseraCommand"]),
    .executable(name: "tessera-bench", targets: ["tessera-bench"]),
    .library(name: "Tessera", targets: ["Tessera"]),
  ],
  traits: [
    .trait(name: "Peers", description: "Measure libyuv, libswscale and zimg beside our kernels.")
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/apple/swift-system", from: "1.6.4"),
  ],
  targets: [
    .systemLibrary(
      name: "CTesseraFFmpeg", path: "Sources/C/FFmpeg",
      pkgConfig: "libavformat libavcodec libswscale libswresample libavutil",
      providers: [
        .apt([
          "libavformat-dev", "libavcodec-dev", "libavfilter-dev", "libswscale-dev",
          "libswresample-dev", "libavutil-dev",
        ])
      ]),
    .target(
      name: "CTesseraPixelKernels", path: "Sources/Picture/PixelKernels", exclude: ["README.md"],
      cSettings: kernelFlags),
    .systemLibrary(name: "CTesseraSystem", path: "Sources/C/System"),
    .systemLibrary(
      name: "CTesseraPango", path: "Sources/C/Pango", pkgConfig: "pangocairo cairo",
      providers: [.apt(["libpango1.0-dev", "libcairo2-dev"])]),
    .systemLibrary(
      name: "CTesseraSoxr", path: "Sources/C/Soxr", pkgConfig: "soxr",
      providers: [.apt(["libsoxr-dev"])]),
    .systemLibrary(
      name: "CTesseraEbur128", path: "Sources/C/Ebur128", pkgConfig: "libebur128",
      providers: [.apt(["libebur128-dev"])]),
    .systemLibrary(
      name: "CTesseraOpus", path: "Sources/C/Opus", pkgConfig: "opus",
      providers: [.apt(["libopus-dev"])]),
    .systemLibrary(
      name: "CTesseraSeccomp", path: "Sources/C/Seccomp", pkgConfig: "libseccomp",
      providers: [.apt(["libseccomp-dev"])]),
    .systemLibrary(
      name: "CTesseraCurl", path: "Sources/C/Curl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(
      name: "CTesseraCrypto", path: "Sources/C/Crypto", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"])]),
    .systemLibrary(
      name: "CTesseraArchive", path: "Sources/C/Archive", pkgConfig: "libarchive",
      providers: [.apt(["libarchive-dev"])]),
    module("Base/Messages", []),
    module("Base/Timeline", []),
    module(
      "Base/System", ["Messages", "Timeline"],
      ["CTesseraCrypto", "CTesseraSeccomp", "CTesseraSystem", systemPackage]),
    module("Service/Storage", ["Messages", "System", "Timeline"], ["CTesseraCurl"]),
    module("Base/Documents", ["Messages", "Timeline"], [yams]),
    module("Call/Captions", ["Documents", "Messages", "Timeline"]),
    module("Picture/Layout", ["Documents", "Messages", "Timeline"]),
    module(
      "Call/Recordings", ["Documents", "Messages", "Timeline"],
      exclude: ["README.md", "session.schema.json"]),
    module(
      "Call/Archives", ["Documents", "Messages", "Recordings", "System", "Timeline"],
      ["CTesseraArchive"]),
    module("Picture/Pixels", ["Messages", "Timeline"], ["CTesseraPixelKernels"]),
    module(
      "Picture/Lettering",
      ["Captions", "Documents", "Layout", "Messages", "Pixels", "System", "Timeline"],
      ["CTesseraPango"]),
    // Proof reads every canvas of a render, and needs optimization like Faces.
    module("Engine/Proof", ["Pixels", "Timeline"], settings: [.unsafeFlags(["-O"])]),
    module("Picture/Compositor", ["Layout", "Pixels", "Timeline"]),
    // Faces reads every window of a picture: 40 times slower without optimization.
    module("Picture/Faces", ["Pixels", "System", "Timeline"], settings: [.unsafeFlags(["-O"])]),
    module(
      "Media/Codecs", ["Documents", "Messages", "Pixels", "System", "Timeline"],
      ["CTesseraFFmpeg", "CTesseraOpus", systemPackage]),
    // Soundtrack's loops run over every sample of every voice: 30 times slower without optimization.
    module(
      "Media/Soundtrack", ["Codecs", "Proof", "System", "Timeline"],
      ["CTesseraSoxr", "CTesseraEbur128"], settings: [.unsafeFlags(["-O"])]),
    module("Engine/Jobs", ["Messages", "System", "Timeline"], [systemPackage]),
    module(
      "Engine/Plan",
      [
        "Captions", "Codecs", "Jobs", "Layout", "Lettering", "Messages", "Pixels", "Soundtrack",
        "System", "Timeline",
      ]),
    // The request as values and texts, independent of planning.
    module(
      "Engine/Request",
      [
        "Captions", "Codecs", "Documents", "Layout", "Lettering", "Messages", "Pixels",
        "Recordings", "Soundtrack", "System", "Timeline",
      ]),
    module(
      "Engine/Planning",
      [
        "Archives", "Captions", "Codecs", "Compositor", "Documents", "Faces", "Jobs", "Layout",
        "Lettering", "Messages", "Pixels", "Plan", "Recordings", "Request", "Soundtrack", "System",
        "Timeline",
      ]),
    // Renders plans, independent of recordings and of planning.
    module(
      "Engine/Rendering",
      [
        "Codecs", "Compositor", "Jobs", "Layout", "Lettering", "Messages", "Pixels", "Plan",
        "Proof", "Soundtrack", "System", "Timeline",
      ]),
    // Compares a finished file with the composed call.
    module(
      "Engine/Verify",
      [
        "Codecs", "Documents", "Jobs", "Messages", "Pixels", "Proof", "Soundtrack", "System",
        "Timeline",
      ],
      settings: [.unsafeFlags(["-O"])]),
    module(
      "Service/Page",
      ["Jobs", "Messages", "Pixels", "Plan", "Rendering", "Request", "System", "Timeline"],
      resources: [
        .embedInCode("Resources/page.html"), .embedInCode("Resources/page.css"),
        .embedInCode("Resources/page.js"), .embedInCode("Resources/strikes.js"),
        .embedInCode("Resources/index.html"),
        .embedInCode("Resources/index.js"),
      ]),
    // Exports a call as an editor's project.
    module(
      "Service/Export",
      [
        "Codecs", "Documents", "Layout", "Lettering", "Messages", "Pixels", "Plan", "Planning",
        "Recordings", "Rendering", "Request", "Soundtrack", "System", "Timeline",
      ]),
    // Performs a request.
    module(
      "Service/Delivery",
      [
        "Archives", "Captions", "Codecs", "Compositor", "Documents", "Jobs", "Messages", "Page",
        "Pixels", "Plan", "Planning", "Proof", "Recordings", "Rendering", "Request", "Soundtrack",
        "Storage", "System", "Timeline", "Verify",
      ], [systemPackage]),
    // Performs many requests at once.
    module(
      "Service/Batch",
      [
        "Codecs", "Delivery", "Documents", "Jobs", "Messages", "Plan", "Planning", "Recordings",
        "Rendering", "Request", "Storage", "System", "Timeline",
      ]),
    .target(
      name: "Tessera",
      dependencies: needs(
        [
          "Archives", "Batch", "Codecs", "Compositor", "Delivery", "Jobs", "Layout", "Lettering",
          "Messages", "Pixels", "Plan", "Recordings", "Rendering", "Request", "Soundtrack",
          "System", "Timeline",
        ], by: "Tessera"),
      path: "Sources/Tessera", swiftSettings: strict),
    .executableTarget(
      name: "TesseraCommand",
      dependencies: needs(
        [
          "Archives", "Batch", "Captions", "Codecs", "Delivery", "Documents", "Export", "Jobs",
          "Layout", "Lettering", "Messages", "Page", "Pixels", "Plan", "Planning", "Proof",
          "Recordings", "Rendering", "Request", "Soundtrack", "Storage", "System", "Timeline",
          "Verify",
        ], [argumentParser, systemPackage], by: "Command"),
      path: "Sources/Command", exclude: ["README.md"], swiftSettings: strict),
    .executableTarget(
      name: "tessera-bench",
      dependencies: needs(
        ["Compositor", "Layout", "Pixels"],
        [argumentParser, .target(name: "CScalePeers", condition: .when(traits: ["Peers"]))],
        by: "Bench"),
      path: "Sources/Bench", swiftSettings: strict),
    .target(
      name: "CScalePeers", path: "Sources/C/ScalePeers",
      linkerSettings: [.linkedLibrary("yuv"), .linkedLibrary("zimg"), .linkedLibrary("swscale")]),
    .target(
      name: "TestSupport", dependencies: needs(["Pixels"], by: "TestSupport"),
      path: "Tests/Support/TestSupport",
      swiftSettings: strict),
    .target(
      name: "PlanningSupport",
      dependencies: needs(
        [
          "Codecs", "Layout", "Lettering", "Pixels", "Plan", "Planning", "Request", "System",
          "TestSupport", "Timeline",
        ],
        by: "PlanningSupport"),
      path: "Tests/Support/PlanningSupport", swiftSettings: strict),
    .executableTarget(
      name: "tessera-test-helper",
      dependencies: needs(["System"], [systemPackage], by: "TestHelper"),
      path: "Tests/Support/TestHelper", swiftSettings: strict),
    tests(
      "Service/StorageTests", ["Messages", "Storage", "System"], resources: [.copy("Vectors.json")]),
    tests("Base/SystemTests", ["System"], ["tessera-test-helper", systemPackage]),
    tests("Base/MessagesTests", ["Messages", "System"], settings: plain),
    tests("Base/TimelineTests", ["Timeline"], settings: plain),
    tests("Base/DocumentsTests", ["Documents", "Messages", "Timeline"], settings: plain),
    tests("Call/ArchivesTests", ["Archives", "Messages", "Recordings"], settings: plain),
    .target(
      name: "FuzzTargets",
      dependencies: needs(
        [
          "Archives", "Captions", "Codecs", "Documents", "Layout", "Messages", "Pixels", "Plan",
          "Planning", "Proof", "Recordings", "Request", "Soundtrack", "Storage", "System",
          "Timeline",
        ], by: "FuzzTargets"), path: "Tests/Fuzz/FuzzTargets",
      swiftSettings: strict),
    tests("Fuzz/FuzzTests", ["FuzzTargets"]),
    tests("Call/CaptionsTests", ["Captions", "Messages", "Timeline"], settings: plain),
    tests(
      "Call/RecordingsTests", ["Documents", "Layout", "Messages", "Recordings", "Timeline"],
      settings: plain),
    tests("Picture/LayoutTests", ["Layout", "Timeline"]),
    tests("Picture/PixelsTests", ["Pixels"], ["CTesseraPixelKernels"]),
    .target(
      name: "CAllocationCount", path: "Tests/Support/CAllocationCount", cSettings: kernelFlags),
    tests("Picture/CompositorTests", ["Compositor", "Layout", "Pixels"], ["CAllocationCount"]),
    tests("Media/CodecsTests", ["Codecs", "Messages", "Pixels", "System", "Timeline"]),
    tests(
      "Picture/LetteringTests",
      ["Captions", "Documents", "Lettering", "Messages", "Pixels", "System", "Timeline"]),
    tests(
      "Media/SoundtrackTests", ["Codecs", "Soundtrack", "System", "Timeline"], ["CTesseraOpus"]),
    // Tests of the public interface, without package access.
    .testTarget(
      name: "LibraryTests",
      dependencies: needs(["System", "Tessera", "TestSupport"], by: "LibraryTests"),
      path: "Tests/Tessera/LibraryTests", packageAccess: false, swiftSettings: strict),
    tests("Tessera/SurfaceTests", [], exclude: ["limits.txt", "surface.txt"], settings: plain),
    tests(
      "Engine/JobsTests", ["Jobs", "Messages", "System"], ["tessera-test-helper"], settings: plain),
    tests(
      "Engine/PlanningTests",
      [
        "Captions", "Codecs", "Documents", "Jobs", "Layout", "Lettering", "Messages", "Pixels",
        "Plan", "Planning", "PlanningSupport", "Recordings", "Request", "Soundtrack", "System",
        "Timeline",
      ], settings: plain),
    tests(
      "Engine/RenderingTests",
      [
        "Captions", "Codecs", "Compositor", "Export", "Faces", "Jobs", "Layout", "Lettering",
        "Messages", "Pixels", "Plan", "Planning", "PlanningSupport", "Recordings", "Rendering",
        "Request", "Soundtrack", "System", "Timeline",
      ], ["CAllocationCount", "tessera-test-helper"]),
    tests(
      "Engine/VerifyTests",
      [
        "Codecs", "Delivery", "Layout", "Messages", "Pixels", "Planning", "Proof", "Request",
        "System", "Timeline", "Verify",
      ]),
    tests("Picture/FacesTests", ["Faces", "Pixels", "Timeline"]),
    tests(
      "Service/PageTests",
      [
        "Captions", "Codecs", "Documents", "Jobs", "Messages", "Page", "Pixels", "Plan", "Planning",
        "Recordings", "Rendering", "Request", "System", "Timeline",
      ], exclude: ["strikes.json"], settings: plain),
    tests(
      "Service/BatchTests",
      ["Batch", "Documents", "Jobs", "Planning", "Rendering", "Request", "System", "Timeline"],
      ["tessera-test-helper"], settings: plain),
    tests(
      "Service/DeliveryTests",
      [
        "Captions", "Codecs", "Compositor", "Delivery", "Documents", "Jobs", "Layout", "Lettering",
        "Messages", "Pixels", "Plan", "Planning", "Recordings", "Rendering", "Request",
        "Soundtrack", "Storage", "System", "Timeline",
      ], settings: plain),
    tests(
      "Command/CommandTests",
      [
        "Batch", "Codecs", "Command", "Documents", "Layout", "Lettering", "Messages", "Pixels",
        "Plan", "Planning", "Recordings", "Rendering", "Request", "System", "Timeline",
      ], [argumentParser], settings: plain),
  ]
)
