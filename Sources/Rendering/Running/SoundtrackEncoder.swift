import Foundation
import TesseraMedia
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline

/// Mixes and encodes the sound of a plan on a thread of its own, a bounded number of packets
/// ahead of the muxer.
final class SoundtrackEncoder: Sendable {
  private struct State: Sendable {
    var packets: [EncodedPacket] = []
    var end: Result<[VoiceReport], FFmpegError>?
    var isStopped = false
  }

  private static let largestQueue = 512

  private let monitor = Monitor(State())
  private let thread: Monitor<WorkerThreads?>

  /// Starts mixing `voices` into `sampleCount` samples for `encoder`.
  init(
    _ voices: [VoiceSource], sampleCount: Int64, encoder: consuming AudioEncoder,
    cancellation: Cancellation
  ) {
    let job = Job(
      voices: voices, sampleCount: sampleCount, encoder: encoder, cancellation: cancellation)
    thread = Monitor(nil)
    let threads = WorkerThreads(count: 1, name: "sound") { [monitor] in
      let end = job.run { packets in
        monitor.wait { state in
          if state.isStopped { return false }
          return state.packets.count < Self.largestQueue ? true : nil
        } && Self.append(packets, monitor)
      }
      monitor.update { $0.end = end }
    }
    thread.update { $0 = threads }
  }

  private static func append(_ packets: [EncodedPacket], _ monitor: Monitor<State>) -> Bool {
    monitor.update { $0.packets += packets }
    return true
  }

  /// The next packets up to `seconds` on the timeline, waiting for them; all there are for nil.
  func packets(until seconds: Double?) throws(FFmpegError) -> [EncodedPacket] {
    var taken: [EncodedPacket] = []
    while true {
      let next: Result<EncodedPacket?, FFmpegError> = monitor.wait { state in
        if let first = state.packets.first {
          if let seconds, first.decodingSeconds > seconds { return .success(nil) }
          return .success(state.packets.removeFirst())
        }
        guard let end = state.end else { return nil }
        return end.map { _ in nil }
      }
      monitor.update { _ in }
      guard let packet = try next.get() else { return taken }
      taken.append(packet)
    }
  }

  /// What each voice came to; after the last packet was taken.
  var reports: [VoiceReport] {
    monitor.withLock { (try? $0.end?.get()) ?? [] }
  }

  /// Ends the thread early or after its work, and waits for it.
  func stop() {
    monitor.update { $0.isStopped = true }
    thread.withLock { $0 }?.join()
  }
}

/// What the sound thread does.
private final class Job: @unchecked Sendable {
  // Sendable because only the sound's thread touches it after it was made.
  private let voices: [VoiceSource]
  private let sampleCount: Int64
  private var encoder: AudioEncoder
  private let cancellation: Cancellation

  init(
    voices: [VoiceSource], sampleCount: Int64, encoder: consuming AudioEncoder,
    cancellation: Cancellation
  ) {
    self.voices = voices
    self.sampleCount = sampleCount
    self.encoder = encoder
    self.cancellation = cancellation
  }

  /// Gives `deliver` all packets until it answers false.
  func run(_ deliver: ([EncodedPacket]) -> Bool) -> Result<[VoiceReport], FFmpegError> {
    var soundtrack = Soundtrack(voices, sampleCount: sampleCount, cancellation: cancellation)
    var block: [Float] = []
    do {
      while try soundtrack.next(into: &block) {
        guard deliver(try encoder.encode(block.span)) else { break }
      }
      _ = deliver(try encoder.finish())
      return .success(soundtrack.voiceReports)
    } catch let error as FFmpegError {
      return .failure(error)
    } catch {
      return .success(soundtrack.voiceReports)
    }
  }
}
