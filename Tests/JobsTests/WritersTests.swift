import Foundation
import TestSupport
import Testing

/// Files that somebody names are written by way of `OutputFile` and `OutputFolder` only.
@Suite(.timed) struct WritersTests {
  /// Who may make, name or replace files, and what files these are.
  private static let writers: [String: String] = [
    "Archives/ArchiveReader.swift": "what is unpacked into a folder of its own",
    "Batch/Results/BatchResults.swift": "results, to which lines are only added",
    "Command/Batch/BatchRun.swift": "a task's note of its end, in the batch's own folder",
    "Batch/Lists/JobList.swift": "a list that was fetched, in a scratch folder",
    "Delivery/Pieces/BucketFolder.swift": "what was fetched, in a work folder",
    "Delivery/Pieces/PieceInputs.swift": "what was fetched, in a work folder",
    "Command/Commands/WorkerCommand.swift": "standard output",
    "Delivery/Places/RemoteFiles.swift": "what is uploaded, in a folder of its own",
    "Command/Text/StandardOutput.swift": "standard output",
    "Command/Text/Terminal.swift": "standard error",
    "Delivery/RequestProofs.swift": "a proof nobody keeps, in a scratch folder",
    "Jobs/Cluster/SlurmCluster.swift": "a script for the cluster, in the batch's own folder",
    "Jobs/Files/JSONFile.swift": "the work folder",
    "Jobs/Files/OutputFile.swift": "the rule",
    "Jobs/Files/OutputFolder.swift": "the rule",
    "Jobs/Files/PendingOutput.swift": "the rule",
    "Jobs/Files/WrittenFiles.swift": "what is remembered, in the state folder",
    "Jobs/Tasks/TaskFolder.swift": "tasks of a cluster",
    "Jobs/Workers/ProcessRunner.swift": "a worker's log, in the work folder",
    "Media/Reading/Index/IndexStore.swift": "the cache",
    "Media/Reading/Index/ScanCache.swift": "the cache",
    "Media/Reading/File/MovieBoxes.swift": "what a muxer has just written, in place",
    "Media/Writing/Muxer.swift": "what an OutputFile names",
    "Media/Writing/PacketFileWriter.swift": "the work folder",
    "Media/Writing/Streaming/StreamFolder.swift": "what an OutputFolder names",
    "Planning/Transcribing/Recognizer.swift": "what a program says, in a scratch folder",
    "Rendering/Stills/ThumbnailFolder.swift": "what an OutputFolder names",
    "Soundtrack/Speaking/SpokenWave.swift": "a voice for a recognizer, in a scratch folder",
    "Storage/Cache/Download.swift": "the cache",
    "System/Files/AppendedFile.swift": "results, to which lines are only added",
    "System/Files/FileDescriptor+Whole.swift": "how bytes are written",
    "System/Files/FileSystem+Exchange.swift": "how files are named",
    "System/Files/FileSystem.swift": "how files are named",
    "System/Files/FolderLock.swift": "locks",
    "System/Files/OwnedDescriptor.swift": "how bytes are written",
    "System/Files/PartialFile.swift": "the cache",
    "System/Files/SideBytes.swift": "parts of plans, named by their content",
    "System/Files/TemporaryFile.swift": "temporary names",
    "System/Processes/CrashNote.swift": "the work folder",
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
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources")
    var found: Set<String> = []
    let names = try #require(FileManager.default.enumerator(atPath: root.path))
    for case let name as String in names
    where name.hasSuffix(".swift") && !name.hasPrefix("tessera-bench") {
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
