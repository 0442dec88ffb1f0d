import CTesseraFFmpeg

/// An owned `AVCodecContext` of an encoder, decoder or parser.
@safe struct CodecContext: ~Copyable {
  let raw: UnsafeMutablePointer<AVCodecContext>

  /// Allocates the context of `codec`, or of a parser without one; `nil` if memory is exhausted.
  @unsafe init?(_ codec: UnsafePointer<AVCodec>?) {
    guard let raw = unsafe avcodec_alloc_context3(codec) else { return nil }
    unsafe self.raw = unsafe raw
  }

  deinit {
    var raw: UnsafeMutablePointer<AVCodecContext>? = unsafe raw
    unsafe avcodec_free_context(&raw)
  }
}
