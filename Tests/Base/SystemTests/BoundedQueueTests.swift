import TesseraSystem
import TestSupport
import Testing

@Suite("A queue between threads", .timed)
struct BoundedQueueTests {
  @Test("Takers wait for elements, and end once the queue is closed")
  func takersWait() {
    let queue = BoundedQueue<Int>(capacity: 4)
    let (begun, taken) = (ConditionLock(0), ConditionLock([Int]()))
    let threads = ThreadGroup(count: 4, name: "taker") {
      begun.update { $0 += 1 }
      while let element = queue.take() { taken.update { $0.append(element) } }
    }
    begun.wait { $0 == 4 ? () : nil }
    for round in 0..<200 {
      // All four threads find the queue empty, again and again.
      #expect(queue.put(round))
      taken.wait { $0.count > round ? () : nil }
    }
    queue.close()
    threads.join()
    #expect(taken.withLock { $0.sorted() } == Array(0..<200))
    #expect(!queue.put(200))
  }

  @Test("Elements put before the end are taken, and nothing after it")
  func ends() {
    let queue = BoundedQueue<Int>(capacity: 2)
    #expect(queue.put(1))
    queue.end()
    #expect(queue.take() == 1)
    #expect(queue.take() == nil)
  }
}
