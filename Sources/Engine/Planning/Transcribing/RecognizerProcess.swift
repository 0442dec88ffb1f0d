import Foundation
import Glibc
import TesseraCaptions
import TesseraMessages
import TesseraRequest
import TesseraSystem

/// Runs the external speech recognizer for one participant.
///
/// The user chose the program, so it runs with the user's rights, outside the sandbox for
/// recordings.
struct RecognizerProcess {
  let transcriber: Transcriber
  let cancellation: Cancellation

  /// The grace period between `SIGTERM` and `SIGKILL`.
  private static let patience = Duration.seconds(5)
  /// The maximum length, in characters, of the program's last error line in a message.
  private static let longestWords = 300
  private static let endings = [".json", ".vtt", ".srt", ""]

  /// Runs the recognizer on the file `wave` in `folder`, which must be used by nothing else, and
  /// returns the transcript of `person`.
  ///
  /// - Throws: ``RenderError`` if the program fails or writes no readable transcript.
  func transcript(of wave: String, of person: String, in folder: String) throws(RenderError)
    -> TranscriptFileReader
  {
    let (result, output, errors) = (
      "\(folder)/result", "\(folder)/result.stdout", "\(folder)/result.stderr"
    )
    let end: ChildProcess.Termination
    do throws(SystemError) {
      let flags = O_CREAT | O_WRONLY | O_TRUNC
      let process = try ChildProcess(
        transcriber.words[0],
        transcriber.arguments(wave: wave, result: result, folder: folder),
        environment: ProcessInfo.processInfo.environment,
        input: SharedFileDescriptor(try OwnedFileDescriptor(opening: "/dev/null", O_RDONLY)),
        errors: SharedFileDescriptor(try OwnedFileDescriptor(opening: errors, flags)),
        output: SharedFileDescriptor(try OwnedFileDescriptor(opening: output, flags)))
      let parentGuard = try? ProcessGroupWatchdog(process)
      end = try wait(for: process)
      withExtendedLifetime(parentGuard) {}
    } catch {
      throw RenderError(
        .usage, "\(option: "transcriber"): cannot start \(transcriber.words[0]): \(error.reason).")
    }
    guard !cancellation.isCancelled else { throw .stopped(cancellation) }
    guard end == .exit(0) else {
      let manner =
        switch end {
        case .exit(let code): "ended with exit code \(code)"
        case .signal(let signal): "was ended by signal \(signal)"
        }
      throw RenderError(
        .failure,
        "\(option: "transcriber"): \(transcriber.words[0]) \(manner) for \(person): \(lastWords(errors))"
      )
    }
    return try file(wave, result, output, person)
  }

  /// Waits for `process` to end. After a cancellation, asks it to stop and kills it after the grace
  /// period.
  private func wait(for process: ChildProcess) throws(SystemError) -> ChildProcess.Termination {
    let ended = ConditionLock(ChildProcess.Termination?.none)
    let waiting = ThreadGroup(count: 1, name: "recognizer") {
      let end = process.wait()
      ended.update { $0 = end }
    }
    var asked: ContinuousClock.Instant?
    while true {
      if let end = ended.withLock(\.self) {
        waiting.join()
        return end
      }
      if cancellation.isCancelled {
        if asked == nil { process.sendAll(SIGTERM) }
        let since = asked ?? .now
        asked = since
        if .now - since > Self.patience { process.sendAll(SIGKILL) }
      }
      usleep(10_000)
    }
  }

  private func lastWords(_ path: String) -> String {
    let bytes = (try? RegularFile.bytes(path, atMost: 1 << 20)) ?? []
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    return lines.last.map { String($0.suffix(Self.longestWords)) } ?? "it said nothing."
  }

  /// Reads the program's result: at the path that it was given, beside the voice file as Whisper
  /// writes it, or from standard output.
  private func file(
    _ wave: String, _ result: String, _ output: String, _ person: String
  ) throws(RenderError) -> TranscriptFileReader {
    let stem = String(wave.dropLast(".wav".count))
    let places =
      Self.endings.map { result + $0 }
      + Self.endings.dropLast().flatMap { ending in
        [stem + ending, wave + ending]
      } + [output]
    guard let path = places.first(where: { FileOperations.byteCount(of: $0) > 0 && $0 != wave })
    else {
      throw RenderError(
        .failure,
        "\(option: "transcriber"): \(transcriber.words[0]) wrote nothing for \(person); it has to write "
          + "WebVTT, SubRip or JSON to {out}.json, {out}.vtt or {out}.srt, or to standard output.")
    }
    do {
      return try TranscriptFileReader(
        try RegularFile.bytes(path, atMost: CaptionFileReader.maximumSize + 1),
        name: "the output of \(transcriber.words[0]) for \(person)")
    } catch let error as SystemError {
      throw RenderError(.failure, "\(option: "transcriber"): \(error)")
    } catch {
      throw RenderError(.failure, "\(option: "transcriber"): \(error)")
    }
  }
}
