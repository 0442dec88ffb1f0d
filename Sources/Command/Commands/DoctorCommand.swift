import ArgumentParser
import Foundation
import TesseraDelivery
import TesseraLettering
import TesseraPlanning
import TesseraRendering
import TesseraSystem

/// `tessera doctor`.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract:
      "Shows what Tessera finds on this machine: versions, encoders, processors, memory, fonts, sandbox."
  )

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let found = SystemDiagnosis.here(faces: Rendition.canFollowFaces)
    try StandardOutput.write(
      json ? try JSONOutput.text(found) : Data((DiagnosisText.text(found) + "\n").utf8))
  }
}

/// Formats a diagnosis as text.
enum DiagnosisText {
  static func text(_ found: SystemDiagnosis) -> String {
    let rows: [(String, String)] = [
      ("tessera", found.version),
      (
        "libraries",
        found.libraries.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
          .joined(separator: ", ")
      ),
      ("encoders", found.encoders.joined(separator: ", ")),
      ("kernels", "\(found.kernels.last ?? "none") of \(found.kernels.joined(separator: ", "))"),
      ("processors", "\(found.cores) for this process"),
      (
        "memory",
        "\(RenderSummaryFormatter.bytes(found.memory.free)) free of \(RenderSummaryFormatter.bytes(found.memory.total))"
      ),
      ("disk", found.freeDisk.map { "\(RenderSummaryFormatter.bytes($0)) free here" } ?? "unknown"),
      ("fonts", fonts(found)),
      ("faces", found.faces ? "found" : "not found: install opencv-data"),
      ("sandbox", sandbox(found)),
    ]
    return rows.map { name, value in
      name.padding(toLength: 12, withPad: " ", startingAt: 0) + value
    }.joined(separator: "\n")
  }

  private static func fonts(_ found: SystemDiagnosis) -> String {
    let missing = found.fonts.missing.map { "no \($0.name): install \($0.package)" }
    return (found.fonts.installed.map(\.name) + missing).joined(separator: ", ")
  }

  private static func sandbox(_ found: SystemDiagnosis) -> String {
    let files = found.sandbox.files
    return [
      files > 0
        ? "files limited (Landlock \(files))"
        : "files not limited: this kernel has no Landlock, so a compromised decoder can "
          + "read all files that you can read; use Linux 5.13 or later with landlock among its security modules",
      found.sandbox.calls
        ? "calls limited (seccomp)"
        : "calls not limited: this kernel has no seccomp, so a compromised decoder can "
          + "use the network and start programs; allow seccomp, or use another kernel",
      found.sandbox.memory ? "memory limited" : "memory not limited",
    ].joined(separator: ", ")
  }
}
