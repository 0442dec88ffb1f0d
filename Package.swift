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

/// The name of the target whose sources are in `folder`. It cannot collide with a user's own.
func named(_ folder: String) -> String {
  ["Tessera", "FuzzTargets", "TestSupport"].contains(folder) ? folder : "Tessera\(folder)"
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

func module(
  _ folder: String, _ folders: [String], _ others: [Target.Dependency] = [],
  exclude: [String] = [], resources: [Resource]? = nil, settings: [SwiftSetting] = []
) -> Target {
  .target(
    name: named(folder), dependencies: needs(folders, others, by: folder),
    path: "Sources/\(folder)", exclude: exclude, resources: resources,
    swiftSettings: strict + settings)
}

func tests(
  _ name: String, _ folders: [String], _ others: [Target.Dependency] = [],
  exclude: [String] = [], resources: [Resource]? = nil, settings: [SwiftSetting] = []
) -> Target {
  .testTarget(
    name: name, dependencies: needs(folders + ["TestSupport"], others, by: name),
    exclude: exclude, resources: resources, swiftSettings: strict + settings)
}

/// For tests that hardly compute anything themselves: they are there a minute sooner.
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
    .systemLibrary(
      name: "CTesseraArchive", path: "Sources/CArchive", pkgConfig: "libarchive",
      providers: [.apt(["libarchive-dev"])]),
    module("Timeline", []),
    module(
      "System", ["Timeline"],
      ["CTesseraCrypto", "CTesseraSeccomp", "CTesseraSystem", systemPackage]),
    module("Storage", ["System", "Timeline"], ["CTesseraCurl"]),
    module("Documents", ["Timeline"], [yams]),
    module("Captions", ["Documents", "Timeline"]),
    module("Layout", ["Documents", "Timeline"]),
    module(
      "Recordings", ["Documents", "Timeline"], exclude: ["README.md", "session.schema.json"]),
    module("Archives", ["Documents", "Recordings", "System", "Timeline"], ["CTesseraArchive"]),
    module("Pixels", ["Timeline"], ["CTesseraPixelKernels"]),
    module(
      "Lettering", ["Captions", "Documents", "Layout", "Pixels", "System", "Timeline"],
      ["CTesseraPango"]),
    // It looks at every canvas of a render: as for faces.
    module("Proof", ["Pixels", "Timeline"], settings: [.unsafeFlags(["-O"])]),
    module("Compositor", ["Layout", "Pixels", "Timeline"]),
    // It looks at every window of a picture: 40 times slower without optimisation.
    module("Faces", ["Pixels", "System", "Timeline"], settings: [.unsafeFlags(["-O"])]),
    module(
      "Media", ["Documents", "Pixels", "System", "Timeline"],
      ["CTesseraFFmpeg", "CTesseraOpus", systemPackage]),
    // Its loops run over every sample of every voice: 30 times slower without optimisation.
    module(
      "Soundtrack", ["Media", "Proof", "System", "Timeline"],
      ["CTesseraSoxr", "CTesseraEbur128"], settings: [.unsafeFlags(["-O"])]),
    module("Jobs", ["System", "Timeline"], [systemPackage]),
    module(
      "Plan",
      [
        "Captions", "Jobs", "Layout", "Lettering", "Media", "Pixels", "Soundtrack", "System",
        "Timeline",
      ]),
    // What is asked for, as values and texts: it does not know who plans.
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
        "Media", "Pixels", "Plan", "Recordings", "Request", "Soundtrack", "System", "Timeline",
      ]),
    // It sees what is planned, never what was recorded: it does not know who plans.
    module(
      "Rendering",
      [
        "Compositor", "Jobs", "Layout", "Lettering", "Media", "Pixels", "Plan", "Proof",
        "Soundtrack", "System", "Timeline",
      ]),
    // Whether a finished file is what was composed.
    module(
      "Verify",
      ["Documents", "Jobs", "Media", "Pixels", "Proof", "Soundtrack", "System", "Timeline"],
      settings: [.unsafeFlags(["-O"])]),
    module(
      "Page", ["Jobs", "Pixels", "Plan", "Rendering", "Request", "System", "Timeline"],
      resources: [
        .embedInCode("Resources/page.html"), .embedInCode("Resources/page.css"),
        .embedInCode("Resources/page.js"), .embedInCode("Resources/strikes.js"),
        .embedInCode("Resources/index.html"),
        .embedInCode("Resources/index.js"),
      ]),
    // The call as an editor's project.
    module(
      "Export",
      [
        "Documents", "Layout", "Lettering", "Media", "Pixels", "Plan", "Planning", "Recordings",
        "Rendering", "Request", "Soundtrack", "System", "Timeline",
      ]),
    // It makes what a request asks for.
    module(
      "Delivery",
      [
        "Archives", "Captions", "Compositor", "Documents", "Jobs", "Media", "Page", "Pixels",
        "Plan", "Planning", "Proof", "Recordings", "Rendering", "Request", "Soundtrack", "Storage",
        "System", "Timeline", "Verify",
      ], [systemPackage]),
    // It does many requests at once.
    module(
      "Batch",
      [
        "Delivery", "Documents", "Jobs", "Media", "Plan", "Planning", "Recordings", "Rendering",
        "Request", "Storage", "System", "Timeline",
      ]),
    .target(
      name: "Tessera",
      dependencies: needs(
        [
          "Archives", "Batch", "Compositor", "Delivery", "Jobs", "Layout", "Lettering", "Media",
          "Pixels", "Plan", "Recordings", "Rendering", "Request", "Soundtrack", "System",
          "Timeline",
        ], by: "Tessera"),
      path: "Sources/Tessera", swiftSettings: strict),
    .executableTarget(
      name: "TesseraCommand",
      dependencies: needs(
        [
          "Archives", "Batch", "Captions", "Delivery", "Documents", "Export", "Jobs", "Layout",
          "Lettering", "Media", "Page", "Pixels", "Plan", "Planning", "Proof", "Recordings",
          "Rendering", "Request", "Soundtrack", "Storage", "System", "Timeline", "Verify",
        ], [argumentParser, systemPackage], by: "Command"),
      path: "Sources/Command", swiftSettings: strict),
    .executableTarget(
      name: "tessera-bench",
      dependencies: needs(
        ["Compositor", "Layout", "Pixels"],
        [argumentParser, .target(name: "CScalePeers", condition: .when(traits: ["Peers"]))],
        by: "tessera-bench"),
      swiftSettings: strict),
    .target(
      name: "CScalePeers",
      linkerSettings: [.linkedLibrary("yuv"), .linkedLibrary("zimg"), .linkedLibrary("swscale")]),
    .target(
      name: "TestSupport", dependencies: needs(["Pixels"], by: "TestSupport"),
      path: "Tests/TestSupport",
      swiftSettings: strict),
    .executableTarget(
      name: "tessera-test-helper",
      dependencies: needs(["System"], [systemPackage], by: "TestHelper"),
      path: "Tests/TestHelper", swiftSettings: strict),
    tests("StorageTests", ["Storage", "System"], resources: [.copy("Vectors.json")]),
    tests("SystemTests", ["System"], ["tessera-test-helper", systemPackage]),
    tests("TimelineTests", ["Timeline"], settings: plain),
    tests("DocumentsTests", ["Documents", "Timeline"], settings: plain),
    tests("ArchivesTests", ["Archives", "Recordings"], settings: plain),
    .target(
      name: "FuzzTargets",
      dependencies: needs(
        [
          "Archives", "Captions", "Documents", "Layout", "Media", "Pixels", "Plan", "Planning",
          "Proof", "Recordings", "Request", "Soundtrack", "Storage", "System", "Timeline",
        ], by: "FuzzTargets"), path: "Tests/FuzzTargets",
      swiftSettings: strict),
    tests("FuzzTests", ["FuzzTargets"]),
    tests("CaptionsTests", ["Captions", "Timeline"], settings: plain),
    tests("RecordingsTests", ["Documents", "Layout", "Recordings", "Timeline"], settings: plain),
    tests("LayoutTests", ["Layout", "Timeline"]),
    tests("PixelsTests", ["Pixels"], ["CTesseraPixelKernels"]),
    .target(name: "CAllocationCount", path: "Tests/CAllocationCount", cSettings: kernelFlags),
    tests("CompositorTests", ["Compositor", "Layout", "Pixels"], ["CAllocationCount"]),
    tests("MediaTests", ["Media", "Pixels", "System", "Timeline"]),
    tests(
      "LetteringTests", ["Captions", "Documents", "Lettering", "Pixels", "System", "Timeline"]),
    tests("SoundtrackTests", ["Media", "Soundtrack", "System", "Timeline"], ["CTesseraOpus"]),
    // As a program outside sees it.
    .testTarget(
      name: "LibraryTests",
      dependencies: needs(["System", "Tessera", "TestSupport"], by: "LibraryTests"),
      packageAccess: false, swiftSettings: strict),
    .testTarget(
      name: "SurfaceTests", exclude: ["limits.txt", "surface.txt"], swiftSettings: strict),
    tests("JobsTests", ["Jobs", "System"], ["tessera-test-helper"], settings: plain),
    tests(
      "PlanningTests",
      [
        "Captions", "Documents", "Layout", "Media", "Pixels", "Plan", "Planning", "Recordings",
        "Request", "System", "Timeline",
      ], settings: plain),
    tests(
      "RenderingTests",
      [
        "Captions", "Compositor", "Documents", "Export", "Faces", "Jobs", "Layout", "Lettering",
        "Media", "Pixels", "Plan", "Planning", "Recordings", "Rendering", "Request", "Soundtrack",
        "System", "Timeline",
      ], ["CAllocationCount", "tessera-test-helper"]),
    tests(
      "VerifyTests",
      [
        "Delivery", "Layout", "Media", "Pixels", "Planning", "Proof", "Request", "System",
        "Timeline", "Verify",
      ]),
    tests("FacesTests", ["Faces", "Pixels", "Timeline"]),
    tests(
      "PageTests",
      [
        "Captions", "Documents", "Jobs", "Media", "Page", "Pixels", "Plan", "Planning",
        "Recordings", "Rendering", "Request", "System", "Timeline",
      ], exclude: ["strikes.json"], settings: plain),
    tests(
      "BatchTests",
      ["Batch", "Documents", "Jobs", "Planning", "Rendering", "Request", "System", "Timeline"],
      ["tessera-test-helper"], settings: plain),
    tests(
      "DeliveryTests",
      [
        "Captions", "Compositor", "Delivery", "Documents", "Jobs", "Layout", "Lettering", "Media",
        "Pixels", "Plan", "Planning", "Recordings", "Rendering", "Request", "Soundtrack", "Storage",
        "System", "Timeline",
      ], settings: plain),
    tests(
      "CommandTests",
      [
        "Batch", "Command", "Documents", "Layout", "Lettering", "Media", "Pixels", "Plan",
        "Planning", "Recordings", "Rendering", "Request", "System", "Timeline",
      ], [argumentParser], settings: plain),
  ]
)
