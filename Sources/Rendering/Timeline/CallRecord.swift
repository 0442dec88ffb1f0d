import Foundation
import TesseraMedia
import TesseraTimeline

/// What happened in the rendered part of a call: who was there, seen and heard when.
///
/// Times are counted from the output's beginning.
public struct CallRecord: Hashable, Sendable, Codable {
  /// A stretch of the output, in seconds; an array of two numbers in JSON.
  public struct Span: Hashable, Sendable {
    /// Where it begins.
    public var start: Double
    /// Where it ends, after ``start``.
    public var end: Double

    /// The stretch from `start` to `end`.
    public init(_ start: Double, _ end: Double) { (self.start, self.end) = (start, end) }
  }

  /// Somebody in the call.
  public struct Person: Hashable, Sendable, Codable {
    /// The participant's identifier in the report.
    public var id: ParticipantID
    /// What the person is called.
    public var name: String
    /// While the person has a tile.
    public var present: [Span]
    /// While the camera's pictures are shown.
    public var camera: [Span]
    /// While a microphone is on.
    public var microphone: [Span]
    /// While the person speaks.
    public var speaking: [Span]
    /// While the person shares a screen.
    public var screen: [Span]
  }

  /// A stretch in which one person has the floor.
  public struct Turn: Hashable, Sendable, Codable {
    /// Whose it is.
    public var participant: ParticipantID
    /// When it is.
    public var span: Span
  }

  /// A chapter of the output.
  public struct Chapter: Hashable, Sendable, Codable {
    /// What it is called.
    public var title: String
    /// Where it begins, in seconds.
    public var start: Double
  }

  /// Text that players show and hide.
  public struct Captions: Hashable, Sendable, Codable {
    /// The language as three letters; nil where it is not known.
    public var language: String?
    /// What players call it.
    public var title: String?
    /// The cues, in the order of their times.
    public var cues: [Cue]
  }

  /// What is said at some time.
  public struct Cue: Hashable, Sendable, Codable {
    /// When it is shown.
    public var span: Span
    /// The text, its lines separated by line feeds.
    public var text: String
  }

  /// The call's title; nil where it has none.
  public var title: String?
  /// Frames a second; nil where there are no pictures.
  public var frameRate: Double?
  /// Everyone, in their order.
  public var people: [Person]
  /// Who had the floor, in the order of time; empty where nobody looked for it.
  public var turns: [Turn]
  /// The chapters, in the order of time.
  public var chapters: [Chapter]
  /// Captions beside the pictures.
  public var captions: [Captions]
}

extension CallRecord.Span: Codable {
  /// Reads an array of two numbers.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    start = try container.decode(Double.self)
    end = try container.decode(Double.self)
  }

  /// Writes an array of two numbers, in whole milliseconds.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for time in [start, end] { try container.encode((time * 1000).rounded() / 1000) }
  }
}

extension CallRecord {
  /// What `plan` says; its times become the output's.
  init(_ plan: Plan, hasPictures: Bool) {
    let rate = plan.output.video.frameRate
    func seconds(_ frame: Int) -> Double {
      rate.time(ofFrame: frame - plan.frames.lowerBound).seconds
    }
    func spans(_ frames: [Range<Int>]) -> [Span] {
      frames.intersection([plan.frames]).map {
        Span(seconds($0.lowerBound), seconds($0.upperBound))
      }
    }
    title = plan.output.title
    frameRate = hasPictures ? Double(rate.numerator) / Double(rate.denominator) : nil
    people = zip(plan.participants, TimelineLane.lanes(plan, [:])).map { participant, lane in
      Person(
        id: participant.id, name: participant.name, present: spans(lane.present),
        camera: spans(lane.camera), microphone: spans(lane.microphone),
        speaking: spans(lane.speaking), screen: spans(lane.screen))
    }
    turns = plan.turns.flatMap { turn in
      spans([plan.frames(in: turn.interval)]).map { Turn(participant: turn.participant, span: $0) }
    }
    chapters = plan.output.chapters.map { Chapter(title: $0.title, start: $0.start.seconds) }
    captions = plan.output.captions.map { track in
      Captions(
        language: track.language, title: track.title,
        cues: track.cues.map { cue in
          Cue(
            span: Span(Double(cue.start) / 1000, Double(cue.end) / 1000), text: cue.text)
        })
    }
  }
}
