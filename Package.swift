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
  // The row kernels are the program's inner loop: a debug build without optimisation is 60 times slower.
  .headerSearchPath("."), .headerSearchPath("x86"),
  .unsafeFlags(["-O2", "-Werror", "-Wall", "-Wextra"]),
]

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let systemPackage = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

/// The targets' names cannot collide with a user's own; the folders keep the short ones.
func named(_ folder: String) -> String { "Tessera\(folder)" }

/// What a target needs: the folders of the project's own modules, and what comes from elsewhere.
///
/// Every target names all modules whose values it holds, also those that it does not import: their sizes are compiled
/// in, and a build after a change recompiles only what names the module that changed.
func needs(_ folders: [String], _ others: [Target.Dependency]) -> [Target.Dependency] {
  folders.map { .target(name: named($0)) } + others
}

func module(
  _ folder: String, _ folders: [String] = [], _ others: [Target.Dependency] = [],
  exclude: [String] = [], resources: [Resource]? = nil, settings: [SwiftSetting] = []
) -> Target {
  .target(
    name: named(folder), dependencies: needs(folders, others), path: "Sources/\(folder)",
    exclude: exclude, resources: resources, swiftSettings: strict + settings)
}

func tests(
  _ name: String, _ folders: [String], _ others: [Target.Dependency] = [],
  exclude: [String] = [], settings: [SwiftSetting] = []
) -> Target {
  .testTarget(
    name: name, dependencies: needs(folders, others + ["TestSupport"]), exclude: exclude,
    swiftSettings: strict + settings)
}

/// For tests that hardly compute anything themselves: they are there a minute sooner.
let plain: [SwiftSetting] = [.unsafeFlags(["-Onone"])]

