package import TesseraDocuments

/// Reads the files of one recorder: a pure function from a folder's listing to a ``Recording``.
///
/// A new importer needs a file in `Importers` and a line in ``Importers/all``.
package protocol Importer: Sendable {
  /// The importer's name for `--format`.
  static var format: String { get }

  /// Returns the certainty that the folder comes from this recorder, 0...100.
  ///
  /// 0 means no, 85 to 90 names of files, and 100 a manifest that no other recorder writes. The
  /// importer with the highest score reads the folder; on a tie, the first one in the table.
  static func score(_ folder: ImportFolder) -> Int

  /// Reads the recording.
  ///
  /// - Throws: one sentence with the file and the wrong key.
  static func recording(_ folder: ImportFolder) throws(DocumentError) -> Recording
}
