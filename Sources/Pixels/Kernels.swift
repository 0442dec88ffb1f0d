internal import CPixelKernels

/// The row kernels of one instruction set level. Every level writes the same bytes.
public struct Kernels: Sendable {
  /// An instruction set level; the raw value is what the command line calls it.
  public enum Level: String, Hashable, Sendable, Codable, CaseIterable {
    case c
    case avx2
    case avx512
    case neon

    /// The best level of this processor.
    public static var detected: Level { available.last ?? .c }

    /// The levels of this processor, best last.
    public static var available: [Level] {
      allCases.filter { tpk_level_available($0.code) }
    }

    var code: tpk_level {
      switch self {
      case .c: TPK_C
      case .avx2: TPK_AVX2
      case .avx512: TPK_AVX512
      case .neon: TPK_NEON
      }
    }
  }

  /// The level that runs.
  public let level: Level
  /// The functions of that level.
  let table: tpk_table

  /// The kernels of `level`.
  ///
  /// - Precondition: `level` is one of ``Level/available``.
  public init(level: Level = .detected) {
    precondition(tpk_level_available(level.code), "this processor lacks \(level.rawValue)")
    var table = tpk_table()
    unsafe tpk_table_init(&table, level.code)
    self.level = level
    self.table = table
  }
}
