import TesseraSoundtrack
import TestSupport
import Testing

@Suite(.timed) struct ShowAlignmentTests {
  private static let shows: [SimulatedShow.Settings] = {
    var shows: [SimulatedShow.Settings] = []
    for (bleed, hasReverb) in [(Float(0), false), (0.08, false), (0.08, true)] {
      for dropping in [Set<Int>(), [1, 2]] {
        for parts in [0.0, 80] {
          var settings = SimulatedShow.Settings()
          (settings.bleed, settings.hasReverb) = (bleed, hasReverb)
          (settings.dropping, settings.partsPerMillion) = (dropping, parts)
          if isWholeRun { (settings.people, settings.seconds) = (3, 120) }
          shows.append(settings)
        }
      }
    }
    // Shows without drift, or with reverb alone, are covered by the others.
    return isWholeRun ? shows : [shows[1], shows[2], shows[7], shows[11]]
  }()

  /// A passage of up to 1 s beside a gap may be on the wrong side of the gap.
  @Test(
    "Microphones and cameras of one show are placed within 5 ms, also with missing samples",
    arguments: shows)
  func filesArePlaced(settings: SimulatedShow.Settings) throws {
    let show = SimulatedShow(settings, seed: 11)
    let found = try #require(
      SoundAligner.findings(show.files.map { AlignmentAudio($0) }, owners: show.owners))
    let base = (found[0].place.offset, found[0].place.rate)
    for (number, finding) in found.enumerated() {
      let errors = show.errors(
        of: number, { finding.place.time($0) }, gaps: finding.gaps.map { ($0.time, $0.seconds) },
        base: base
      ).sorted()
      let isPlaced = number == 0 || finding.isSure && finding.group == found[0].group
      #expect(isPlaced, "\(number): \(finding)")
      #expect(errors[errors.count / 2] < 0.003, "\(number): \(errors[errors.count / 2])")
      #expect(errors[errors.count * 9 / 10] < 0.005, "\(number): \(errors[errors.count * 9 / 10])")
      #expect(finding.gaps.count <= show.drops[number].count, "\(number): \(finding.gaps)")
      #expect(finding.gaps.isEmpty == show.drops[number].isEmpty, "\(number): \(finding.gaps)")
      #expect(number == 0 || finding.gaps.isEmpty || finding.confidence < 1)
    }
  }

  @Test("Missing samples are found in both of two recordings")
  func gapsInBoth() throws {
    var settings = SimulatedShow.Settings()
    (settings.bleed, settings.dropping) = (0.08, [])
    let show = SimulatedShow(settings, seed: 13)
    // The microphone and the camera of one person.
    var files = [show.files[0], show.files[2]]
    files[0].removeSubrange(8000 * 25..<8000 * 25 + 2400)
    files[1].removeSubrange(8000 * 50..<8000 * 50 + 4000)
    let found = try #require(
      SoundAligner.findings(files.map { AlignmentAudio($0) }, owners: [0, 0]))
    for (finding, (time, seconds)) in zip(found, [(25.0, 0.3), (50.0, 0.5)]) {
      let gap = try #require(finding.gaps.first)
      #expect(finding.gaps.count == 1 && abs(gap.seconds - seconds) < 0.003, "\(finding.gaps)")
      #expect(abs(gap.time - time) < 2, "\(gap)")
    }
    #expect(found[1].isSure)
  }

  @Test("A single long gap is found, and a drift is not taken for gaps")
  func longGap() throws {
    var settings = SimulatedShow.Settings()
    (settings.people, settings.bleed, settings.partsPerMillion) = (2, 0.08, 80)
    let show = SimulatedShow(settings, seed: 12)
    var files = show.files
    files[3].removeSubrange(8000 * 40..<8000 * 44)
    let found = try #require(
      SoundAligner.findings(files.map { AlignmentAudio($0) }, owners: show.owners))
    #expect(found[3].gaps.count == 1)
    let gap = try #require(found[3].gaps.first)
    #expect(abs(gap.seconds - 4) < 0.003 && abs(gap.time - 40) < 1.5, "\(gap)")
    #expect(found.dropLast().allSatisfy { $0.gaps.isEmpty } && found[3].isSure)
  }
}
