package import TesseraCodecs
import TesseraPlan

extension ScanCache {
  /// The cache of this program in `folder`.
  package init(_ folder: String) { self.init(folder, build: Self.build) }

  /// This program, also where another build of it has the same version and size.
  private static let build: String = {
    let program = FileIdentity("/proc/self/exe").map { "\($0.modified) \($0.ends)" }
    return "\(WorkPlan.build), \(program ?? "")"
  }()
}
