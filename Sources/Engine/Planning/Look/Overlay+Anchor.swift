import TesseraLettering
import TesseraRecordings

extension Overlay.Position {
  /// The corresponding anchor for lettering.
  var anchor: TesseraLettering.AnchorPoint {
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
