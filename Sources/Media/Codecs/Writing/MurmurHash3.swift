import CTesseraFFmpeg

/// An incremental MurmurHash3 checksum. It detects damage, not tampering.
@safe struct MurmurHash3: ~Copyable {
  private let context: OpaquePointer

  init() throws(FFmpegError) {
    guard let context = unsafe av_murmur3_alloc() else {
      throw .outOfMemory("take memory for a checksum", "no file")
    }
    unsafe self.context = unsafe context
    unsafe av_murmur3_init(context)
  }

  deinit { unsafe av_free(UnsafeMutableRawPointer(context)) }

  func update(_ bytes: UnsafeRawBufferPointer) {
    unsafe av_murmur3_update(
      context, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
  }

  func finish() -> [UInt8] {
    unsafe Array(unsafeUninitializedCapacity: PacketFile.checksumSize) { buffer, count in
      unsafe av_murmur3_final(context, buffer.baseAddress)
      count = PacketFile.checksumSize
    }
  }
}
