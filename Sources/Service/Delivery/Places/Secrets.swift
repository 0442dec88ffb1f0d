import Foundation
package import TesseraStorage
import TesseraSystem

/// What fetching needs and nobody else is to see: variables of the environment, such as keys, and
/// addresses whose queries are signatures.
package struct Secrets {
  /// The variables, in place of those of the environment.
  package private(set) var variables: [String: String] = [:]
  /// Whole addresses, by what plans call them.
  private var addresses: [String: String] = [:]

  /// None.
  package init() {}

  /// Reads the lines of `file`, each `NAME=value` or an address; empty ones and those that begin
  /// with `#` are none.
  package init(_ text: String, file: String) throws(StorageError) {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (number, line) in lines.enumerated() {
      let line = line.trimmingCharacters(in: .whitespaces)
      guard !line.isEmpty, !line.hasPrefix("#") else { continue }
      if case .web(let address)? = try? Location(line) {
        addresses["\(Location.web(address))"] = address
        continue
      }
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, !parts[0].contains(where: \.isWhitespace) else {
        throw StorageError(
          .usage, "line \(number + 1) of \(file) is neither NAME=value nor an https address.")
      }
      variables[String(parts[0])] = String(parts[1])
    }
  }

  /// The whole address of what a plan calls `location`; nil where there is none.
  package func address(of location: String) -> String? { addresses[location] }
}
