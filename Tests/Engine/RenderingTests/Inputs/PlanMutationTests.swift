import Foundation
import TesseraCodecs
import TesseraSoundtrack
import TesseraSystem
import TestSupport
import Testing

@testable import TesseraPlan
@testable import TesseraPlanning
@testable import TesseraRendering

/// A change of a plan that changes a canvas or the sound also changes the digest of its part.
@Suite(.timed) struct PlanMutationTests {
  /// A call with its canvases and sound.
  private struct Base {
    let call: InputCall
    let plan: Plan
    let segments: [Range<Int>]
    let inputs: [[UInt8]]
    let canvases: [[Int: UInt64]]
    let sound: [Float]

    init() throws {
      call = try InputCall()
      plan = try call.plan(try call.request())
      segments = plan.encodedSegments
      inputs = plan.inputs(segments)
      let plan = plan
      canvases = segments.map { Rendered(plan, frames: $0).digests }
      sound = plan.mix
    }
  }

  private static let base = Result { try Base() }

  /// A plan that differs from the base in one value.
  private struct Mutation {
    let name: String
    /// The location of the value: an index into the fields and a path in the field's JSON.
    let field: Int
    let path: [PathStep]
    let value: Any
  }

  private enum PathStep {
    case key(String)
    case index(Int)

    var text: String {
      switch self {
      case .key(let key): key
      case .index(let index): "\(index)"
      }
    }
  }

  /// A field of a plan that can be written as JSON and read again.
  private struct Field {
    let name: String
    let json: (Plan) throws -> Data
    let set: (inout Plan, Data) throws -> Void

    init<Value: Codable>(_ name: String, _ path: WritableKeyPath<Plan, Value>) {
      self.name = name
      json = { try JSONEncoder().encode([$0[keyPath: path]]) }
      set = { plan, data in
        plan[keyPath: path] = try JSONDecoder().decode([Value].self, from: data)[0]
      }
    }
  }

  private static var fields: [Field] {
    [
      Field("participants", \.participants), Field("tracks", \.tracks), Field("slots", \.slots),
      Field("scenes", \.scenes), Field("layoutFrames", \.layoutFrames),
      Field("shots", \.shots), Field("kept", \.kept),
      Field("overflow", \.overflow),
      Field("voices", \.voices), Field("turns", \.turns), Field("lines", \.lines),
      Field("losses", \.losses),
      Field("messages", \.messages), Field("look", \.look), Field("output", \.output),
      Field("frameCount", \.frameCount), Field("cut", \.cut),
      Field("removals", \.removals), Field("mutes", \.mutes), Field("maybe", \.maybe),
    ]
  }

