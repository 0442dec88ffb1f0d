public import TesseraLettering
import TesseraMedia
import TesseraPixels
public import TesseraSystem

/// What `tessera doctor` says about the machine and the libraries.
public struct Diagnosis: Sendable, Codable {
  /// Tessera's version.
  public var version: String
  /// The codec libraries and their versions.
  public var libraries: [String: String]
  /// The kernels that this processor can use, the one in use last.
  public var kernels: [String]
  /// The processors that this process may use.
  public var cores: Int
  /// Bytes of memory in all, and those that are free for this process.
  public var memory: Memory
  /// Bytes that are free on the disk with the current folder; nil where that is not known.
  public var freeDisk: Int?
  /// The families of letters that names may need.
  public var fonts: Fonts
  /// What the kernel can do to keep workers from harm.
  public var sandbox: Sandbox.Status
  /// The encoders of the table that the libraries have.
  public var encoders: [String]

  /// Bytes of memory.
  public struct Memory: Sendable, Codable {
    /// In all.
    public var total: Int
    /// Free for this process.
    public var free: Int
  }

  /// Families of letters.
  public struct Fonts: Sendable, Codable {
    /// Those that are here.
    public var installed: [FontFamily]
    /// Those that are not, so that some names lack letters.
    public var missing: [FontFamily]
  }

  /// Looks at this machine; `folder` is where work folders would be.
  public static func here(folder: String = ".") -> Diagnosis {
    let fonts = FontFamily.here
    return Diagnosis(
      version: TesseraVersion.current,
      libraries: Dictionary(
        LibraryVersions.all.map { ($0.name, $0.version) }, uniquingKeysWith: { first, _ in first }),
      kernels: Kernels.Level.available.map(\.rawValue), cores: Machine.cores,
      memory: Memory(total: Machine.totalMemory, free: Machine.freeMemory),
      freeDisk: Disk.freeBytes(at: folder),
      fonts: Fonts(installed: fonts.installed, missing: fonts.missing), sandbox: Sandbox.available,
      encoders: VideoEncoderSettings.knownEncoders)
  }
}
