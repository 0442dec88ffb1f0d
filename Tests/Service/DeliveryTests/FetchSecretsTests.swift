import TesseraMessages
import TesseraStorage
import TestSupport
import Testing

@testable import TesseraDelivery

@Suite("Secrets files", .timed) struct FetchSecretsTests {
  @Test("Variables, and addresses by their names in plans") func lines() throws {
    let text = """
      # of the renderer
      AWS_ACCESS_KEY_ID=AKID
      AWS_SECRET_ACCESS_KEY=a=b c

      https://host/a.webm?X-Amz-Signature=s
      """
    let secrets = try FetchSecrets(text, file: "secrets")
    #expect(
      secrets.variables == ["AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "a=b c"])
    #expect(
      secrets.address(of: "https://host/a.webm") == "https://host/a.webm?X-Amz-Signature=s")
    #expect(secrets.address(of: "https://host/b.webm") == nil)
  }

  @Test("An invalid line is reported by its number, without its content") func wrong() {
    let error = #expect(throws: StorageError.self) {
      try FetchSecrets("A=b\ngeheim", file: "secrets")
    }
    #expect(error?.description.contains("line 2 of secrets") == true)
    #expect(error?.description.contains("geheim") == false)
  }
}
