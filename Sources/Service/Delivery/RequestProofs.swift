import SystemPackage
import TesseraJobs
import TesseraProof
import TesseraRendering
import TesseraRequest
import TesseraSystem
import TesseraVerify

/// What the outputs of a request have to be, kept while they are made, and held against them.
final class RequestProofs: Sendable {
  /// The file that keeps that of the main output; nil where it is not kept.
  private let kept: String?
  private let files: [String]
  private let isOverwriting: Bool
  private let isVerifying: Bool
  private let isCluster: Bool
  /// The proofs in files, by the places of their outputs.
  private let paths = ConditionLock([Int: String]())
  private let scratch = ConditionLock(ScratchFolder?.none)

  /// Those of `request`; nil where nobody wants any. The file that is kept is none of `files`.
  init?(_ request: RenderRequest, protecting files: [String]) {
    kept = request.sidecars.proof
    isVerifying = request.execution.verifies == true
    isCluster = if case .slurm = request.execution.executor { true } else { false }
    (self.files, isOverwriting) = (files, request.execution.overwrites == true)
    guard kept != nil || isVerifying else { return nil }
  }

  /// Makes sure early that there will be proofs, and that the file can be made.
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

  /// Keeps the proof of the output at that place.
  func keep(_ place: Int, _ proof: Proof) throws(RenderError) {
    if place == 0, let kept {
      var file = try OutputFile(
        kept, protecting: files, overwriting: isOverwriting, mark: .member)
      try file.write(PlainJSON.bytes(proof))
      paths.update { $0[place] = kept }
      return
    }
    guard isVerifying else { return }
    do throws(SystemError) {
      let folder = try scratch.withLock { scratch throws(SystemError) in
        if scratch == nil { scratch = try ScratchFolder() }
        return scratch?.path ?? ""
      }
      let path = "\(folder)/\(place)\(Proof.ending)"
      if let number = FileDescriptor.write(PlainJSON.bytes(proof), to: path) {
        throw SystemError("write", path, number: number)
      }
      paths.update { $0[place] = path }
    } catch {
      throw RenderError(error)
    }
  }

  /// What deviates in the files of `reports`, by their places, where that is to be looked at.
  ///
  /// - Throws: ``RenderError`` where one cannot be read.
  func verdicts(
    on reports: [RenderReport], _ context: RequestContext
  ) throws(RenderError) -> [VerificationReport] {
    guard isVerifying else { return [] }
    let known = paths.withLock(\.self)
    let tasks = reports.enumerated().flatMap { place, report -> [VerifyTask] in
      guard report.error == nil, let proof = known[place] else { return [] }
      return VerifyTask.tasks(for: report.output, proof: proof)
    }
    let pool = TaskPool(context.readers(), cancellation: context.cancellation)
    let verdicts = try VerifyTask.verdicts(tasks, by: pool).compactMap(\.self)
    for verdict in verdicts {
      for sentence in verdict.sentences {
        context.report(.warning("\(verdict.name) differs from what was composed: \(sentence)"))
      }
    }
    return verdicts
  }
}

extension RenderReport {
  /// Says where the outputs deviate, of which there are verdicts.
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
