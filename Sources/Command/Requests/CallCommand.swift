import ArgumentParser
import TesseraDelivery
import TesseraJobs
import TesseraRequest
import TesseraStorage

/// A command on recordings that may lie in buckets or at addresses, as may what it makes.
///
/// This process has the network and decodes nothing: it fetches, has workers read, and uploads what was made.
protocol CallCommand: ParsableCommand {
  /// What it reads and makes, as a request.
  func request() throws -> RenderRequest
  /// What it makes beside that, the main output first.
  var places: [RequestPlace] { get }
  /// Whether it needs a store for more than its places.
  var isRemote: Bool { get throws }
  /// Does it with `request`, which names files, and with the files of ``places``. `files` are those that stand for
  /// places elsewhere; nil where all are of this machine.
  func run(_ request: RenderRequest, _ paths: [String], _ files: RemoteFiles?) throws
}

extension CallCommand {
  var places: [RequestPlace] { [] }
  var isRemote: Bool { false }

  func run() throws {
    Interrupts.install()
    let (request, places) = (try request(), places)
    let makesRemote = try places.contains { try Location($0.text).isRemote }
    guard try makesRemote || isRemote || request.hasRemotePlaces else {
      return try run(request, places.map(\.text), nil)
    }
    let local = try LocalRequest(request, beside: places, Interrupts.cancellation) {
      Terminal.say("note: \($0)")
    }
    try local.files.exclusively { isDone in
      try local.fetch()
      KnownNames.learn(local.files.names)
      isDone = false
      if !local.files.outputs.isEmpty { StandardOutput.hold() }
      defer { StandardOutput.release() }
      var losses: ExitStatus?
      do {
        try run(local.request, places.map { local.path(of: $0.text) }, local.files)
      } catch let status as ExitStatus where status == .renderedWithLosses {
        losses = status
      }
      try local.files.upload(made: [])
      isDone = true
      Terminal.finishHeld()
      if let losses { throw losses }
    }
  }
}
