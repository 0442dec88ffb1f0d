import Foundation
public import Testing

/// Records the duration of each test case, as a line `SECONDS TEST` in the file that the
/// environment variable `TESSERA_TEST_TIMES` names.
///
/// The runner's own figures include the time in which a test waits for a thread.
public struct TestTimes: SuiteTrait, TestTrait, TestScoping {
  public var isRecursive: Bool { true }

  @concurrent public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil, let file = Self.file else { return try await function() }
    let start = ContinuousClock.now
    defer {
      let seconds = (ContinuousClock.now - start) / .seconds(1)
      let line =
        "\(seconds) \(test.id.moduleName).\(test.id.nameComponents.joined(separator: "."))\n"
      _ = unsafe write(file, line, line.utf8.count)
    }
    try await function()
  }

  private static let file: CInt? = ProcessInfo.processInfo.environment["TESSERA_TEST_TIMES"]
    .map { unsafe open($0, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644) }
}

extension Trait where Self == TestTimes {
  /// Records the duration of each test.
  public static var timed: TestTimes { TestTimes() }
}

/// True if the environment variable `TESSERA_TEST_ALL` requests complete tests, which are too long
/// for every change.
public let isWholeRun = ProcessInfo.processInfo.environment["TESSERA_TEST_ALL"] != nil
