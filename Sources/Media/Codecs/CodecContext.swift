import CTesseraFFmpeg

/// An owned `AVCodecContext` of an encoder or decoder.
@safe struct CodecContext: ~Copyable {
  let raw: UnsafeMutablePointer<AVCodecContext>

  /// Allocates the context of `codec`; `nil` if memory is exhausted.
  @unsafe init?(_ codec: UnsafePointer<AVCodec>) {
    guard let raw = unsafe avcodec_alloc_context3(codec) else { return nil }
    unsafe self.raw = unsafe raw
  }

  deinit {
    var raw: UnsafeMutablePointer<AVCodecContext>? = unsafe raw
    unsafe avcodec_free_context(&raw)
  }
}
