import Foundation
import TesseraCodecs
import TesseraPixels
package import TesseraPlan
import TesseraTimeline

/// What happened in the rendered part of a call: who was there, seen and heard when.
///
/// Times are counted from the output's beginning.
package struct CallRecord: Hashable, Sendable, Codable {
  /// A stretch of the output, in seconds; an array of two numbers in JSON.
  package struct Span: Hashable, Sendable {
    /// Where it begins.
    package var start: Double
    /// Where it ends, after ``start``.
    package var end: Double

    /// The stretch from `start` to `end`.
    package init(_ start: Double, _ end: Double) { (self.start, self.end) = (start, end) }
  }

  /// Somebody in the call.
  package struct Person: Hashable, Sendable, Codable {
    /// The participant's identifier in the report.
    package var id: ParticipantID
    /// What the person is called.
    package var name: String
    /// While the person has a tile.
    package var present: [Span]
    /// While the camera's pictures are shown.
    package var camera: [Span]
    /// While a microphone is on.
    package var microphone: [Span]
    /// While the person speaks.
    package var speaking: [Span]
    /// While the person shares a screen.
    package var screen: [Span]
  }

  /// A stretch in which one person has the floor.
  package struct Turn: Hashable, Sendable, Codable {
    /// Whose it is.
    package var participant: ParticipantID
    /// When it is.
    package var span: Span
  }

  /// A chapter of the output.
  package struct Chapter: Hashable, Sendable, Codable {
    /// What it is called.
    package var title: String
    /// Where it begins, in seconds.
    package var start: Double
  }

  /// Text that players show and hide.
  package struct Captions: Hashable, Sendable, Codable {
    /// The language as three letters; nil where it is not known.
    package var language: String?
    /// What players call it.
    package var title: String?
    /// The cues, in the order of their times.
    package var cues: [Cue]
  }

  /// What is said at some time.
  package struct Cue: Hashable, Sendable, Codable {
    /// When it is shown.
    package var span: Span
    /// The text, its lines separated by line feeds.
    package var text: String
  }

  /// What one person says in one go.
  package struct Line: Hashable, Sendable, Codable {
    /// The speaker; nil where that is nobody who takes part.
    package var participant: ParticipantID?
    /// What the speaker is called; nil where nobody knows.
    package var speaker: String?
    /// When it is said.
    package var span: Span
    /// What is said, on one line.
    package var text: String
  }

  /// The call's title; nil where it has none.
  package var title: String?
  /// Frames a second; nil where there are no pictures.
  package var frameRate: Double?
  /// The width and height of the pictures in pixels; nil where there are none.
  package var width: Int?, height: Int?
  /// Everyone, in their order.
  package var people: [Person]
  /// Who had the floor, in the order of time; empty where nobody looked for it.
  package var turns: [Turn]
  /// The chapters, in the order of time.
  package var chapters: [Chapter]
  /// What is said, in the order of time; empty where no transcript says it.
  package var lines: [Line] = []
  /// Captions beside the pictures.
  package var captions: [Captions]
}

extension CallRecord.Span: Codable {
  /// Reads an array of two numbers.
  package init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    start = try container.decode(Double.self)
    end = try container.decode(Double.self)
  }

  /// Writes an array of two numbers, in whole milliseconds.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for time in [start, end] { try container.encode((time * 1000).rounded() / 1000) }
  }
}

extension CallRecord {
  /// What `plan` says; its times become the output's.
  init(_ plan: Plan, hasPictures: Bool) {
    let rate = plan.output.video.frameRate
    func seconds(_ frame: Int) -> Double {
      rate.time(ofFrame: frame).seconds
    }
    func spans(_ frames: [Range<Int>]) -> [Span] {
      frames.map { plan.cut.output(of: $0) }.merged.map {
        Span(seconds($0.lowerBound), seconds($0.upperBound))
      }
    }
    title = plan.output.title
    frameRate = hasPictures ? Double(rate.numerator) / Double(rate.denominator) : nil
    if hasPictures {
      (width, height) = (plan.output.video.size.width, plan.output.video.size.height)
    }
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
    lines = plan.linesInOutput.map { line, interval in
      Line(
        participant: line.participant, speaker: plan.speaker(of: line),
        span: Span(interval.start.seconds, interval.end.seconds),
        text: line.text)
    }
    captions = plan.output.captions.map { Captions($0) }
  }
}

extension CallRecord.Captions {
  fileprivate init(_ track: TextTrack) {
    self.init(
      language: track.language, title: track.title,
      cues: track.cues.map { cue in
        CallRecord.Cue(
          span: CallRecord.Span(Double(cue.start) / 1000, Double(cue.end) / 1000), text: cue.text)
      })
  }
}
