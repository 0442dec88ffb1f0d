import Foundation
import TesseraCodecs
import TesseraMessages
import TesseraPixels
import TesseraProof
import TesseraStorage
import TesseraSystem

/// Parsers of binary formats.
extension FuzzTarget {
  static func readStill(_ bytes: [UInt8]) {
    do throws(ImageFileError.Reason) {
      _ = try StillHeader(bytes)
    } catch {}
    guard let picture = StillHeader.firstPicture(ofWebP: bytes) else { return }
    precondition(picture.count <= bytes.count + 30)
  }

  static func readXML(_ bytes: [UInt8]) {
    do throws(XMLElement.Problem) {
      let element = try XMLElement.parse(bytes)
      precondition(depth(element) <= XMLElement.maximumDepth + 1)
    } catch {
      precondition(!error.reason.isEmpty)
    }
  }

  private static func depth(_ element: XMLElement) -> Int {
    1 + (element.children.map(depth).max() ?? 0)
  }

  static func readProfiles(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    precondition(AWSProfiles.sections(of: text).values.reduce(0) { $0 + $1.count } <= bytes.count)
  }

  /// Reads an index, also with a corrected checksum; writing it again gives the same bytes.
  static func readIndex(_ bytes: [UInt8]) {
    for bytes in [bytes, PacketIndex.sealed(bytes)] {
      guard let index = PacketIndex(encoded: bytes) else { continue }
      precondition(index.ticks.count == index.count && index.positions.count == index.count)
      for packet in 0..<min(index.count, 100) {
        _ = (index.ticks[packet], index.isKeyframe(packet), index.samples[packet])
      }
      _ = index.bytes(of: 0..<index.count)
      precondition(PacketIndex(encoded: index.encoded) == index)
    }
  }

  /// Reads a file of packets, also with a corrected checksum; all packets are returned.
  static func readPackets(_ bytes: [UInt8]) {
    let path = "/dev/shm/tessera-fuzz-\(ProcessInfo.processInfo.processIdentifier)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    for bytes in [bytes, PacketFile.sealed(bytes)] {
      guard (try? Data(bytes).write(to: URL(fileURLWithPath: path))) != nil else { return }
      do throws(PacketFile.OpenError) {
        var file = try PacketFileReader(path)
        var count = 0
        while let packet = try? file.next() {
          _ = packet
          count += 1
        }
        precondition(count <= file.tail.packetCount)
      } catch {
        precondition(!error.description.isEmpty)
      }
    }
  }

  /// Reads canvas marks; written and read again, they are equal.
  static func readMarks(_ bytes: [UInt8]) {
    var (reader, writer, read) = (
      MeasurementReader(Data(bytes)), MeasurementWriter(), [CanvasMeasurements]()
    )
    while let marks = reader.next(), read.count < 1000 {
      precondition(marks.cells.count == marks.tiles.count * ProofTile.cellCount)
      writer.append(marks)
      read.append(marks)
    }
    var again = MeasurementReader(writer.bytes)
    for marks in read { precondition(again.next() == marks) }
  }
}
