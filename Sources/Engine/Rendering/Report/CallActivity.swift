import Foundation
import TesseraCodecs
import TesseraPixels
package import TesseraPlan
import TesseraTimeline

/// The events in the rendered part of a call: who was present, visible and audible when.
///
/// Times count from the start of the output.
package struct CallActivity: Hashable, Sendable, Codable {
  /// An interval of the output, in seconds. In JSON, an array of two numbers.
  package struct Span: Hashable, Sendable {
    package var start: Double
    /// The end of the interval, after ``start``.
    package var end: Double

    package init(_ start: Double, _ end: Double) { (self.start, self.end) = (start, end) }
  }

  /// A participant of the call.
  package struct Person: Hashable, Sendable, Codable {
    /// The participant's identifier in the report.
    package var id: ParticipantID
    package var name: String
    /// The times at which the person has a tile.
    package var present: [Span]
    /// The times at which the camera's pictures are shown.
    package var camera: [Span]
    /// The times at which a microphone is on.
    package var microphone: [Span]
    /// The times at which the person speaks.
    package var speaking: [Span]
    /// The times at which the person shares a screen.
    package var screen: [Span]
  }

  /// An interval in which one participant has the floor.
  package struct Turn: Hashable, Sendable, Codable {
    /// The participant who has the floor.
    package var participant: ParticipantID
    package var span: Span
  }

  package struct Chapter: Hashable, Sendable, Codable {
    package var title: String
    /// The start of the chapter in the output, in seconds.
    package var start: Double
  }

  /// A caption track, which players show or hide.
  package struct Captions: Hashable, Sendable, Codable {
    /// The three-letter language code; nil if unknown.
    package var language: String?
    /// The track's title in players.
    package var title: String?
    /// The cues, in order of time.
    package var cues: [Cue]
  }

  /// A caption: a text with its time.
  package struct Cue: Hashable, Sendable, Codable {
    package var span: Span
    /// The caption's text. Lines are separated by line feeds.
    package var text: String
  }

  /// A line of the transcript: text that one speaker says without interruption.
  package struct TranscriptLine: Hashable, Sendable, Codable {
    /// The speaker; nil if the speaker is no participant.
    package var participant: ParticipantID?
    /// The speaker's name; nil if unknown.
    package var speaker: String?
    package var span: Span
    /// The text of the line, without line breaks.
    package var text: String
  }

  /// The call's title; nil if it has none.
  package var title: String?
  /// Frames per second; nil for sound alone.
  package var frameRate: Double?
  /// The size of the pictures in pixels; nil for sound alone.
  package var width: Int?, height: Int?
  /// All participants, in the plan's order.
  package var people: [Person]
  /// The turns of the active speaker, in order of time; empty if speech was not detected.
  package var turns: [Turn]
  /// The chapters, in order of time.
  package var chapters: [Chapter]
  /// The transcript, in order of time; empty if there is none.
  package var lines: [TranscriptLine] = []
  package var captions: [Captions]
}

extension CallActivity.Span: Codable {
  /// Decodes an array of two numbers.
  package init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    start = try container.decode(Double.self)
    end = try container.decode(Double.self)
  }

  /// Encodes an array of two numbers, rounded to milliseconds.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for time in [start, end] { try container.encode((time * 1000).rounded() / 1000) }
  }
}

extension CallActivity {
  /// Collects the record of `plan`, at the output's times.
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
      TranscriptLine(
        participant: line.participant, speaker: plan.speaker(of: line),
        span: Span(interval.start.seconds, interval.end.seconds),
        text: line.text)
    }
    captions = plan.output.captions.map { Captions($0) }
  }
}

extension CallActivity.Captions {
  fileprivate init(_ track: SubtitleTrack) {
    self.init(
      language: track.language, title: track.title,
      cues: track.cues.map { cue in
        CallActivity.Cue(
          span: CallActivity.Span(Double(cue.start) / 1000, Double(cue.end) / 1000), text: cue.text)
      })
  }
}
