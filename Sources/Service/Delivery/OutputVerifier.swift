import SystemPackage
import TesseraJobs
import TesseraMessages
import TesseraProof
import TesseraRendering
import TesseraRequest
import TesseraSystem
import TesseraVerify

/// Stores the proofs of a request's outputs during rendering and verifies the outputs with them.
///
/// An ``OutputProof`` describes the expected content of an output. The main output's proof goes to
/// a requested file, if any. All other proofs are temporary files.
final class OutputVerifier: Sendable {
  /// The requested proof file of the main output; `nil` if none was requested.
  private let kept: String?
  private let files: [String]
  private let isOverwriting: Bool
  private let isVerifying: Bool
  private let isCluster: Bool
  /// The paths of the proof files by output index.
  private let paths = ConditionLock([Int: String]())
  private let scratch = ConditionLock(ScratchFolder?.none)

  /// Creates the store; `nil` if `request` asks for neither a proof file nor verification.
  ///
  /// - Parameters:
  ///   - request: the request whose outputs are proven.
  ///   - files: paths that the proof file must not replace.
  init?(_ request: RenderRequest, protecting files: [String]) {
    kept = request.sidecars.proof
    isVerifying = request.execution.verifies == true
    isCluster = if case .slurm = request.execution.executor { true } else { false }
    (self.files, isOverwriting) = (files, request.execution.overwrites == true)
    guard kept != nil || isVerifying else { return nil }
  }

  /// Checks before rendering that proofs are possible and that the proof file can be written.
  ///
  /// - Throws: a usage error if a cluster joins the output, and ``RenderError`` if the file cannot
  ///   be written.
  func require() throws(RenderError) {
    if isCluster {
      throw RenderError(
        .usage,
        "an output that a cluster joins cannot be verified: leave out \(option: "executor") slurm, or "
          + "\(option: "verify") and \(option: "proof")."
      )
    }
    guard let kept else { return }
    try OutputFile.require(kept, protecting: files, overwriting: isOverwriting, mark: .member)
  }

  /// Writes the proof of the output with index `place`; 0 is the main output.
  ///
  /// The main output's proof goes to the requested file. Other proofs go to a scratch folder, and
  /// are dropped if nothing is verified.
  func keep(_ place: Int, _ proof: OutputProof) throws(RenderError) {
    if place == 0, let kept {
      var file = try OutputFile(
        kept, protecting: files, overwriting: isOverwriting, mark: .member)
      try file.write(CanonicalJSON.bytes(proof))
      paths.update { $0[place] = kept }
      return
    }
    guard isVerifying else { return }
    do throws(SystemError) {
      let folder = try scratch.withLock { scratch throws(SystemError) in
        if scratch == nil { scratch = try ScratchFolder() }
        return scratch?.path ?? ""
      }
      let path = "\(folder)/\(place)\(OutputProof.ending)"
      if let number = FileDescriptor.write(CanonicalJSON.bytes(proof), to: path) {
        throw SystemError("write", path, number: number)
      }
      paths.update { $0[place] = path }
    } catch {
      throw RenderError(error)
    }
  }

  /// Verifies the outputs of `reports` with their proofs and reports each deviation as a warning.
  ///
  /// - Parameters:
  ///   - reports: the reports of all outputs, by output index.
  ///   - context: the environment in which the request runs.
  /// - Returns: the verdicts; empty if verification was not requested.
  /// - Throws: ``RenderError`` if an output cannot be read.
  func verdicts(
    on reports: [RenderReport], _ context: RequestContext
  ) throws(RenderError) -> [VerificationReport] {
    guard isVerifying else { return [] }
    let known = paths.withLock(\.self)
    let tasks = reports.enumerated().flatMap { place, report -> [VerifyTask] in
      guard report.error == nil, let proof = known[place] else { return [] }
      return VerifyTask.tasks(for: report.output, proof: proof)
    }
    let pool = TaskWorkerPool(context.readers(), cancellation: context.cancellation)
    let verdicts = try VerifyTask.verdicts(tasks, by: pool).compactMap(\.self)
    for verdict in verdicts {
      for sentence in verdict.sentences {
        context.warn("\(verdict.title) differs from what was composed: \(sentence)")
      }
    }
    return verdicts
  }
}

extension RenderReport {
  /// Enters the deviations that `verdicts` found into this report and those of further outputs. An
  /// output without a verdict keeps its report unchanged.
  mutating func take(_ verdicts: [VerificationReport]) {
    let own = verdicts.filter { $0.output == output }
    if !own.isEmpty {
      deviations = own.flatMap { verdict in
        verdict.checks.flatMap(\.findings).map { finding in
          Deviation(
            from: finding.start, to: finding.end, person: finding.person,
            text: verdict.part.map { "\($0): \(finding.text)" } ?? finding.text)
        }
      }
    }
    for index in (outputs ?? []).indices { outputs?[index].take(verdicts) }
  }
}
