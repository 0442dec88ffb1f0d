import Foundation
import TesseraMessages
package import TesseraStorage
import TesseraSystem

/// Credentials for fetching, which never appear in messages: environment variables such as keys,
/// and signed addresses.
package struct FetchSecrets {
  /// The environment variables by name. They override those of the process.
  package private(set) var variables: [String: String] = [:]
  /// Complete addresses with their queries, by the address without its query that a plan stores.
  private var addresses: [String: String] = [:]

  package init() {}

  /// Parses `text`, the content of `file`. Each line is `NAME=value` or an `https` address. Empty
  /// lines and lines that start with `#` are ignored.
  ///
  /// - Throws: a usage error with the number of an invalid line, without its content.
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
          .usage, "line \(number + 1) of \(file: file) is neither NAME=value nor an https address.")
      }
      variables[String(parts[0])] = String(parts[1])
    }
  }

  /// Returns the complete address for `location`, an address without its query; `nil` if the file
  /// of secrets has none.
  package func address(of location: String) -> String? { addresses[location] }
}
