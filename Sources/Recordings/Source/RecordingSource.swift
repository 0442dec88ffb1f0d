public import TesseraDocuments

/// A folder, an archive or a list of files as an importer sees it: names, sizes, and the bytes of
/// small files. What it knows about streams, its caller has found out.
public struct RecordingSource: Sendable {
  /// A file of the folder.
  public struct File: Hashable, Sendable {
    /// Its path in the folder, with `/` between the parts.
    public var path: String
    /// Its size in bytes.
    public var size: Int
    /// Its streams, where somebody has looked.
    public var streams: [StreamFacts]?

    /// The file `path` of `size` bytes.
    public init(_ path: String, size: Int, streams: [StreamFacts]? = nil) {
      self.path = path
      self.size = size
      self.streams = streams
    }
  }

  /// What a container says about one stream.
  public struct StreamFacts: Hashable, Sendable, Codable {
    /// What kinds there are.
    public enum Kind: Hashable, Sendable, Codable {
      case video
      case audio
      case other
    }

    /// Its number in the file, from 0.
    public var index: Int
    /// What it carries.
    public var kind: Kind
    /// What the container says about it; the keys in lower case, such as `title`.
    public var tags: [String: String]

    /// The stream `index`.
    public init(_ index: Int, _ kind: Kind, tags: [String: String] = [:]) {
      self.index = index
      self.kind = kind
      self.tags = tags
    }
  }

  /// What it is called in messages.
  public var name: String
  /// The files, in bytewise order of their paths; those of a list in the order in which they were
  /// given.
  public var files: [File]
  /// The path of the file that was named, where it was not the whole folder.
  public var manifest: String?
  /// Whether the files themselves were listed by a person, so that there is no folder to list.
  public var isList: Bool
  /// Whether what the named file says may lie outside the folder; never for what came from afar.
  public var mayLeaveFolder = false
  /// Whether there is a file of that path, relative to the folder or absolute; nil asks ``files``.
  /// Only asked where ``mayLeaveFolder``.
  public var isPresent: (@Sendable (_ path: String) -> Bool)?
  /// Whether recordings that a session file names may be missing.
  public var allowsMissing = false
  /// The bytes of a file that is listed.
  public var read: @Sendable (_ path: String) throws(DocumentError) -> [UInt8]

  /// The source `name` with `files`.
  public init(
    name: String, files: [File], manifest: String? = nil, isList: Bool = false,
    read: @escaping @Sendable (_ path: String) throws(DocumentError) -> [UInt8]
  ) {
    self.name = name
    self.files =
      isList
      ? files : files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    self.manifest = manifest
    self.isList = isList
    self.read = read
  }

  /// The most files that are looked at.
  public static let maximumFiles = 200_000
}
