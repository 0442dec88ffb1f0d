package import TesseraSystem
package import TesseraTimeline

extension CrashLoss {
  /// Where sound has to end so that nothing of what was decoded then is decoded again: a second
  /// before, as decoding, resampling and fading look ahead.
  package var end: MediaTime { MediaTime(nanoseconds: max(0, time - 1_000_000_000)) }
}
