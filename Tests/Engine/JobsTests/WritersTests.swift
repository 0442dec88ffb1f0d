import Foundation
import TestSupport
import Testing

/// Files that somebody names are written by way of `OutputFile` and `OutputFolder` only.
@Suite(.timed) struct WritersTests {
  /// Who may make, name or replace files, and what files these are.
  private static let writers: [String: String] = [
    "Call/Archives/ArchiveReader.swift": "what is unpacked into a folder of its own",
    "Service/Batch/Results/BatchResults.swift": "results, to which lines are only added",
    "Command/Batch/BatchRun.swift": "a task's note of its end, in the batch's own folder",
    "Service/Batch/Lists/JobList.swift": "a list that was fetched, in a scratch folder",
    "Service/Delivery/Pieces/BucketFolder.swift": "what was fetched, in a work folder",
    "Service/Delivery/Pieces/PieceInputs.swift": "what was fetched, in a work folder",
    "Command/Commands/WorkerCommand.swift": "standard output",
    "Service/Delivery/Places/Session.swift": "what is uploaded, in a folder of its own",
    "Command/Text/StandardOutput.swift": "standard output",
    "Command/Text/Terminal.swift": "standard error",
    "Service/Delivery/RequestProofs.swift": "a proof nobody keeps, in a scratch folder",
    "Engine/Jobs/Cluster/SlurmCluster.swift": "a script for the cluster, in the batch's own folder",
    "Engine/Jobs/Files/JSONFile.swift": "the work folder",
    "Engine/Jobs/Files/OutputFile.swift": "the rule",
    "Engine/Jobs/Files/OutputFolder.swift": "the rule",
    "Engine/Jobs/Files/PendingOutput.swift": "the rule",
    "Engine/Jobs/Files/WrittenFiles.swift": "what is remembered, in the state folder",
    "Engine/Jobs/Tasks/TaskFolder.swift": "tasks of a cluster",
    "Engine/Jobs/Workers/ProcessRunner.swift": "a worker's log, in the work folder",
    "Media/Codecs/Reading/Index/IndexStore.swift": "the cache",
    "Media/Codecs/Reading/Index/ScanCache.swift": "the cache",
    "Media/Codecs/Reading/File/MovieBoxes.swift": "what a muxer has just written, in place",
    "Media/Codecs/Writing/Muxer.swift": "what an OutputFile names",
    "Media/Codecs/Writing/PacketFileWriter.swift": "the work folder",
    "Media/Codecs/Writing/Streaming/StreamFolder.swift": "what an OutputFolder names",
    "Engine/Planning/Transcribing/Recognizer.swift": "what a program says, in a scratch folder",
    "Engine/Rendering/Stills/ThumbnailFolder.swift": "what an OutputFolder names",
    "Media/Soundtrack/Speaking/SpokenWave.swift": "a voice for a recognizer, in a scratch folder",
    "Service/Storage/Cache/Download.swift": "the cache",
    "Base/System/Files/AppendedFile.swift": "results, to which lines are only added",
    "Base/System/Files/FileDescriptor+Whole.swift": "how bytes are written",
    "Base/System/Files/FileSystem+Exchange.swift": "how files are named",
    "Base/System/Files/FileSystem.swift": "how files are named",
    "Base/System/Files/FolderLock.swift": "locks",
    "Base/System/Files/OwnedDescriptor.swift": "how bytes are written",
    "Base/System/Files/PartialFile.swift": "the cache",
    "Base/System/Files/SideBytes.swift": "parts of plans, named by their content",
    "Base/System/Files/TemporaryFile.swift": "temporary names",
    "Base/System/Processes/CrashNote.swift": "the work folder",
  ]

  /// What makes a file, or gives it a name that another one may have.
  private static let calls = [
    "O_CREAT", "FileDescriptor.write(", ".write(to: URL", ".write(toFile", "createFile(atPath",
    "forWritingAtPath", "forWritingTo", "OutputStream(", "fopen(", ".copyItem(", ".moveItem(",
    "replaceItem", "rename(", "renameToFree(", "FileSystem.exchange(", "FileSystem.link(",
    "linkItem(", "TemporaryFile.make", "inOwnFolder:", "avio_open2(", "mkstemp",
    "AppendedFile(",
  ]

  @Test("No other code makes a file")
  func sources() throws {
    let root = SourceTree.root.appending(path: "Sources")
    var found: Set<String> = []
    let names = try #require(FileManager.default.enumerator(atPath: root.path))
    for case let name as String in names
    where name.hasSuffix(".swift") && !name.hasPrefix("Bench") {
      let text = try String(contentsOf: root.appending(path: name), encoding: .utf8)
      let code = text.split(separator: "\n").filter {
        !$0.drop { $0 == " " }.hasPrefix("//")
      }
      let makes = code.filter { line in Self.calls.contains { line.contains($0) } }
      if !makes.isEmpty { found.insert(name) }
      #expect(
        makes.isEmpty || Self.writers[name] != nil,
        "\(name) makes a file: write what somebody names by way of OutputFile\n\(makes)")
    }
    #expect(Set(Self.writers.keys).subtracting(found).isEmpty, "no longer makes a file")
  }
}
