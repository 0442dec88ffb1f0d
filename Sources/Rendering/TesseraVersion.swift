/// Which Tessera this is.
public enum TesseraVersion {
  /// The version, as in the change log.
  public static let current = "0.1.0"
}
