import TesseraCodecs
import TesseraJobs
import TesseraSoundtrack
import TesseraSystem

extension TaskWorkerPool {
  /// Returns the powers of `voices` mixed under the gain `curves`, for each of `ranges` of steps,
  /// or `nil` if they could not be measured.
  func powers(
    of voices: [VoiceSource], _ curves: [GainCurve], in ranges: [Range<Int>], cache: ScanCache?
  ) -> [[Double]]? {
    var voices = voices
    for (index, curve) in curves.enumerated() { voices[index].gain = curve }
    let size = max(1, (ranges.count + MachineResources.cores - 1) / MachineResources.cores)
    let tasks = stride(from: 0, to: ranges.count, by: size).map { first in
      RecordingReadTask.mix(voices, steps: Array(ranges[first..<min(ranges.count, first + size)]))
    }
    guard let results = try? read(tasks, cache: cache) else { return nil }
    let powers = results.flatMap { result -> [[Double]] in
      guard case .powers(let powers) = result else { return [] }
      return powers ?? []
    }
    return powers.count == ranges.count ? powers : nil
  }
}