let everything = [
  "Archives", "Captions", "Compositor", "Documents", "Faces", "Jobs", "Layout", "Lettering",
  "Media",
  "Pixels", "Plan", "Planning", "Proof", "Recordings", "Rendering", "Request", "Soundtrack",
  "System", "Timeline",
]

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
      name: "CTesseraFFmpeg", path: "Sources/CFFmpeg",
      pkgConfig: "libavformat libavcodec libswscale libswresample libavutil",
      providers: [
        .apt([
          "libavformat-dev", "libavcodec-dev", "libavfilter-dev", "libswscale-dev",
          "libswresample-dev", "libavutil-dev",
        ])
      ]),
    .target(
      name: "CTesseraPixelKernels", path: "Sources/CPixelKernels", exclude: ["README.md"],
      cSettings: kernelFlags),
    .systemLibrary(name: "CTesseraSystem", path: "Sources/CSystem"),
    .systemLibrary(
      name: "CTesseraPango", path: "Sources/CPango", pkgConfig: "pangocairo cairo",
      providers: [.apt(["libpango1.0-dev", "libcairo2-dev"])]),
    .systemLibrary(
      name: "CTesseraSoxr", path: "Sources/CSoxr", pkgConfig: "soxr",
      providers: [.apt(["libsoxr-dev"])]),
    .systemLibrary(
      name: "CTesseraEbur128", path: "Sources/CEbur128", pkgConfig: "libebur128",
      providers: [.apt(["libebur128-dev"])]),
    .systemLibrary(
      name: "CTesseraOpus", path: "Sources/COpus", pkgConfig: "opus",
      providers: [.apt(["libopus-dev"])]),
    .systemLibrary(
      name: "CTesseraSeccomp", path: "Sources/CSeccomp", pkgConfig: "libseccomp",
      providers: [.apt(["libseccomp-dev"])]),
    .systemLibrary(
      name: "CTesseraCurl", path: "Sources/CCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(
      name: "CTesseraCrypto", path: "Sources/CCrypto", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"])]),
    module(
      "System", ["Timeline"],
      ["CTesseraCrypto", "CTesseraSeccomp", "CTesseraSystem", systemPackage]),
    module("Storage", ["System", "Timeline"], ["CTesseraCurl"]),
    module("Timeline"),
    module("Documents", ["Timeline"], [yams]),
    module("Captions", ["Documents", "Timeline"]),
    module("Layout", ["Documents", "Timeline"]),
    module(
      "Recordings", ["Documents", "Timeline"], exclude: ["README.md", "session.schema.json"]),
    .systemLibrary(
      name: "CTesseraArchive", path: "Sources/CArchive", pkgConfig: "libarchive",
      providers: [.apt(["libarchive-dev"])]),
    module("Archives", ["Documents", "Recordings", "System", "Timeline"], ["CTesseraArchive"]),
    module("Pixels", ["Timeline"], ["CTesseraPixelKernels"]),
    module(
      "Lettering", ["Captions", "Documents", "Layout", "Pixels", "System", "Timeline"],
      ["CTesseraPango"]),
    // It looks at every canvas of a render: as for faces.
    module("Proof", ["Pixels", "Timeline"], settings: [.unsafeFlags(["-O"])]),
    module("Compositor", ["Documents", "Layout", "Pixels", "Timeline"]),
    // It looks at every window of a picture: 40 times slower without optimisation.
    module("Faces", ["Pixels", "System", "Timeline"], settings: [.unsafeFlags(["-O"])]),
    module(
      "Media", ["Documents", "Pixels", "System", "Timeline"],
      ["CTesseraFFmpeg", "CTesseraOpus", systemPackage]),
    // Its loops run over every sample of every voice: 30 times slower without optimisation.
    module(
      "Soundtrack", ["Documents", "Media", "Pixels", "Proof", "System", "Timeline"],
      ["CTesseraSoxr", "CTesseraEbur128"], settings: [.unsafeFlags(["-O"])]),
    module("Jobs", ["System", "Timeline"], [systemPackage]),
    module(
      "Plan",
      [
        "Captions", "Compositor", "Documents", "Jobs", "Layout", "Lettering", "Media", "Pixels",
        "Soundtrack", "System", "Timeline",
      ]),
    // What is asked for, as a value; it does not know who plans.
    module(
      "Request",
      [
        "Captions", "Documents", "Layout", "Lettering", "Media", "Pixels", "Recordings",
        "Soundtrack", "System", "Timeline",
      ]),
    module(
      "Planning",
      [
        "Archives", "Captions", "Compositor", "Documents", "Faces", "Jobs", "Layout", "Lettering",
        "Media",
        "Pixels", "Plan", "Recordings", "Request", "Soundtrack", "System", "Timeline",
      ]),
    // It sees what is planned, never what was recorded: it does not know who plans.
    module(
      "Rendering",
      [
        "Captions", "Compositor", "Documents", "Jobs", "Layout", "Lettering", "Media", "Pixels",
        "Plan", "Proof", "Soundtrack", "System", "Timeline",
      ]),
    // Whether a finished file is what was composed.
    module(
      "Verify",
      [
        "Compositor", "Documents", "Jobs", "Layout", "Lettering", "Media", "Pixels", "Plan",
        "Proof", "Rendering", "Soundtrack", "System", "Timeline",
      ], settings: [.unsafeFlags(["-O"])]),
    module(
      "Page", everything,
      resources: [
        .embedInCode("Resources/page.html"), .embedInCode("Resources/page.css"),
        .embedInCode("Resources/page.js"), .embedInCode("Resources/strikes.js"),
        .embedInCode("Resources/index.html"),
        .embedInCode("Resources/index.js"),
      ]),
    // The call as an editor's project.
    module("Export", everything),
    // It makes what a request asks for.
    module("Delivery", everything + ["Page", "Storage", "Verify"], [systemPackage]),
    // It does many requests at once.
    module("Batch", everything + ["Delivery", "Page", "Storage", "Verify"]),
    .target(
      name: "Tessera",
      dependencies: needs(everything + ["Batch", "Delivery", "Page", "Storage", "Verify"], []),
      path: "Sources/Tessera", swiftSettings: strict),
    .executableTarget(
      name: "TesseraCommand",
      dependencies: needs(
        everything + ["Batch", "Delivery", "Export", "Page", "Storage", "Verify"],
        [argumentParser, systemPackage]),
      path: "Sources/Command", swiftSettings: strict),
    .executableTarget(
      name: "tessera-bench",
      dependencies: needs(
        everything,
        [argumentParser, .target(name: "CScalePeers", condition: .when(traits: ["Peers"]))]),
      swiftSettings: strict),
    .target(
      name: "CScalePeers",
      linkerSettings: [.linkedLibrary("yuv"), .linkedLibrary("zimg"), .linkedLibrary("swscale")]),
    .target(
      name: "TestSupport", dependencies: needs(["Pixels"], []), path: "Tests/TestSupport",
      swiftSettings: strict),
    .executableTarget(
      name: "tessera-test-helper", dependencies: needs(["System", "Timeline"], [systemPackage]),
      path: "Tests/TestHelper", swiftSettings: strict),
    .testTarget(
      name: "StorageTests",
      dependencies: needs(["Storage", "System", "Timeline"], ["TestSupport"]),
      resources: [.copy("Vectors.json")], swiftSettings: strict),
    tests("SystemTests", ["System", "Timeline"], ["tessera-test-helper", systemPackage]),
    tests("TimelineTests", ["Timeline"], settings: plain),
    tests("DocumentsTests", ["Documents", "Timeline"], settings: plain),
    tests(
      "ArchivesTests", ["Archives", "Documents", "Recordings", "System", "Timeline"],
      settings: plain),
    .target(
      name: "FuzzTargets",
      dependencies: needs(everything + ["Storage"], []), path: "Tests/FuzzTargets",
      swiftSettings: strict),
    tests("FuzzTests", everything + ["Storage"], [.target(name: "FuzzTargets")]),
    tests("CaptionsTests", ["Captions", "Documents", "Timeline"], settings: plain),
    tests("RecordingsTests", ["Documents", "Layout", "Recordings", "Timeline"], settings: plain),
    tests("LayoutTests", ["Documents", "Layout", "Timeline"]),
    tests("PixelsTests", ["Pixels"], ["CTesseraPixelKernels"]),
    .target(name: "CAllocationCount", path: "Tests/CAllocationCount", cSettings: kernelFlags),
    tests("CompositorTests", ["Compositor", "Layout", "Pixels", "Timeline"], ["CAllocationCount"]),
    tests("MediaTests", ["Media", "Pixels", "System", "Timeline"]),
    tests(
      "LetteringTests",
      ["Captions", "Documents", "Layout", "Lettering", "Media", "Pixels", "System", "Timeline"]),
    tests(
      "SoundtrackTests", ["Media", "Pixels", "Soundtrack", "System", "Timeline"],
      ["CTesseraOpus"]),
    // As a program outside sees it.
    .testTarget(
      name: "LibraryTests",
      dependencies: needs(
        everything + ["Batch", "Delivery", "Page", "Storage", "Verify"], ["Tessera", "TestSupport"]),
      packageAccess: false, swiftSettings: strict),
    .testTarget(
      name: "SurfaceTests", exclude: ["limits.txt", "surface.txt"], swiftSettings: strict),
    tests("JobsTests", ["Jobs", "System", "Timeline"], ["tessera-test-helper"], settings: plain),
    tests("PlanningTests", everything, settings: plain),
    tests(
      "RenderingTests", everything + ["Export"], ["CAllocationCount", "tessera-test-helper"]),
    tests("VerifyTests", everything + ["Delivery", "Page", "Storage", "Verify"]),
    tests("FacesTests", ["Faces", "Pixels", "System", "Timeline"]),
    tests("PageTests", everything + ["Page"], exclude: ["strikes.json"], settings: plain),
    tests(
      "BatchTests", everything + ["Batch", "Delivery", "Page", "Storage", "Verify"],
      ["tessera-test-helper"], settings: plain),
    tests(
      "DeliveryTests", everything + ["Delivery", "Page", "Storage", "Verify"], settings: plain),
    tests(
      "CommandTests", everything + ["Batch", "Delivery", "Page", "Storage", "Verify"],
      [.target(name: "TesseraCommand"), argumentParser], settings: plain),
  ]
)
