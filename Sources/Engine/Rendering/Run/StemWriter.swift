import Foundation
package import TesseraCodecs
import TesseraJobs
import TesseraMessages
package import TesseraPlan
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline

/// The folder and format for a sound file of each participant.
package struct StemFolder: Hashable, Sendable {
  /// The path of the folder, which is created if it does not exist.
  package var path: String
  /// The container format, which must be lossless.
  package var container: OutputContainer
  /// Number of channels: 1 or 2.
  package var channelCount: Int

  package init(_ path: String, container: OutputContainer = .wav, channelCount: Int = 2) {
    (self.path, self.container, self.channelCount) = (path, container, channelCount)
  }
}

extension StemFolder {
  /// Returns the file of each participant of `plan` with sound, in the plan's order.
  package func files(of plan: Plan) -> [(participant: Plan.Participant, path: String)] {
    let heard = Set(plan.voices.map(\.participant))
    var names = UniqueFileNamer()
    return plan.participants.filter { heard.contains($0.id) }.map { participant in
      let name = names.name(for: participant.name, else: "voice")
      return (participant, "\(path)/\(name).\(container.rawValue)")
    }
  }
}

/// Writes each participant's part of the mix to a file of its own. All files have the same start
/// and duration.
struct StemWriter {
  private let plan: Plan
  private let lost: [CrashedTrackLoss]

  /// Creates a writer of the voices of `plan`, up to the times at which they crashed workers
  /// (`lost`).
  init(_ plan: Plan, lost: [CrashedTrackLoss] = []) { (self.plan, self.lost) = (plan, lost) }

  /// Throws early if one of the sound files cannot be written.
  func require(
    _ folder: StemFolder, protecting files: [String], overwriting: Bool
  ) throws(RenderError) {
    guard FileOperations.isFolder(folder.path) else { return }
    for stem in stems(in: folder) {
      try OutputFile.require(stem.path, protecting: files, overwriting: overwriting)
    }
  }

  /// Writes the sound files into `folder`. Each appears when it is complete.
  func write(
    to folder: StemFolder, protecting files: [String], overwriting: Bool,
    cancellation: Cancellation
  ) throws(RenderError) {
    do {
      try FileManager.default.createDirectory(
        atPath: folder.path, withIntermediateDirectories: true)
    } catch {
      throw RenderError(
        .failure,
        "cannot make the folder \(file: folder.path); name another one, or a path in it, for \(option: "stems")."
      )
    }
    var made: [String] = []
    let sound = plan.soundInput(without: lost)
    for (path, title, voices) in stems(in: folder) {
      let file = try OutputFile(path, protecting: files, overwriting: overwriting)
      let temporary = try file.temporaryPath()
      do {
        try StemEncoder.write(
          voices, sampleCount: sound.mixedCount, splices: sound.splices, to: temporary,
          folder.container,
          SoundEncoderSettings(
            codec: folder.container.soundCodecs[0], channelCount: folder.channelCount),
          tags: folder.container.tags.merging(["title": title]) { $1 }, cancellation: cancellation)
      } catch let error as FFmpegError {
        throw RenderError(error, output: path)
      } catch {
        throw .stopped(cancellation, made: made)
      }
      try file.commit()
      made.append(path)
    }
  }

  /// Returns the file, title and voices of each participant with sound.
  private func stems(
    in folder: StemFolder
  ) -> [(path: String, title: String, voices: [VoiceSource])] {
    folder.files(of: plan).compactMap { participant, path in
      let voices = voices(of: participant.id)
      return voices.isEmpty ? nil : (path, participant.name, voices)
    }
  }

  private func voices(of id: ParticipantID) -> [VoiceSource] {
    plan.soundInput(without: lost).voices.filter { plan.voices[$0.number].participant == id }
      .map(\.source)
  }
}
