package import TesseraCodecs
package import TesseraProof
import TesseraSystem

/// Mixes a soundtrack, keeps it below the ``PeakCeiling`` and encodes it, as a pipeline of three
/// threads that pass on about a second of sound at a time. The packets equal those of a sequential
/// run.
///
///     var encoder = try SoundtrackEncoder(soundtrack, settings)
///     while let packets = try encoder.next() { … }
///     report(encoder.voiceReports)
package final class SoundtrackEncoder {
  private var encoder: AudioEncoder
  private let steps: PipelineThreads
  private var hasEnded = false
  /// The number of samples per channel encoded so far.
  package private(set) var sampleCount = 0
  /// The loudness envelope of the encoded sound.
  package private(set) var envelope: SoundEnvelopeMeter

  /// Creates the encoder of `soundtrack` and starts mixing.
  package init(_ soundtrack: Soundtrack, _ settings: SoundEncoderSettings) throws(FFmpegError) {
    encoder = try AudioEncoder.open(settings)
    envelope = SoundEnvelopeMeter(isMono: settings.channelCount == 1)
    steps = PipelineThreads(
      soundtrack, try PeakCeiling(settings, packetLength: encoder.packetLength))
    steps.start()
  }

  deinit { steps.stop() }

  /// Returns the stream parameters for the file's header.
  package func parameters() throws(FFmpegError) -> CodecParameters { try encoder.parameters() }

  /// Returns the packets of the next second or so; `nil` after the last ones, or if the
  /// soundtrack's cancellation was requested.
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

  /// The reports on the voices. Stops the pipeline, so read them only after encoding has ended.
  package var voiceReports: [VoiceReport] { steps.voiceReports }

  /// The pipeline's threads for mixing and for the ceiling.
  private final class PipelineThreads: @unchecked Sendable {
    // Sendable because only the mixing thread uses the soundtrack, and only the other thread the
    // ceiling, until both have ended.
    private var soundtrack: Soundtrack
    private var ceiling: PeakCeiling
    /// The queue from the mixing thread to the ceiling thread.
    private let mixed = BoundedQueue<[Float]>(capacity: 4)
    /// The queue from the ceiling thread to the encoder.
    private let held = BoundedQueue<[Float]>(capacity: 4)
    private let failure = ConditionLock<FFmpegError?>(nil)
    private var threads: [ThreadGroup] = []
    private var isMixed = false

    /// The number of blocks passed on together.
    private static let blockCount = 47

    init(_ soundtrack: Soundtrack, _ ceiling: consuming PeakCeiling) {
      self.soundtrack = soundtrack
      self.ceiling = ceiling
    }

    func start() {
      threads = [
        ThreadGroup(count: 1, name: "mix") { [self] in mix() },
        ThreadGroup(count: 1, name: "ceiling") { [self] in hold() },
      ]
    }

    /// Stops both threads and drops the sound in their queues.
    func stop() {
      mixed.close()
      held.close()
      for thread in threads { thread.join() }
      threads = []
    }

    /// Returns the next samples; `nil` after the end.
    func next() throws(FFmpegError) -> [Float]? {
      if let samples = held.take() { return samples }
      stop()
      if let failure = failure.withLock({ $0 }) { throw failure }
      return nil
    }

    /// True if the whole soundtrack was mixed; valid after the end.
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
      // After a cancellation, the mixed sound is incomplete.
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

    /// Passes sound through the ceiling in the mixer's blocks, because the blocks determine where
    /// trials begin.
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
