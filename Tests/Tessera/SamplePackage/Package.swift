// swift-tools-version: 6.2
import PackageDescription

// A program that uses the library: scripts/test-library builds and runs it.
let package = Package(
  name: "sample",
  dependencies: [.package(name: "tessera", path: "../../..")],
  targets: [
    .executableTarget(
      name: "Sample", dependencies: [.product(name: "Tessera", package: "tessera")])
  ])
