import Foundation
import Glibc
import SystemPackage

/// Bytes within a coded value: in a file of their own, named by their content, where the coder was
/// given a ``SideFolder``; else in the document itself, as base 64.
package struct SideBytes: Hashable, Sendable, Codable {
  /// The bytes.
  package var bytes: [UInt8]

  /// Those bytes.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    if text.hasPrefix(SideFolder.mark) {
      let folder = decoder.userInfo[SideFolder.key] as? SideFolder
      let name = String(text.dropFirst(SideFolder.mark.count))
      guard let bytes = folder?.read(name) else {
        throw SideFolder.Lack(path: folder.map { "\($0.path)/\(name)" } ?? name)
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
    if let folder = encoder.userInfo[SideFolder.key] as? SideFolder {
      try container.encode(SideFolder.mark + folder.write(bytes))
    } else {
      try container.encode(Data(bytes).base64EncodedString())
    }
  }
}

/// A folder of files that are named by the SHA-256 of their content and are never changed.
package final class SideFolder: Sendable {
  /// What coders know it by.
  package static let key: CodingUserInfoKey = {
    guard let key = CodingUserInfoKey(rawValue: "side-folder") else {
      preconditionFailure("any text is a key")
    }
    return key
  }()
  static let mark = "side:"

  /// A file that is not there, or not what was written.
  package struct Lack: Error, Hashable, Sendable {
    /// Where it should be.
    package let path: String
  }

  /// Where it is.
  package let path: String

  /// The folder at `path`, which is made with the first file.
  package init(_ path: String) { self.path = path }

  /// Writes a file unless it is there, whole or not at all, and returns its name.
  func write(_ bytes: [UInt8]) throws(SystemError) -> String {
    let name = SHA256.digest(bytes).hexadecimal
    let file = "\(path)/\(name)"
    if FileManager.default.fileExists(atPath: file) { return name }
    try FileSystem.makeFolder(path)
    let part = "\(file).\(getpid()).part"
    if let number = FileDescriptor.write(Data(bytes), to: part) {
      FileSystem.remove(part)
      throw SystemError("write", file, number: number)
    }
    guard FileSystem.rename(part, to: file) == nil else { throw SystemError("write", file) }
    return name
  }

  /// The content of the file called `name`; nil where there is none with that content.
  func read(_ name: String) -> [UInt8]? {
    guard name.utf8.count == 64, name.allSatisfy(\.isHexDigit),
      let data = try? FileSystem.map("\(path)/\(name)")
    else { return nil }
    let bytes = Array(data)
    return SHA256.digest(bytes).hexadecimal == name ? bytes : nil
  }
}
