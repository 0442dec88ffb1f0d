import TesseraCodecs
import TesseraJobs
package import TesseraLettering
import TesseraPixels
package import TesseraSystem

/// The machine and the libraries, as `tessera doctor` prints them.
package struct SystemDiagnosis: Sendable, Codable {
  package var version: String
  /// Versions of the codec libraries by name.
  package var libraries: [String: String]
  /// The kernel levels that this processor supports; the last one is in use.
  package var kernels: [String]
  /// Number of processors that this process may use.
  package var cores: Int
  package var memory: Memory
  /// Free bytes on the disk with the work folder's location; nil if unknown.
  package var freeDisk: Int?
  /// The font families that names may need.
  package var fonts: Fonts
  /// The sandboxing features of the operating system's kernel.
  package var sandbox: Sandbox.Status
  /// The known video encoders that the libraries contain.
  package var encoders: [String]
  /// True if crops can follow faces.
  package var faces: Bool

  /// Memory of the machine, in bytes.
  package struct Memory: Sendable, Codable {
    /// Bytes of memory that the machine has.
    package var total: Int
    /// Bytes of memory that are free for this process.
    package var free: Int
  }

  /// Font families by availability.
  package struct Fonts: Sendable, Codable {
    package var installed: [FontFamily]
    /// Families that are not installed: some names will lack characters.
    package var missing: [FontFamily]
  }

  /// Examines this machine. `folder` is the location of work folders; `faces` is true if crops can
  /// follow faces.
  package static func here(folder: String = ".", faces: Bool) -> SystemDiagnosis {
    let fonts = FontFamily.here
    return SystemDiagnosis(
      version: TesseraVersion.current,
      libraries: Dictionary(
        LibraryVersions.all.map { ($0.name, $0.version) }, uniquingKeysWith: { first, _ in first }),
      kernels: PixelKernels.InstructionSet.available.map(\.rawValue), cores: MachineResources.cores,
      memory: Memory(total: MachineResources.totalMemory, free: MachineResources.freeMemory),
      freeDisk: FileSystemInfo.freeBytes(at: folder),
      fonts: Fonts(installed: fonts.installed, missing: fonts.missing), sandbox: Sandbox.available,
      encoders: VideoEncoderSettings.knownEncoders,
      faces: faces)
  }
}
