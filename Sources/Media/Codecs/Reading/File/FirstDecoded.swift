import CTesseraFFmpeg
import TesseraPixels
import TesseraTimeline

/// Decodes what a scan reads of a stream until it is known whether and how it can be decoded.
final class FirstDecoded {
  /// The first picture that depends on none that is missing, or else the first one at all.
  private(set) var picture: MediaTrack.FirstPicture?
  /// The packet of the first sound, and how much of it is cut off.
  private(set) var sound: (packet: Int, skipped: ExactTime)?
  /// What the stream's facts are by its first picture.
  private(set) var video: StreamInfo.Video?
  /// The same by its first sound.
  private(set) var audio: StreamInfo.Audio?
  /// Why nothing could be decoded, in words.
  private(set) var failure: String?
  /// How much of the sound its decoder returns, in percent; nil where that is not known.
  private(set) var percentDecoded: Int?
  /// Whether enough is known.
  private(set) var isDone = false

  private let kind: StreamInfo.Kind
  private let info: StreamInfo
  private var pictures: StreamDecoder?
  private var sounds: AudioDecoder?
  private var converter: PictureConverter?
  private let frame: Frame
  /// How much sound there should be; nil where packets do not say.
  private var claimed: ExactTime? = .zero
  private var decoded = ExactTime.zero
  private var packetCount = 0

  /// After that many packets of sound it is known how much of them can be decoded.
  private static let soundPackets = 8

  init(_ info: StreamInfo, of demuxer: borrowing Demuxer) throws(FFmpegError) {
    (self.info, kind, video) = (info, info.kind, info.video)
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

  /// Takes packet number `number` of the stream, which holds `length` of sound where that is known.
  func send(_ packet: borrowing Packet, number: Int, holding length: ExactTime? = nil) {
    guard !isDone else { return }
    // What an edit leaves out is not missed.
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

  /// No packet follows.
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
    // What is only damaged is shown, and is a loss: nothing is missing before it.
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
    // A decoder may hold back a packet or two; what is short of that is lost.
    guard let claimed, claimed > .zero else { return }
    let percent = Int(Int64(saturating: decoded.seconds / claimed.seconds * 100))
    if percent < 60 { percentDecoded = percent }
  }
}
