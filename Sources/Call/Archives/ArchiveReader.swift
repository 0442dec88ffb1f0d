import CTesseraArchive
import Glibc
import TesseraSystem
import TesseraTimeline

/// Reads an archive sequentially, entry by entry. The only type that calls libarchive.
@safe struct ArchiveReader: ~Copyable {
  private let archive: OpaquePointer
  private let file: RegularFile
  private let locale: locale_t?
  private let previous: locale_t?

  /// The header of an entry.
  struct Header {
    enum Kind {
      case file
      case folder
      case other
    }

    var path: String
    var kind: Kind
    /// The size in bytes; `nil` if the header does not state it.
    var size: Int64?
    var isEncrypted: Bool
  }

  /// The reason why reading stops.
  enum ReadFailure: Error {
    /// The file is no archive, or cannot be opened.
    case unreadable(String)
    /// The archive ends too early, or the rest of it is not readable.
    case truncated(String)
    /// The entry is damaged; later entries remain readable.
    case damaged(String)
    /// The output file cannot be written; the value is the system's error message.
    case unwritable(String)
    /// The entry is larger than the limit for writing.
    case tooLarge
  }

  /// Opens the archive at `path`. Check ``isUsable`` before reading.
  init(_ path: String) throws(ReadFailure) {
    let file: RegularFile
    do throws(SystemError) {
      file = try RegularFile(path)
    } catch {
      throw .unreadable(error.reason)
    }
    guard let archive = unsafe archive_read_new() else {
      throw .unreadable("memory ran out")
    }
    let locale = unsafe tessera_archive_utf8()
    let previous = unsafe locale.flatMap { unsafe tessera_archive_use_utf8($0) }
    _ = unsafe archive_read_support_format_zip(archive)
    _ = unsafe archive_read_set_options(archive, "zip:hdrcharset=UTF-8")
    let isOpen = unsafe archive_read_open_fd(archive, file.descriptor, 1 << 18) == ARCHIVE_OK
    let words = unsafe Self.words(archive)
    unsafe self.archive = archive
    self.file = file
    unsafe self.locale = locale
    unsafe self.previous = previous
    isUsable = isOpen
    openingWords = words
  }

  /// False if libarchive refused the file; ``openingWords`` is its error message.
  let isUsable: Bool
  let openingWords: String

  deinit {
    _ = unsafe archive_read_free(archive)
    if let previous = unsafe previous { _ = unsafe tessera_archive_use_utf8(previous) }
    if let locale = unsafe locale { unsafe freelocale(locale) }
  }

  /// Returns the error message of libarchive's last failure.
  private static func words(_ archive: OpaquePointer) -> String {
    if unsafe archive_errno(archive) == ENOMEM { CrashNote.exitOnMemoryExhaustion() }
    guard let text = unsafe archive_error_string(archive) else { return "it cannot be read" }
    return unsafe String(cString: text)
  }

  private static var systemWords: String { unsafe String(cString: strerror(errno)) }

  /// Reads the next entry's header; `nil` at the end of the archive.
  mutating func next() throws(ReadFailure) -> Header? {
    var entry: OpaquePointer?
    let result = unsafe archive_read_next_header(archive, &entry)
    guard result != ARCHIVE_EOF else { return nil }
    guard result == ARCHIVE_OK || result == ARCHIVE_WARN, let entry = unsafe entry else {
      throw unsafe .truncated(Self.words(archive))
    }
    let isFile =
      unsafe tessera_archive_is_file(entry) != 0
      || tessera_archive_has_no_kind(entry) != 0
    let isFolder = unsafe tessera_archive_is_folder(entry) != 0
    let isLink = unsafe archive_entry_hardlink(entry) != nil || archive_entry_symlink(entry) != nil
    return Header(
      path: unsafe Self.name(entry),
      kind: isLink ? .other : isFolder ? .folder : isFile ? .file : .other,
      size: unsafe archive_entry_size_is_set(entry) != 0 ? archive_entry_size(entry) : nil,
      isEncrypted: unsafe archive_entry_is_encrypted(entry) > 0)
  }

  /// Returns the entry's name. Bytes that are not UTF-8 are replaced.
  private static func name(_ entry: OpaquePointer) -> String {
    if let name = unsafe archive_entry_pathname_utf8(entry) { return unsafe String(cString: name) }
    if let name = unsafe archive_entry_pathname(entry) { return unsafe String(cString: name) }
    return ""
  }

  private static func make(_ path: String) throws(ReadFailure) -> OwnedFileDescriptor {
    do throws(SystemError) {
      return try OwnedFileDescriptor(
        opening: path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
    } catch {
      throw .unwritable(error.reason)
    }
  }

  /// Writes the entry's data to a new file at `path` and returns the number of bytes written.
  ///
  /// - Throws: if reading or writing fails, or the entry exceeds `limit` bytes. The partial file
  ///   stays.
  mutating func extract(
    to path: String, limit: Int64, _ buffer: inout [UInt8]
  ) throws(ReadFailure) -> Int64 {
    let file = try Self.make(path)
    var total: Int64 = 0
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { bytes in
        unsafe archive_read_data(archive, bytes.baseAddress, bytes.count)
      }
      guard count != 0 else { return total }
      guard count > 0 else {
        let words = unsafe Self.words(archive)
        throw count == Int(ARCHIVE_FATAL) ? .truncated(words) : .damaged(words)
      }
      guard total +| Int64(count) <= limit else { throw .tooLarge }
      var written = 0
      while written < count {
        let step = unsafe buffer.withUnsafeBytes { bytes in
          unsafe write(file.number, bytes.baseAddress.unsafelyUnwrapped + written, count - written)
        }
        guard step > 0 || errno == EINTR else { throw .unwritable(Self.systemWords) }
        written += max(0, step)
      }
      total +|= Int64(count)
    }
  }
}