  @Test func everyLeafThatIsSeenOrHeardIsCovered() throws {
    let base = try Self.base.get()
    #expect(
      Self.fields.map(\.name) == Mirror(reflecting: base.plan).children.compactMap(\.label))
    var silent: [[Mutation]] = base.segments.map { _ in [] }
    var unheard: [Mutation] = []
    let sound = base.plan.soundInputBytes
    var (count, told) = (0, 0)
    for mutation in try Self.mutations(of: base.plan) {
      guard let plan = Self.apply([mutation], to: base.plan) else { continue }
      count += 1
      let inputs = plan.inputs(base.segments)
      for number in base.segments.indices where inputs[number] == base.inputs[number] {
        silent[number].append(mutation)
      }
      if inputs != base.inputs { told += 1 }
      if plan.soundInputBytes == sound { unheard.append(mutation) }
    }
    #expect(count > 300 && told > 100, "\(told) of \(count) leaves are covered")
    for number in base.segments.indices {
      Self.verify(silent[number], base.plan, "segment \(number)") { plan in
        Rendered(plan, frames: base.segments[number]).digests == base.canvases[number]
      }
    }
    Self.verify(unheard, base.plan, "the sound") { $0.mix == base.sound }
  }

  // MARK: - Changing leaves

  /// Returns a change of every leaf of `plan`; of long arrays, the first two elements and the last.
  private static func mutations(of plan: Plan) throws -> [Mutation] {
    var mutations: [Mutation] = []
    for (number, field) in fields.enumerated() {
      let json = try JSONSerialization.jsonObject(with: try field.json(plan))
      walk(json, []) { path, leaf in
        let name = ([field.name] + path.dropFirst().map(\.text)).joined(separator: ".")
        // The names of drawings are digests of their content; another test covers the checksums of
        // their files.
        if name.hasPrefix("look.store") { return }
        // The packets that are read are covered, but not the name of their file.
        if name.hasSuffix("source.path") || name.hasSuffix("sound.path") { return }
        let changed = values(for: leaf, name).first { value in
          let mutation = Mutation(name: name, field: number, path: path, value: value)
          return apply([mutation], to: plan) != nil
        }
        guard let changed else { return }
        mutations.append(Mutation(name: name, field: number, path: path, value: changed))
      }
    }
    return mutations
  }

  private static func walk(
    _ json: Any, _ path: [PathStep], _ body: ([PathStep], Any) -> Void
  ) {
    switch json {
    case let object as [String: Any]:
      for key in object.keys.sorted() { walk(object[key] ?? 0, path + [.key(key)], body) }
    case let array as [Any]:
      for index in array.indices where index < 2 || index == array.count - 1 {
        walk(array[index], path + [.index(index)], body)
      }
    default: body(path, json)
    }
  }

  /// Returns the replacement values for `leaf`, which is at `name`.
  private static func values(for leaf: Any, _ name: String) -> [Any] {
    // A plan never contains packets beyond the index, nor an odd canvas side.
    if name.contains("packets.1") { return (leaf as? Int).map { [$0 - 1] } ?? [] }
    if name.contains("video.size") { return (leaf as? Int).map { [$0 + 2] } ?? [] }
    if name.contains(".packets.0") || name.contains("frameRate") || name.hasPrefix("frames") {
      return (leaf as? Int).map { [$0 + 1] } ?? []
    }
    switch leaf {
    case let text as String:
      return [text + "x", "1/3", "ada", "top", "area", "libx265", text + "1"]
    case let number as NSNumber:
      if "\(leaf)" == "true" || "\(leaf)" == "false" { return [!number.boolValue] }
      if let whole = Int("\(leaf)") { return [whole + 1, whole - 1] }
      return [number.doubleValue * 0.75 + 0.01]
    default: return []
    }
  }

  /// Returns the plan with all `mutations`, or `nil` if it is invalid.
  private static func apply(_ mutations: [Mutation], to plan: Plan) -> Plan? {
    var plan = plan
    for (number, field) in fields.enumerated() {
      let own = mutations.filter { $0.field == number }
      guard !own.isEmpty else { continue }
      do {
        var json = try JSONSerialization.jsonObject(with: try field.json(plan))
        for mutation in own { json = set(json, mutation.path[...], mutation.value) }
        try field.set(&plan, try JSONSerialization.data(withJSONObject: json))
      } catch {
        return nil
      }
    }
    return plan
  }

  private static func set(_ json: Any, _ path: ArraySlice<PathStep>, _ value: Any) -> Any {
    guard let step = path.first else { return value }
    switch step {
    case .key(let key):
      guard var object = json as? [String: Any], let inner = object[key] else { return json }
      object[key] = set(inner, path.dropFirst(), value)
      return object
    case .index(let index):
      guard var array = json as? [Any], array.indices.contains(index) else { return json }
      array[index] = set(array[index], path.dropFirst(), value)
      return array
    }
  }

  /// Expects that `holds` is true for the plan with each of `mutations`, many at a time.
  private static func verify(
    _ mutations: [Mutation], _ plan: Plan, _ what: String, _ holds: (Plan) -> Bool
  ) {
    if let other = apply(mutations, to: plan), holds(other) { return }
    guard mutations.count > 1 else {
      for mutation in mutations { Issue.record("\(mutation.name) changes \(what) untold") }
      return
    }
    let middle = mutations.count / 2
    verify(Array(mutations[..<middle]), plan, what, holds)
    verify(Array(mutations[middle...]), plan, what, holds)
  }
}

extension Plan {
  /// The digest input of the whole sound.
  fileprivate var soundInputBytes: [UInt8] {
    let bytes = CanonicalBytes()
    bytes.append(soundInput())
    return bytes.bytes
  }

  /// The whole mix.
  fileprivate var mix: [Float] {
    let input = soundInput()
    var soundtrack = Soundtrack(
      input.voices.map(\.source), sampleCount: input.sampleCount, cancellation: Cancellation())
    var (mix, block): ([Float], [Float]) = ([], [])
    while (try? soundtrack.next(into: &block)) == true { mix += block }
    return mix
  }
}
