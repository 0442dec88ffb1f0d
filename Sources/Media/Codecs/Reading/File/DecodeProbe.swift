import CTesseraFFmpeg
import TesseraPixels
import TesseraTimeline

/// Decodes the first packets of a stream during a scan, until it is known whether and how the
/// stream can be decoded.
final class DecodeProbe {
  /// The first picture without missing references, or else the first picture of all.
  private(set) var picture: MediaTrack.FirstPicture?
  /// The packet of the first decoded sound, and the duration trimmed from its start.
  private(set) var sound: (packet: Int, skipped: ExactTime)?
  /// The video facts of the stream, corrected by the first decoded picture.
  private(set) var video: StreamInfo.Video?
  /// The audio facts of the stream according to the first decoded block; `nil` before.
  private(set) var audio: StreamInfo.Audio?
  /// The message of the first decoding error; `nil` if there was none.
  private(set) var failure: String?
  /// The percentage of the expected audio that the decoder returns, if it is below 60; otherwise
  /// `nil`.
  private(set) var percentDecoded: Int?
  /// True if no more packets are needed.
  private(set) var isDone = false

  private let kind: StreamInfo.Kind
  private var pictures: StreamDecoder?
  private var sounds: AudioDecoder?
  private var converter: PictureConverter?
  private let frame: Frame
  /// The expected duration of the audio sent so far; `nil` if packets do not state theirs.
  private var claimed: ExactTime? = .zero
  private var decoded = ExactTime.zero
  private var packetCount = 0

  /// The number of audio packets after which the decodable percentage is computed.
  private static let soundPackets = 8

  init(_ info: StreamInfo, of demuxer: borrowing Demuxer) throws(FFmpegError) {
    (kind, video) = (info.kind, info.video)
    frame = try Frame.allocate()
    do throws(FFmpegError) {
      if let video {
        pictures = try StreamDecoder.open(stream: info.index, of: demuxer)
        converter = PictureConverter(stream: video, path: demuxer.path)
      } else {
        sounds = try AudioDecoder.open(stream: info.index, of: demuxer)
      }
    } catch {
      (failure, isDone) = (error.words, true)
    }
  }

  /// Sends packet number `number` of the stream; `length` is its audio duration, if known.
  func send(_ packet: borrowing Packet, number: Int, holding length: ExactTime? = nil) {
    guard !isDone else { return }
    // Packets that an edit list excludes are not expected.
    let length = packet.isDiscarded ? .zero : length
    do throws(FFmpegError) {
      if kind == .video {
        try pictures?.send(packet, number: number)
      } else {
        try sounds?.send(packet, number: number)
      }
    } catch {
      failure = failure ?? error.words
    }
    receive(length)
  }

  /// Flushes the decoder at the end of the stream.
  func finish() {
    guard !isDone else { return }
    if kind == .video { pictures?.finish() } else { sounds?.finish() }
    receive(.zero)
    isDone = true
  }

  private func receive(_ claim: ExactTime?) {
    defer { _ = FFmpegLog.takeLastLine() }
    do throws(FFmpegError) {
      if kind == .video {
        while !isDone, try pictures?.receive(into: frame) == true { try notePicture() }
      } else {
        try noteSound(claim)
      }
    } catch {
      failure = failure ?? error.words
    }
    if isDone {
      pictures = nil
      sounds = nil
      converter = nil
    }
  }

  private func notePicture() throws(FFmpegError) {
    // A damaged picture is shown and counted as a loss; only missing references hide a picture.
    let isWhole = !frame.lacksReferences
    let (isInterlaced, packet) = (frame.isInterlaced, frame.packet ?? 0)
    guard isWhole || picture == nil else { return }
    var video = video
    video?.learn(from: frame)
    guard let made = try converter?.picture(from: frame) else { return }
    self.video = video
    picture = MediaTrack.FirstPicture(
      packet: packet, aspectRatio: made.displayAspectRatio, isInterlaced: isInterlaced,
      isWhole: isWhole)
    isDone = isWhole
  }

  private func noteSound(_ claim: ExactTime?) throws(FFmpegError) {
    var length = ExactTime.zero
    while let block = try sounds?.receive(into: frame) {
      guard block.sampleCount > 0 else { continue }
      if sound == nil {
        sound = (block.packet ?? 0, block.skipped)
        let channels = Int(unsafe frame.raw.pointee.ch_layout.nb_channels)
        audio = StreamInfo.Audio(
          sampleRate: block.sampleRate, channels: channels,
          hasLayout: unsafe frame.raw.pointee.ch_layout.order != AV_CHANNEL_ORDER_UNSPEC)
      }
      length =
        length + block.skipped
        + ExactTime(Int128(block.sampleCount), over: Int128(block.sampleRate))
    }
    guard sound != nil else { return }
    packetCount += 1
    claimed = claim.flatMap { claim in claimed.map { $0 + claim } }
    decoded = decoded + length
    guard packetCount >= Self.soundPackets else { return }
    isDone = true
    // A decoder may hold back one or two packets; a larger difference is a loss.
    guard let claimed, claimed > .zero else { return }
    let percent = Int(Int64(saturating: decoded.seconds / claimed.seconds * 100))
    if percent < 60 { percentDecoded = percent }
  }
}
