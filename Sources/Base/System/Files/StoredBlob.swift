import Foundation
import Glibc
import SystemPackage

/// Bytes within an encoded value. A coder with a ``ContentAddressedStore`` stores them as a file
/// named by its content; otherwise they are inline as Base64.
package struct StoredBlob: Hashable, Sendable, Codable {
  package var bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    if text.hasPrefix(ContentAddressedStore.mark) {
      let folder = decoder.userInfo[ContentAddressedStore.key] as? ContentAddressedStore
      let name = String(text.dropFirst(ContentAddressedStore.mark.count))
      guard let bytes = folder?.read(name) else {
        throw ContentAddressedStore.MissingBlob(path: folder.map { "\($0.path)/\(name)" } ?? name)
      }
      self.bytes = bytes
    } else {
      guard let data = Data(base64Encoded: text) else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "not base 64")
      }
      bytes = Array(data)
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let folder = encoder.userInfo[ContentAddressedStore.key] as? ContentAddressedStore {
      try container.encode(ContentAddressedStore.mark + folder.write(bytes))
    } else {
      try container.encode(Data(bytes).base64EncodedString())
    }
  }
}

/// A folder of immutable files named by the SHA-256 of their content.
package final class ContentAddressedStore: Sendable {
  /// The key of the folder in a coder's `userInfo`.
  package static let key: CodingUserInfoKey = {
    guard let key = CodingUserInfoKey(rawValue: "side-folder") else {
      preconditionFailure("any text is a key")
    }
    return key
  }()
  /// The prefix of encoded text that refers to a file by its name.
  static let mark = "side:"

  /// A side file is missing, or its content does not match its name.
  package struct MissingBlob: Error, Hashable, Sendable {
    /// The path of the file, or its name if the decoder has no folder.
    package let path: String
  }

  package let path: String

  /// Creates a reference to the folder at `path`, which is created with the first file.
  package init(_ path: String) { self.path = path }

  /// Writes a file atomically unless it exists, and returns its name.
  func write(_ bytes: [UInt8]) throws(SystemError) -> String {
    let name = SHA256.digest(bytes).hexadecimal
    let file = "\(path)/\(name)"
    if FileManager.default.fileExists(atPath: file) { return name }
    try FileOperations.makeFolder(path)
    let part = "\(file).\(getpid()).part"
    if let number = FileDescriptor.write(Data(bytes), to: part) {
      FileOperations.remove(part)
      throw SystemError("write", file, number: number)
    }
    guard FileOperations.rename(part, to: file) == nil else { throw SystemError("write", file) }
    return name
  }

  /// Returns the content of file `name`; `nil` if it is missing or does not match its name.
  func read(_ name: String) -> [UInt8]? {
    guard name.utf8.count == 64, name.allSatisfy(\.isHexDigit),
      let data = try? FileOperations.map("\(path)/\(name)")
    else { return nil }
    let bytes = Array(data)
    return SHA256.digest(bytes).hexadecimal == name ? bytes : nil
  }
}
