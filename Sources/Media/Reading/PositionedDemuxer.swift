import CTesseraFFmpeg
import TesseraSystem
import TesseraTimeline

/// A demuxer of one stream that stands at a keyframe, verified to be the one that was asked for.
struct PositionedDemuxer: ~Copyable {
  let demuxer: Demuxer
  let packet: Packet
  /// Whether `packet` holds the keyframe already.
  let holdsFirstPacket: Bool
  /// The keyframe's ticks: frames before them would be incomplete. The least number where
  /// reading starts with the file.
  let firstTicks: Int64

  /// Opens the file and goes to keyframe number `keyframe`: by the container's own index or the
  /// recorded byte positions, else by reading up to it.
  static func open(
    _ source: PictureSource, keyframe number: Int, cancellation: Cancellation
  ) throws(MediaError) -> PositionedDemuxer {
    let index = source.index
    guard number == 0 || !index.isChained else {
      return try readThrough(source, to: number, cancellation)
    }
    let demuxer = try openStream(source, cancellation)
    do throws(FFmpegError) {
      let packet = try Packet.allocate()
      guard number > 0, index.keyframes.indices.contains(number) else {
        return PositionedDemuxer(
          demuxer: demuxer, packet: packet, holdsFirstPacket: false, firstTicks: .min)
      }
      let ticks = index.ticks[index.keyframes[number].packet]
      demuxer.addIndexEntries(source)
      if demuxer.seek(stream: source.stream.index, ticks: ticks),
        try demuxer.readKeyframe(at: ticks, into: packet)
      {
        return PositionedDemuxer(
          demuxer: demuxer, packet: packet, holdsFirstPacket: true, firstTicks: ticks)
      }
    } catch  where !error.isCancellation {
      _ = FFmpegLog.takeLastLine()
    } catch {
      throw MediaError(path: source.path, reason: .cancelled)
    }
    return try readThrough(source, to: number, cancellation)
  }

  /// For containers that cannot seek, or land elsewhere than their index says.
  private static func readThrough(
    _ source: PictureSource, to number: Int, _ cancellation: Cancellation
  ) throws(MediaError) -> PositionedDemuxer {
    let ticks = source.index.ticks[source.index.keyframes[number].packet]
    let demuxer = try openStream(source, cancellation)
    do throws(FFmpegError) {
      let packet = try Packet.allocate()
      let isFound = try demuxer.readKeyframe(at: ticks, into: packet, anyOrder: true)
      return PositionedDemuxer(
        demuxer: demuxer, packet: packet, holdsFirstPacket: isFound, firstTicks: ticks)
    } catch {
      throw MediaError(
        path: source.path,
        reason: error.isCancellation ? .cancelled : .damagedHeader(error.reason))
    }
  }

  private static func openStream(
    _ source: PictureSource, _ cancellation: Cancellation
  ) throws(MediaError) -> Demuxer {
    let demuxer = try Demuxer.open(
      source.path, mayBeChained: source.index.isChained, cancellation: cancellation)
    demuxer.select(stream: source.stream.index)
    return demuxer
  }
}

extension Demuxer {
  /// Tells libav* where the keyframes lie that an earlier pass found, so that it need not search
  /// a file without an index of its own from the start.
  fileprivate func addIndexEntries(_ source: PictureSource) {
    guard let stream = unsafe stream(source.stream.index) else { return }
    for keyframe in source.index.keyframes where keyframe.position >= 0 {
      unsafe av_add_index_entry(
        stream, keyframe.position, source.index.ticks[keyframe.packet], 0, 0,
        AVINDEX_KEYFRAME)
    }
  }

  /// Reads up to the keyframe that is presented at `ticks`; false where it is not ahead.
  fileprivate func readKeyframe(
    at ticks: Int64, into packet: borrowing Packet, anyOrder: Bool = false
  ) throws(FFmpegError) -> Bool {
    while try read(into: packet) {
      let time = packet.presentationTicks ?? packet.decodingTicks ?? .min
      if packet.isKeyframe {
        if time == ticks { return true }
        if time > ticks, !anyOrder { return false }
      }
      packet.clear()
    }
    return false
  }
}
