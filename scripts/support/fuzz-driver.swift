// What scripts/fuzz links libFuzzer with: the target is named by TESSERA_FUZZ_TARGET.
import Foundation
import FuzzTargets

private let name = ProcessInfo.processInfo.environment["TESSERA_FUZZ_TARGET"] ?? ""
private let target = FuzzTarget(rawValue: name) ?? .json

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  target.run(Array(UnsafeBufferPointer(start: data, count: count)))
  return 0
}
