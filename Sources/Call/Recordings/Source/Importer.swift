package import TesseraDocuments

/// Reads what one recorder writes. A pure function of what is in a folder.
///
/// Adding one takes a file in `Importers` and a line in ``Importers/all``.
package protocol Importer: Sendable {
  /// Its name for `--format`.
  static var format: String { get }
  /// What it reads, in one line.
  static var summary: String { get }

  /// How sure it is that the folder is its own, from 0 (not at all) to 100 (a manifest that nobody
  /// else writes). Of several the surest reads it, and of these the first in the table.
  static func score(_ folder: ImportFolder) -> Int

  /// The recording.
  ///
  /// - Throws: one sentence with the file and the key that is wrong.
  static func recording(_ folder: ImportFolder) throws(DocumentError) -> Recording
}
