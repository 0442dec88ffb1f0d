import Foundation
import TesseraCodecs
import TesseraMessages
import TesseraPixels
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

@Suite(.timed) struct VideoEncoderTests {
  /// Returns canvas number `number`: gradients that move by three samples per canvas.
  private static func canvas(_ number: Int, size: PixelSize) -> Image {
    let image = Image(.yuv420p8, size: size)
    for index in 0..<3 {
      let plane = image[plane: index]
      for y in 0..<plane.size.height {
        for x in 0..<plane.size.width {
          let slope = (x + y * (index + 1) + 3 * number) % 440
          plane[x, y] = UInt8(16 + (slope < 220 ? slope : 439 - slope))
        }
      }
    }
    return image
  }

  /// Encodes `count` canvases into an MP4 file.
  private static func encode(
    _ count: Int, with settings: VideoEncoderSettings, to path: String,
    container: OutputContainer = .mp4, tags: [String: String] = [:], isFrugal: Bool = false
  ) throws {
    let encoder = try VideoEncoder.open(settings, isFrugal: isFrugal)
    var muxer = try Muxer.create(path, container: container, cancellation: Cancellation())
    let stream = try muxer.addStream(encoder.parameters())
    try muxer.begin(tags: tags)
    for number in 0..<count {
      let image = canvas(number, size: settings.size)
      try encoder.encode(
        luma: image[plane: 0].readOnly, blue: image[plane: 1].readOnly,
        red: image[plane: 2].readOnly, number: number
      ) { packet throws(FFmpegError) in try muxer.write(packet, stream: stream) }
    }
    try encoder.finish { packet throws(FFmpegError) in
      try muxer.write(packet, stream: stream)
    }
    try muxer.finish()
  }

  @Test("Frugal settings give the same bytes", arguments: ["libx264", "libvpx-vp9"])
  func frugal(name: String) throws {
    let folder = try TemporaryFolder()
    let settings = VideoEncoderSettings(
      encoder: name, preset: nil, quality: 30, size: PixelSize(width: 640, height: 360),
      frameRate: .thirty)
    let files = try [false, true].map { isFrugal in
      let path = folder.path("\(isFrugal).mkv")
      try Self.encode(40, with: settings, to: path, container: .matroska, isFrugal: isFrugal)
      return try Data(contentsOf: URL(fileURLWithPath: path))
    }
    #expect(files[0] == files[1])
  }

  /// Every encoder that `doctor` lists can be opened, with its default and another quality.
  @Test(arguments: VideoEncoderSettings.knownEncoders)
  func everyKnownEncoderEncodes(name: String) throws {
    let folder = try TemporaryFolder()
    let quality = try #require(VideoEncoderSettings.qualities(of: name)?.upperBound)
    for (number, size) in [PixelSize(width: 98, height: 66), PixelSize(width: 192, height: 128)]
      .enumerated()
    {
      for quality in [nil, quality] {
        let path = folder.path("\(number).mkv")
        try Self.encode(
          3,
          with: VideoEncoderSettings(
            encoder: name, preset: nil, quality: quality, size: size, frameRate: .thirty),
          to: path, container: .matroska)
        let track = try #require(try MediaFileInfo.scan(path).file.preferred(.video).first)
        #expect(track.packets.count == 3 && track.isDecodable)
      }
    }
  }

  /// Returns the signal-to-noise ratio of `plane` against `reference` in dB.
  private static func signalToNoise(_ plane: Plane, _ reference: Plane) -> Double {
    var sum = 0
    for y in 0..<plane.size.height {
      for x in 0..<plane.size.width {
        let difference = Int(plane[x, y]) - Int(reference[x, y])
        sum += difference * difference
      }
    }
    let mean = Double(sum) / Double(plane.size.width * plane.size.height)
    return mean == 0 ? .infinity : 10 * log10(255 * 255 / mean)
  }

