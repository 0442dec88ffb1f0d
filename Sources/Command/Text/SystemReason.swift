import Foundation
import Glibc

extension Error {
  /// What the operating system said, where Foundation's own words say less: `No such file or
  /// directory`.
  var systemReason: String {
    let underlying = (self as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    guard let underlying, underlying.domain == NSPOSIXErrorDomain else {
      return localizedDescription
    }
    return unsafe String(cString: strerror(CInt(underlying.code)))
  }
}
