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
  .unsafeFlags(["-O2", "-Werror", "-Wall", "-Wextra"])
]

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")

// Every target names all modules whose values it holds, also those that it does not import: their sizes are compiled in,
// and a build after a change compiles anew only what names the module that changed.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies + ["TestSupport"], swiftSettings: strict)
}

let package = Package(
  name: "tessera",
  products: [
    .executable(name: "tessera", targets: ["tessera"]),
    .executable(name: "tessera-bench", targets: ["tessera-bench"]),
    .library(name: "Tessera", targets: ["Rendering"]),
  ],
  traits: [
    .trait(name: "Peers", description: "Measure libyuv, libswscale and zimg beside our kernels.")
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ],
  targets: [
    .systemLibrary(
      name: "CFFmpeg",
      pkgConfig: "libavformat libavcodec libavfilter libswscale libswresample libavutil",
      providers: [
        .apt([
          "libavformat-dev", "libavcodec-dev", "libavfilter-dev", "libswscale-dev",
          "libswresample-dev", "libavutil-dev",
        ])
      ]),
    .target(name: "CPixelKernels", exclude: ["README.md"], cSettings: kernelFlags),
    module("Timeline"),
    module("Layout", ["Timeline"]),
    module("Pixels", ["CPixelKernels"]),
    module("Compositor", ["Layout", "Pixels", "Timeline"]),
    module("Media", ["CFFmpeg", "Pixels", "Timeline"]),
    // Its loops run over every sample of every voice: 30 times slower without optimisation.
    .target(
      name: "Soundtrack", dependencies: ["Media", "Pixels", "Timeline"],
      swiftSettings: strict + [.unsafeFlags(["-O"])]),
    module("Rendering", ["Compositor", "Layout", "Media", "Pixels", "Soundtrack", "Timeline"]),
    program(
      "tessera",
      [
        "Compositor", "Layout", "Media", "Pixels", "Rendering", "Soundtrack", "Timeline",
        argumentParser,
      ]),
    program(
      "tessera-bench",
      [
        "Compositor", "Layout", "Media", "Pixels", "Rendering", "Soundtrack", "Timeline",
        argumentParser,
        .target(name: "CScalePeers", condition: .when(traits: ["Peers"])),
      ]),
    .target(
      name: "CScalePeers",
      linkerSettings: [.linkedLibrary("yuv"), .linkedLibrary("zimg"), .linkedLibrary("swscale")]),
    .target(
      name: "TestSupport", dependencies: ["Pixels"], path: "Tests/TestSupport",
      swiftSettings: strict),
    tests("TimelineTests", ["Timeline"]),
    tests("LayoutTests", ["Layout", "Timeline"]),
    tests("PixelsTests", ["Pixels", "CPixelKernels"]),
    .target(name: "CAllocationCount", path: "Tests/CAllocationCount", cSettings: kernelFlags),
    tests(
      "CompositorTests", ["CAllocationCount", "Compositor", "Layout", "Pixels", "Timeline"]),
    tests("MediaTests", ["Media", "Pixels", "Timeline"]),
    tests("SoundtrackTests", ["Media", "Pixels", "Soundtrack", "Timeline"]),
    tests(
      "RenderingTests",
      ["Compositor", "Layout", "Media", "Pixels", "Rendering", "Soundtrack", "Timeline"]),
    tests(
      "CommandTests",
      [
        "Compositor", "Layout", "Media", "Pixels", "Rendering", "Soundtrack", "Timeline",
        "tessera", argumentParser,
      ]),
  ]
)
