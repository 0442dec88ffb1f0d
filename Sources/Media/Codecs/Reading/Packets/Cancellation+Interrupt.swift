import CTesseraFFmpeg
import TesseraSystem

extension Cancellation {
  /// The callback by which libav* polls for cancellation during long calls. The caller must keep
  /// the token alive as long as the callback is installed.
  var interruptCallback: AVIOInterruptCB {
    unsafe AVIOInterruptCB(
      callback: { opaque in
        guard let opaque = unsafe opaque else { return 0 }
        let token = unsafe Unmanaged<Cancellation>.fromOpaque(opaque).takeUnretainedValue()
        return token.isCancelled ? 1 : 0
      },
      opaque: Unmanaged.passUnretained(self).toOpaque())
  }
}
