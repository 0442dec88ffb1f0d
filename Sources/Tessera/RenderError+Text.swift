import TesseraMessages
public import TesseraSystem

extension RenderError {
  /// Creates an error from plain text.
  ///
  /// Only programs see this initializer. Below, a literal becomes a message that keeps options and
  /// paths as values.
  public init(_ kind: Kind, _ message: String) { self.init(kind, UserMessage(message)) }
}
