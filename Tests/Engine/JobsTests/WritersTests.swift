import Foundation
import TestSupport
import Testing

/// User-visible files are written through `OutputFile` only.
@Suite(.timed) struct WritersTests {
  /// The sources that may create, rename or replace files, each with the kind of file.
  private static let writers: [String: String] = [
    "Call/Archives/ArchiveReader.swift": "unpacked files, in a scratch folder",
    "Service/Batch/Results/BatchResultsFile.swift": "results, append-only",
    "Command/Batch/BatchCommandRunner.swift": "a task's outcome, in the batch's folder",
    "Service/Batch/Lists/JobList.swift": "a fetched list, in a scratch folder",
    "Service/Delivery/Pieces/BucketWorkFolder.swift": "fetched files, in a work folder",
    "Service/Delivery/Pieces/PieceInputFiles.swift": "fetched files, in a work folder",
    "Service/Delivery/Places/TransferSession.swift":
      "a session with local paths, in a scratch folder",
    "Command/Commands/WorkerCommand.swift": "standard output",
    "Command/Text/StandardOutput.swift": "standard output",
    "Command/Text/StandardError.swift": "standard error",
    "Service/Delivery/OutputVerifier.swift": "a temporary proof, in a scratch folder",
    "Engine/Jobs/Cluster/SlurmQueue.swift": "a script for the cluster, in the batch's folder",
    "Engine/Jobs/Files/JSONFile.swift": "the work folder",
    "Engine/Jobs/Files/OutputFile.swift": "the permitted way",
    "Engine/Jobs/Files/OutputFolderKind.swift": "the permitted way",
    "Engine/Jobs/Files/WrittenFileRegistry.swift": "records of written files, in the state folder",
    "Engine/Jobs/Tasks/TaskExchangeFolder.swift": "tasks of a cluster",
    "Engine/Jobs/Workers/ProcessJobRunner.swift": "a worker's log, in the work folder",
    "Media/Codecs/Reading/Index/PacketIndexStore.swift": "the cache",
    "Media/Codecs/Reading/File/MovieBoxParser.swift": "a muxer's finished file, in place",
    "Media/Codecs/Writing/Muxer.swift": "the path of an OutputFile",
    "Media/Codecs/Writing/PacketFileWriter.swift": "the work folder",
    "Media/Codecs/Writing/Streaming/HLSPackager.swift": "the path of an OutputFile",
    "Engine/Planning/Transcribing/RecognizerProcess.swift":
      "a program's output, in a scratch folder",
    "Engine/Rendering/Stills/ThumbnailFolder.swift": "the path of an OutputFile",
    "Media/Soundtrack/Speaking/SpeechWaveFile.swift":
      "a voice for a recognizer, in a scratch folder",
    "Service/Storage/Cache/ObjectDownload.swift": "the cache",
    "Base/System/Files/AppendOnlyFile.swift": "results, append-only",
    "Base/System/Files/FileDescriptor+Whole.swift": "primitives for writing",
    "Base/System/Files/FileOperations+Exchange.swift": "primitives for renaming",
    "Base/System/Files/FileOperations.swift": "primitives for renaming",
    "Base/System/Files/FolderLock.swift": "locks",
    "Base/System/Files/OwnedFileDescriptor.swift": "primitives for writing",
    "Base/System/Files/PartialFile.swift": "the cache",
    "Base/System/Files/StoredBlob.swift": "parts of plans, named by their content",
    "Base/System/Files/TemporaryFile.swift": "temporary names",
    "Base/System/Processes/CrashNote.swift": "the work folder",
  ]

  /// Calls that create a file or rename one.
  private static let calls = [
    "O_CREAT", "FileDescriptor.write(", ".write(to: URL", ".write(toFile", "createFile(atPath",
    "forWritingAtPath", "forWritingTo", "OutputStream(", "fopen(", ".copyItem(", ".moveItem(",
    "replaceItem", "rename(", "renameToFree(", "FileOperations.exchange(", "FileOperations.link(",
    "linkItem(", "TemporaryFile.make", "inOwnFolder:", "avio_open2(", "mkstemp",
    "AppendOnlyFile(",
  ]

  @Test("No other code creates files")
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
        "\(name) creates a file: write user-named files through OutputFile\n\(makes)")
    }
    #expect(Set(Self.writers.keys).subtracting(found).isEmpty, "no longer creates a file")
  }
}
