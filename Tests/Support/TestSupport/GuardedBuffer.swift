internal import Glibc

/// Memory between two inaccessible pages: a read or write outside ends the process.
@safe public final class GuardedBuffer<Element: BitwiseCopyable>: @unchecked Sendable {
  /// The side at which the buffer touches an inaccessible page.
  public enum Side: CaseIterable, Sendable {
    case start
    case end
  }

  /// The elements, valid as long as this object lives.
  public let elements: UnsafeMutableBufferPointer<Element>
  private let mapping: UnsafeMutableRawBufferPointer

  /// Allocates `count` zeroed elements that touch the inaccessible page on `side`.
  public init(count: Int, side: Side = .end) {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let bytes = count * MemoryLayout<Element>.stride
    let inner = max(1, (bytes + page - 1) / page) * page
    let base = unsafe mmap(
      nil, inner + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let base = unsafe base, unsafe base != MAP_FAILED,
      unsafe mprotect(base + page, inner, PROT_READ | PROT_WRITE) == 0
    else { preconditionFailure("the system gives no memory for a guarded buffer") }
    unsafe mapping = UnsafeMutableRawBufferPointer(start: base, count: inner + 2 * page)
    let start = unsafe base + page + (side == .end ? inner - bytes : 0)
    unsafe elements = UnsafeMutableBufferPointer(
      start: start.bindMemory(to: Element.self, capacity: max(count, 1)), count: count)
  }

  /// Copies `values` into a buffer that touches the inaccessible page on `side`.
  public convenience init(_ values: some Collection<Element>, side: Side = .end) {
    self.init(count: values.count, side: side)
    _ = unsafe elements.update(fromContentsOf: values)
  }

  deinit {
    unsafe _ = munmap(mapping.baseAddress, mapping.count)
  }

  /// The address of the first element.
  public var base: UnsafeMutablePointer<Element> { unsafe elements.baseAddress.unsafelyUnwrapped }
  /// A copy of the elements.
  public var array: [Element] { unsafe Array(elements) }
}
