import Foundation
import TesseraMedia
import TesseraSoundtrack
import TesseraTimeline

extension Loss {
  /// The loss as a sentence that begins with the recording it is of.
  public var sentence: String {
    switch cause {
    case .reading(let sentence): return "\(source): \(sentence)"
    case .opening(let sentence): return sentence
    case .offCanvas:
      let times = intervals.map {
        "from \($0.start.clockWithTenths) to \($0.end.clockWithTenths)"
      }
      return "\(source): the layout has no place for it on the canvas, so that it is not seen "
        + "\(times.listed(most: 4)); make room for its tile."
    }
  }

  /// A short name of the cause that programs can rely on.
  public var code: String {
    switch cause {
    case .reading: "reading"
    case .opening: "opening"
    case .offCanvas: "off-canvas"
    }
  }
}

extension PictureReport {
  /// What was lost of `track`.
  func losses(of track: Plan.Track) -> [Loss] {
    let why = firstError.map { " (\($0))" } ?? ""
    var causes: [Loss.Cause] = []
    if let failure { causes.append(.opening(failure)) }
    if stoppedEarly {
      causes.append(.reading("reading its pictures stopped before the end\(why)."))
    }
    if undecodablePackets > 0 {
      causes.append(
        .reading("\(undecodablePackets) of its picture packets cannot be decoded\(why)."))
    }
    if damagedPictures > 0 {
      let verb = damagedPictures == 1 ? "is" : "are"
      causes.append(.reading("\(damagedPictures) of its pictures \(verb) damaged."))
    }
    return causes.map {
      Loss($0, track: track.id, of: track.participant, source: track.source.path)
    }
  }
}

extension VoiceReport {
  /// Dropping so many samples is a loss; less is the jitter of times.
  private static let unheardSamples = 4_800

  /// What was lost of `voice`.
  func losses(of voice: Plan.Voice) -> [Loss] {
    let why = losses.firstError.map { " (\($0))" } ?? ""
    var causes: [Loss.Cause] = []
    if let failure { causes.append(.opening(failure)) }
    if losses.stoppedEarly {
      causes.append(.reading("reading its sound stopped before the end\(why)."))
    }
    if losses.undecodablePackets > 0 {
      causes.append(
        .reading("\(losses.undecodablePackets) of its sound packets cannot be decoded\(why)."))
    }
    if droppedSamples > Self.unheardSamples {
      let seconds = String(format: "%.2f", Double(droppedSamples) / 48_000)
      causes.append(
        .reading("\(seconds) s of its sound overlap what came before and are left out."))
    }
    return causes.map {
      Loss($0, track: voice.id, of: voice.participant, source: voice.source.path)
    }
  }

  /// What both came to.
  static func + (a: VoiceReport, b: VoiceReport) -> VoiceReport {
    var sum = a
    sum.decodedSamples += b.decodedSamples
    sum.mixedSamples += b.mixedSamples
    sum.droppedSamples += b.droppedSamples
    sum.silentSamples += b.silentSamples
    sum.stretchedSamples += b.stretchedSamples
    sum.repairedSamples += b.repairedSamples
    sum.losses = a.losses + b.losses
    sum.failure = a.failure ?? b.failure
    return sum
  }
}
