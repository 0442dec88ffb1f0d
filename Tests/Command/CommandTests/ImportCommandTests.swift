import Foundation
import TestSupport
import Testing

@Suite(.timed) struct ImportCommandTests {
  @Test func theSessionFileRendersLikeTheRecording() throws {
    let folder = try TemporaryFolder()
    let input = try RecordingFolders.path("vonage")
    let session = folder.path("session.yaml")
    let result = try TesseraTool.run(["import", input, "-o", session])
    #expect(result.status == 0, "\(result.messages)")
    #expect(result.text == "\(session): 3 people, 4 tracks, 0 events\n")
    let stills = try [input, session].map { path in
      let still = folder.path("\(path.hasSuffix(".yaml")).png")
      let result = try TesseraTool.run(
        ["preview", path, "--at", "2.5", "--size", "320x180", "-o", still])
      #expect(result.status == 0, "\(result.messages)")
      return try Data(contentsOf: URL(fileURLWithPath: still))
    }
    #expect(stills[0] == stills[1])
  }

  @Test func intentionalOmissionsStayInTheSessionFile() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder)
    for name in ["zoom_0.mp4", "audio_only.m4a"] {
      try FileManager.default.copyItem(atPath: clip, toPath: folder.path(name))
    }
    try FileManager.default.removeItem(atPath: clip)
    let session = folder.path("session.yaml")
    let result = try TesseraTool.run(["import", folder.path(""), "-o", session])
    #expect(result.status == 0, "\(result)")
    let text = try String(contentsOfFile: session, encoding: .utf8)
    #expect(text.contains("left-out: [audio_only.m4a]\n"), "\(text)")
    let inspected = try TesseraTool.run(["inspect", session])
    #expect(inspected.status == 0 && !inspected.text.contains("is not used."), "\(inspected)")
  }

  @Test func archivesAreRefusedWithAdviceToUnpack() throws {
    let folder = try TemporaryFolder()
    let archive = try RecordingFolders.path("vonage.zip")
    let result = try TesseraTool.run(["import", archive, "-o", folder.path("session.json")])
    #expect(result.status == 2)
    #expect(
      result.messages.contains("unpack it first, as into \(folder.path("vonage")), and import"))
  }

  @Test func inputsAreNotOverwritten() throws {
    let folder = try TemporaryFolder()
    let clip = try TesseraTool.makeClip(folder)
    let session = folder.path("session.yaml")
    #expect(try TesseraTool.run(["import", clip, "-o", session]).status == 0)
    let before = try Data(contentsOf: URL(fileURLWithPath: session))
    let again = try TesseraTool.run(["import", session, "-o", session])
    #expect(again.status == 2 && again.messages.contains("is one of the inputs"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: session)) == before)
    let other = try TesseraTool.run(["import", clip, "-o", folder.path("session.txt")])
    #expect(other.status == 2 && other.messages.contains("ends in .yaml or .json"))
  }
}
