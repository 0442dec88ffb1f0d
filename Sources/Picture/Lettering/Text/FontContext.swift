import CTesseraPango

/// The installed fonts and a Pango context for them. To be used by one thread at a time.
@safe final class FontContext {
  let context: OpaquePointer?
  /// The installed families, in lower case.
  private let installed: Set<String>

  init() {
    var made: OpaquePointer?
    installed = FontLock.hold {
      tpg_be_quiet()
      unsafe made = tpg_context_new()
      return unsafe Self.families(made)
    }
    unsafe context = made
  }

  deinit {
    guard let context = unsafe context else { return }
    FontLock.hold { unsafe tpg_release(UnsafeMutableRawPointer(context)) }
  }

  /// True if `family` is installed or is a generic name such as `sans-serif`.
  func has(_ family: String) -> Bool {
    let name = family.lowercased()
    return Self.generic.contains(name) || installed.contains(name)
  }

  private static let generic: Set<String> = [
    "sans", "sans-serif", "serif", "monospace", "system-ui",
  ]

  private static func families(_ context: OpaquePointer?) -> Set<String> {
    guard let context = unsafe context else { return [] }
    var list: UnsafeMutablePointer<UnsafeMutablePointer<PangoFontFamily>?>? = nil
    var count: CInt = 0
    unsafe pango_context_list_families(context, &list, &count)
    guard let list = unsafe list else { return [] }
    defer { unsafe tpg_free(list) }
    let names = (0..<Int(count)).compactMap { index -> String? in
      guard let name = unsafe pango_font_family_get_name(list[index]) else { return nil }
      return unsafe String(cString: name).lowercased()
    }
    return Set(names)
  }
}
