import TesseraLettering
import TesseraRecordings

extension Overlay.Place {
  /// The corresponding anchor for lettering.
  var anchor: TesseraLettering.Anchor {
    switch self {
    case .topLeft: .topLeft
    case .top: .top
    case .topRight: .topRight
    case .left: .left
    case .center: .center
    case .right: .right
    case .bottomLeft: .bottomLeft
    case .bottom: .bottom
    case .bottomRight: .bottomRight
    }
  }
}
