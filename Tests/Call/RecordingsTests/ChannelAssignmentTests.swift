import TesseraDocuments
import TesseraMessages
import TesseraRecordings
import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct ChannelAssignmentTests {
  /// Returns a recording of `tracks` by one participant, in files of two channels, after `choice`.
  private static func separated(
    _ tracks: [Track], _ choice: ChannelAssignment, channels: Int = 3, others: [Participant] = []
  ) -> Recording {
    var source = RecordingSource(name: "call", files: []) {
      path throws(RecordingSource.ReadError) in
      throw RecordingSource.ReadError(file: path, reason: "")
    }
    source.channels = choice
    source.headers = { paths in
      paths.map { _ in
        var sound = RecordingSource.StreamHeader(0, .audio)
        sound.channelCount = channels
        return RecordingSource.ContainerInfo(duration: .zero, streams: [sound])
      }
    }
    var recording = Recording(
      participants: [Participant(id: "r", name: "Room", tracks: tracks)] + others)
    recording.separateChannels(source)
    return recording
  }

  @Test("Each channel is a participant, in all parts of a recording")
  func each() {
    let first = Track(id: "a", file: "a.wav", kind: .microphone)
    var second = Track(id: "b", file: "b.wav", kind: .microphone)
    second.follow("a", after: .zero)
    let recording = Self.separated([first, second], .each)
    #expect(recording.participants.map(\.name) == ["Room 1", "Room 2", "Room 3"])
    #expect(recording.participants.map(\.id) == ["r", "r 2", "r 3"])
    #expect(recording.participants.map { $0.tracks.map(\.channel) } == [[0, 0], [1, 1], [2, 2]])
    #expect(
      recording.participants.map { $0.tracks[1].follows }
        == ["a", "a channel 2", "a channel 3"])
  }

  @Test("Names stay unique, and a part with one channel keeps its channel")
  func names() {
    let first = Track(id: "a", file: "a.wav", kind: .microphone)
    var second = Track(id: "b", file: "b.wav", kind: .microphone)
    second.follow("a", after: .zero)
    second.hasVoicePerChannel = true
    var recording = Self.separated([first, second], .mixed)
    #expect(recording.participants.map { $0.tracks.last?.follows } == ["a", "a", "a"])
    recording = Self.separated([first], .each, others: [Participant(id: "r 2")])
    #expect(Set(recording.participants.map(\.id)).count == 4)
  }

  @Test("Pictures stay with the first channel; single channels and mono files are unchanged")
  func pictures() {
    var camera = Track(id: "a", file: "a.mp4", kind: .camera)
    camera.hasVoicePerChannel = true
    let recording = Self.separated([camera], .mixed, channels: 2)
    #expect(recording.participants.map { $0.tracks[0].kind } == [.camera, .microphone])
    camera.channel = 1
    #expect(Self.separated([camera], .each).participants.map(\.name) == ["Room"])
    camera.channel = nil
    #expect(Self.separated([camera], .each, channels: 1).participants.map(\.name) == ["Room"])
    camera.hasVoicePerChannel = false
    #expect(Self.separated([camera], .mixed).participants.count == 1)
  }
}
