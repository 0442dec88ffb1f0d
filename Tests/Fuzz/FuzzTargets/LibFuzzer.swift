import Foundation

private let chosen = FuzzTarget(
  rawValue: ProcessInfo.processInfo.environment["TESSERA_FUZZ_TARGET"] ?? "")

/// The entry point that libFuzzer calls with each input: see `scripts/fuzz`. The environment names
/// the target.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let chosen else { return -1 }
  unsafe chosen.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
  return 0
}
