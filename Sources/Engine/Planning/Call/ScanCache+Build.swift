package import TesseraCodecs
import TesseraPlan

extension ScanCache {
  /// Opens the scan cache in `folder` for this build of the program.
  package init(_ folder: String) { self.init(folder, build: Self.build) }

  /// The key of this build. The executable's modification time and a hash of its ends distinguish
  /// builds with equal version and size.
  private static let build: String = {
    let program = FileIdentity("/proc/self/exe").map { "\($0.modified) \($0.ends)" }
    return "\(WorkPlan.build), \(program ?? "")"
  }()
}
