import TesseraCodecs
import TesseraJobs
package import TesseraLettering
import TesseraPixels
import TesseraPlan
package import TesseraSystem

/// What `tessera doctor` says about the machine and the libraries.
package struct Diagnosis: Sendable, Codable {
  /// Tessera's version.
  package var version: String
  /// The codec libraries and their versions.
  package var libraries: [String: String]
  /// The kernels that this processor can use, the one in use last.
  package var kernels: [String]
  /// The processors that this process may use.
  package var cores: Int
  /// Bytes of memory in all, and those that are free for this process.
  package var memory: Memory
  /// Bytes that are free on the disk with the current folder; nil where that is not known.
  package var freeDisk: Int?
  /// The families of letters that names may need.
  package var fonts: Fonts
  /// What the kernel can do to keep workers from harm.
  package var sandbox: Sandbox.Status
  /// The encoders of the table that the libraries have.
  package var encoders: [String]
  /// Whether crops can follow faces.
  package var faces: Bool

  /// Bytes of memory.
  package struct Memory: Sendable, Codable {
    /// In all.
    package var total: Int
    /// Free for this process.
    package var free: Int
  }

  /// Families of letters.
  package struct Fonts: Sendable, Codable {
    /// Those that are here.
    package var installed: [FontFamily]
    /// Those that are not, so that some names lack letters.
    package var missing: [FontFamily]
  }

  /// Looks at this machine; `folder` is where work folders would be, and `faces` whether crops can
  /// follow them.
  package static func here(folder: String = ".", faces: Bool) -> Diagnosis {
    let fonts = FontFamily.here
    return Diagnosis(
      version: TesseraVersion.current,
      libraries: Dictionary(
        LibraryVersions.all.map { ($0.name, $0.version) }, uniquingKeysWith: { first, _ in first }),
      kernels: Kernels.Level.available.map(\.rawValue), cores: Machine.cores,
      memory: Memory(total: Machine.totalMemory, free: Machine.freeMemory),
      freeDisk: Disk.freeBytes(at: folder),
      fonts: Fonts(installed: fonts.installed, missing: fonts.missing), sandbox: Sandbox.available,
      encoders: VideoEncoderSettings.knownEncoders,
      faces: faces)
  }
}
