package import TesseraCodecs
package import TesseraProof
import TesseraSystem

/// Mixes a soundtrack, holds it below the ``Ceiling`` and encodes it: three steps at the same time,
/// each on a thread of its own, a second of sound after the other. The packets are those of one
/// step after the other.
///
///     var encoder = try SoundtrackEncoder(soundtrack, settings)
///     while let packets = try encoder.next() { … }
///     report(encoder.voiceReports)
package final class SoundtrackEncoder {
  private var encoder: AudioEncoder
  private let steps: Steps
  private var hasEnded = false
  /// How many samples of each channel were encoded.
  package private(set) var sampleCount = 0
  /// How loud what was encoded is.
  package private(set) var envelope: SoundEnvelope

  /// An encoder of all that `soundtrack` has, which is mixed from now on.
  package init(_ soundtrack: Soundtrack, _ settings: SoundEncoderSettings) throws(FFmpegError) {
    encoder = try AudioEncoder.open(settings)
    envelope = SoundEnvelope(isMono: settings.channelCount == 1)
    steps = Steps(soundtrack, try Ceiling(settings, packetLength: encoder.packetLength))
    steps.start()
  }

  deinit { steps.stop() }

  /// What a file says of the stream.
  package func parameters() throws(FFmpegError) -> StreamParameters { try encoder.parameters() }

  /// The packets of the next second or so; nil after the last ones, and once the soundtrack's
  /// cancellation was asked for.
  package func next() throws(FFmpegError) -> [EncodedPacket]? {
    guard !hasEnded else { return nil }
    if let samples = try steps.next() {
      sampleCount += samples.count / 2
      envelope.append(samples.span)
      return samples.isEmpty ? [] : try encoder.encode(samples.span)
    }
    hasEnded = true
    envelope.finish()
    return steps.isComplete ? try encoder.finish() : nil
  }

  /// What each voice came to, once everything was encoded or stopped.
  package var voiceReports: [VoiceReport] { steps.voiceReports }

  /// The steps before encoding.
  private final class Steps: @unchecked Sendable {
    // Sendable because the soundtrack belongs to the mixing thread and the ceiling to its own until
    // both have ended.
    private var soundtrack: Soundtrack
    private var ceiling: Ceiling
    private let mixed = BoundedQueue<[Float]>(capacity: 4)
    private let held = BoundedQueue<[Float]>(capacity: 4)
    private let failure = Monitor<FFmpegError?>(nil)
    private var threads: [WorkerThreads] = []
    private var isMixed = false

    /// Blocks that are handed on together.
    private static let blockCount = 47

    init(_ soundtrack: Soundtrack, _ ceiling: consuming Ceiling) {
      self.soundtrack = soundtrack
      self.ceiling = ceiling
    }

    func start() {
      threads = [
        WorkerThreads(count: 1, name: "mix") { [self] in mix() },
        WorkerThreads(count: 1, name: "ceiling") { [self] in hold() },
      ]
    }

    /// Ends both threads; what they have not handed on is lost.
    func stop() {
      mixed.close()
      held.close()
      for thread in threads { thread.join() }
      threads = []
    }

    func next() throws(FFmpegError) -> [Float]? {
      if let samples = held.take() { return samples }
      stop()
      if let failure = failure.withLock({ $0 }) { throw failure }
      return nil
    }

    /// Whether everything was mixed; after the end.
    var isComplete: Bool { isMixed }

    var voiceReports: [VoiceReport] {
      stop()
      return soundtrack.voiceReports
    }

    private func mix() {
      defer {
        soundtrack.stop()
        mixed.end()
      }
      var block: [Float] = []
      var second: [Float] = []
      // Once somebody asked to stop, what was mixed is not the whole.
      do throws(CancellationError) {
        while try soundtrack.next(into: &block) {
          second += block
          guard second.count >= 2 * Self.blockCount * Soundtrack.blockLength else { continue }
          guard mixed.put(second) else { return }
          second.removeAll()
        }
        if let failure = soundtrack.failure {
          self.failure.update { $0 = failure }
        } else {
          isMixed = mixed.put(second)
        }
      } catch {}
    }

    /// Blocks go on as they were mixed: where trials begin depends on them.
    private func hold() {
      defer { held.end() }
      do throws(FFmpegError) {
        while let samples = mixed.take() {
          var passed: [Float] = []
          for start in stride(from: 0, to: samples.count, by: 2 * Soundtrack.blockLength) {
            let end = min(samples.count, start + 2 * Soundtrack.blockLength)
            passed += try ceiling.pass(Array(samples[start..<end]), isLast: false)
          }
          guard held.put(passed) else { return }
        }
        _ = held.put(try ceiling.pass([], isLast: true))
      } catch {
        failure.update { $0 = error }
        mixed.close()
      }
    }
  }
}
