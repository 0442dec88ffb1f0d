internal import CTesseraPixelKernels

/// The row kernels of one instruction set level. Every level writes the same bytes.
@safe package struct PixelKernels: @unchecked Sendable {
  /// An instruction set level; the raw value is its name on the command line.
  ///
  /// `avx512vnni` is AVX-512 as in Cascade Lake and later. `avx512` also needs VBMI, as in Ice
  /// Lake, Zen 4 and later.
  package enum InstructionSet: String, Hashable, Sendable, Codable, CaseIterable {
    case c
    case avx2
    case avx512vnni
    case avx512
    case neon

    /// The best level of this processor.
    package static var detected: InstructionSet { available.last ?? .c }

    /// The levels that this processor supports, best last.
    package static var available: [InstructionSet] {
      allCases.filter { tpk_level_available($0.code) }
    }

    /// The level that runs if this one is requested: itself, or `avx512vnni` for `avx512` on a
    /// processor without VBMI; `nil` if the processor supports neither.
    package var substitute: InstructionSet? {
      let candidates: [InstructionSet] = self == .avx512 ? [.avx512, .avx512vnni] : [self]
      return candidates.first { tpk_level_available($0.code) }
    }

    var code: tpk_level {
      switch self {
      case .c: TPK_C
      case .avx2: TPK_AVX2
      case .avx512vnni: TPK_AVX512_VNNI
      case .avx512: TPK_AVX512
      case .neon: TPK_NEON
      }
    }
  }

  /// The level in use.
  package let level: InstructionSet
  /// The function table, behind a pointer so that clients do not depend on its size.
  private let functions: UnsafePointer<tpk_table>

  /// Creates the kernels of `level`.
  ///
  /// - Precondition: `level` is in ``InstructionSet/available``.
  package init(level: InstructionSet = .detected) {
    guard let functions = unsafe Self.tables[level] else {
      preconditionFailure("this processor lacks \(level.rawValue)")
    }
    self.level = level
    unsafe self.functions = functions
  }

  /// The functions of the level.
  var table: tpk_table { unsafe functions.pointee }

  /// The function tables of all levels of this processor, never freed.
  nonisolated(unsafe) private static let tables: [InstructionSet: UnsafePointer<tpk_table>] =
    unsafe Dictionary(
      uniqueKeysWithValues: InstructionSet.available.map { level in
        let table = UnsafeMutablePointer<tpk_table>.allocate(capacity: 1)
        unsafe table.initialize(to: tpk_table())
        unsafe tpk_table_init(table, level.code)
        return unsafe (level, UnsafePointer(table))
      })
}
