import TestSupport
import Testing

@testable import TesseraPixels

@Suite(.timed) struct WeakCacheTests {
  private final class Number {
    let value: Int

    init(_ value: Int) { self.value = value }
  }

  @Test func anObjectInUseIsShared() {
    var objects = WeakCache<Int, Number>()
    let kept = (0..<300).map { key in objects.object(key) { Number(key) } }
    for key in 0..<300 {
      let found = objects.object(key) { Number(-1) }
      #expect(found === kept[key] && found.value == key)
    }
  }

  @Test func anUnusedObjectIsCreatedAgain() {
    var objects = WeakCache<Int, Number>()
    for round in 0..<300 {
      #expect(objects.object(round % 7) { Number(round) }.value == round)
    }
  }
}