  @Test(
    "With placed keyframes, scene changes cause none",
    arguments: ["libx264", "libx265", "libvpx-vp9", "libsvtav1", "mpeg4"])
  func keyframesOnlyWherePlaced(encoder: String) throws {
    let folder = try TemporaryFolder()
    var settings = try Self.settings(encoder, preset: nil, quality: nil, rate: (8, 1))
    settings.placesAllKeyframes = true
    let encoded = try VideoEncoder.open(settings)
    var muxer = try Muxer.create(
      folder.path("a.mp4"), container: .mp4, cancellation: Cancellation())
    let stream = try muxer.addStream(encoded.parameters())
    try muxer.begin(tags: [:])
    for number in 0..<100 {
      let image = Self.canvas(number, size: settings.size)
      // A scene change every 23 frames.
      if number / 23 % 2 == 1 {
        for y in 0..<settings.size.height {
          for x in 0..<settings.size.width { image[plane: 0][x, y] = UInt8(x * y % 7 * 30) }
        }
      }
      try encoded.encode(
        luma: image[plane: 0].readOnly, blue: image[plane: 1].readOnly,
        red: image[plane: 2].readOnly, number: number
      ) { packet throws(FFmpegError) in try muxer.write(packet, stream: stream) }
    }
    try encoded.finish { packet throws(FFmpegError) in
      try muxer.write(packet, stream: stream)
    }
    try muxer.finish()
    let shown = try Tool.run(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time,flags", "-of",
        "csv=p=0", folder.path("a.mp4"),
      ]
    ).text.split(separator: "\n").filter { $0.contains("K") }
    #expect(shown.map { $0.prefix(4) } == ["0.00", "5.00", "10.0"])
  }

  private static let size = PixelSize(width: 160, height: 90)

  private static func settings(
    _ encoder: String = "libx264", preset: String? = "veryfast", quality: Int? = 18,
    options: [String: String] = [:], rate: (Int, Int) = (30000, 1001)
  ) throws -> VideoEncoderSettings {
    VideoEncoderSettings(
      encoder: encoder, preset: preset, quality: quality, options: options, size: size,
      frameRate: try #require(FrameRate(rate.0, rate.1)))
  }

  struct Encoder: CustomTestStringConvertible, Sendable {
    var name: String
    var preset: String?
    var quality: Int
    var testDescription: String { name }
  }

  @Test(arguments: [
    Encoder(name: "libx264", preset: "veryfast", quality: 18),
    Encoder(name: "libx265", preset: "ultrafast", quality: 18),
    Encoder(name: "libvpx-vp9", preset: "realtime", quality: 20),
    Encoder(name: "libsvtav1", preset: "12", quality: 25),
  ])
  func canvasesKeepTheirTimesAndContent(encoder: Encoder) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.mp4")
    let settings = try Self.settings(encoder.name, preset: encoder.preset, quality: encoder.quality)
    try Self.encode(40, with: settings, to: path)

    let source = try #require(try PictureSource.preferred(path))
    #expect(source.track.start == .zero)
    let pictures = try source.pictures()
    try #require(pictures.count == 40)
    for (number, (packet, picture)) in pictures.enumerated() {
      #expect(source.time(of: packet) == ExactTime(Int128(1001 * number), over: 30000))
      #expect(picture.color == .canvas)
      #expect(picture.size == Self.size)
      let image = Self.canvas(number, size: Self.size)
      #expect(Self.signalToNoise(picture.luma, image[plane: 0].readOnly) > 30)
      #expect(Self.signalToNoise(picture.blue, image[plane: 1].readOnly) > 30)
    }
    #expect(!ThreadPriority.isRealTime(0), "child processes would inherit real-time scheduling")
  }

  @Test func keyframesAreAtMostFiveSecondsApart() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.mp4")
    var settings = try Self.settings(rate: (5, 1))
    #expect(settings.keyframeInterval == 150 && settings.movingKeyframeInterval == 50)
    settings.placesAllKeyframes = true
    try Self.encode(62, with: settings, to: path)
    let source = try #require(try PictureSource.preferred(path))
    let times = source.index.keyframes.map { source.time(of: Int($0)) }
    #expect(times.count >= 3)
    let longest = try #require(zip(times.dropFirst(), times).map { $0 - $1 }.max())
    #expect(longest <= ExactTime(5, over: 1))
  }

  @Test(arguments: ["libx264", "libx265"])
  func equalCanvasesGiveEqualBytes(encoder: String) throws {
    let folder = try TemporaryFolder()
    for name in ["a.mp4", "b.mp4"] {
      try Self.encode(
        20, with: Self.settings(encoder, preset: "ultrafast"), to: folder.path(name))
    }
    let files = try ["a.mp4", "b.mp4"].map { try Data(contentsOf: URL(filePath: folder.path($0))) }
    #expect(files[0] == files[1])
  }

  private static func error(_ settings: VideoEncoderSettings) -> FFmpegError? {
    do throws(FFmpegError) {
      _ = try VideoEncoder.open(settings)
      return nil
    } catch {
      return error
    }
  }

  @Test func errorsNameTheWrongValue() throws {
    let unknown = try Self.error(Self.settings("libx266"))
    #expect(unknown?.description.contains("libx266") == true)
    let sound = try Self.error(Self.settings("aac"))
    #expect(sound?.description.contains("find the video encoder (aac)") == true)
    let option = try Self.error(Self.settings(options: ["sharpness-of-mind": "11"]))
    #expect(option?.description.contains("sharpness-of-mind") == true)
    #expect(option?.description.contains("libx264") == true)
    let preset = try Self.error(Self.settings(preset: "lightspeed"))
    #expect(preset?.description.contains("lightspeed") == true)
    let value = try Self.error(Self.settings(options: ["bf": "many"]))
    #expect(value?.description.contains("many") == true)
  }

  @Test(arguments: ["sharpness-of-mind=11", "keyint=often"])
  func rejectedEncoderOptionsAreNamed(option: String) throws {
    let error = try Self.error(Self.settings(options: ["x264-params": "ref=2:\(option)"]))
    let name = try #require(option.split(separator: "=").first)
    #expect(error?.description.contains(name) == true)
  }

  @Test func optionsReachTheEncoder() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.mp4")
    let settings = try Self.settings(options: ["g": "4", "x264-params": "scenecut=0:bframes=0"])
    try Self.encode(12, with: settings, to: path)
    let index = try #require(try PictureSource.preferred(path)).index
    #expect(index.keyframes == [0, 4, 8])
    #expect(Array(index.ticks) == index.ticks.sorted())
  }

  @Test func theIndexPrecedesThePicturesAndTagsAreKept() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.mp4")
    try Self.encode(5, with: Self.settings(), to: path, tags: ["title": "Jour fixe – ½"])
    let data = try Data(contentsOf: URL(filePath: path))
    let (index, content) = (data.range(of: Data("moov".utf8)), data.range(of: Data("mdat".utf8)))
    #expect((index?.lowerBound ?? .max) < (content?.lowerBound ?? 0))
    #expect(try MediaFileInfo.scan(path).file.title == "Jour fixe – ½")
  }

  @Test func anUnwritableFileIsAnError() throws {
    let folder = try TemporaryFolder()
    let missing = folder.path("none/a.mp4")
    let error = #expect(throws: FFmpegError.self) {
      try Self.encode(5, with: Self.settings(), to: missing)
    }
    #expect(error?.path == missing)
    let full = #expect(throws: FFmpegError.self) {
      try Self.encode(200, with: Self.settings(quality: 1), to: "/dev/full")
    }
    #expect(full?.isOutOfSpace == true)
  }
}
