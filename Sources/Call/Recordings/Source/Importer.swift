package import TesseraDocuments

/// Reads the files of one recorder: a pure function from a folder's listing to a ``Recording``.
///
/// A new importer needs a file in the folder `Importers` and a line in ``ImporterRegistry/all``.
package protocol Importer: Sendable {
  /// The importer's name for `--format`.
  static var format: String { get }

  /// Returns the certainty that the folder comes from this recorder, 0...100.
  ///
  /// 0 means no, 85 to 90 names of files, and 100 a manifest that no other recorder writes. The
  /// importer with the highest score reads the folder; on a tie, the first one in the table.
  static func score(_ folder: ImporterInput) -> Int

  /// Reads the recording.
  ///
  /// - Throws: one sentence with the file and the wrong key.
  static func recording(_ folder: ImporterInput) throws(DocumentError) -> Recording
}
