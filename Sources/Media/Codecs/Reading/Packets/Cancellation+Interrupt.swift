import CTesseraFFmpeg
import TesseraSystem

extension Cancellation {
  /// What libav* asks during long calls. The caller keeps the token alive meanwhile.
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
