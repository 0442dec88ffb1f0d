import Foundation
import TesseraCompositor
package import TesseraJobs
package import TesseraPixels
package import TesseraPlan
import TesseraSoundtrack
package import TesseraSystem
import TesseraTimeline

/// Hashes of what a render makes before it is encoded: to compare two programs, or two machines.
package enum CanvasHashes {
  /// A line for every frame, `v NUMBER HASH`, and one for all sound, `a COUNT HASH`.
  ///
  /// Hashes are FNV-1a (Fowler, Noll and Vo) over samples, with 64 bits: of the planes' rows, and
  /// of the mix's 32-bit patterns.
  package static func text(
    of plan: Plan, kernels: Kernels, cancellation: Cancellation
  ) throws(RenderError) -> String {
    var lines: [String] = []
    var frames = FrameRenderer(
      plan, frames: plan.cut, kernels: kernels, cancellation: cancellation)
    frames.run { number, canvas in
      lines.append("v \(plan.cut.output(from: number)) " + String(canvas.hash, radix: 16))
    }
    guard !cancellation.isCancelled else { throw .stopped(cancellation) }
    let sound = plan.soundInput()
    var soundtrack = Soundtrack(
      sound.voices.map(\.source), sampleCount: sound.mixedCount, splices: sound.splices,
      cancellation: cancellation)
    var (hash, count): (UInt64, Int) = (start, 0)
    var block: [Float] = []
    do {
      while try soundtrack.next(into: &block) {
        for sample in block { hash = (hash ^ UInt64(sample.bitPattern)) &* prime }
        count += block.count
      }
    } catch {
      throw .stopped(cancellation)
    }
    lines.append("a \(count) " + String(hash, radix: 16))
    return lines.joined(separator: "\n") + "\n"
  }

  fileprivate static let start: UInt64 = 0xcbf2_9ce4_8422_2325
  fileprivate static let prime: UInt64 = 0x100_0000_01b3
}

extension Canvas {
  /// A number that stands for all samples.
  fileprivate borrowing func hash(_ plane: Plane, _ start: UInt64) -> UInt64 {
    var hash = start
    for y in 0..<plane.size.height {
      for x in 0..<plane.size.width {
        hash = (hash ^ UInt64(plane[x, y])) &* CanvasHashes.prime
      }
    }
    return hash
  }

  fileprivate var hash: UInt64 {
    withPlanes { luma, blue, red in
      hash(red, hash(blue, hash(luma, CanvasHashes.start)))
    }
  }
}
