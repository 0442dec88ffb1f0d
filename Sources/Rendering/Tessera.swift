/// The program itself.
public enum Tessera {
  /// The version, as in the change log.
  public static let version = "0.1.0"
}
