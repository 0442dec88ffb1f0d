import TesseraLayout

/// A pictogram, drawn on a grid of 24 by 24 units.
enum Icon {
  /// A crossed-out microphone.
  case microphoneOff
  /// A monitor with an arrow into it: a shared screen.
  case screen
  /// Head and shoulders.
  case person
  /// A torn strip of film: a lost recording.
  case tornFilm

  /// Draws the sign in white into the square with sides of `side` pixels at (`x`, `y`).
  func draw(on surface: borrowing CairoSurface, x: Double, y: Double, side: Double) {
    surface.scoped(x: x, y: y, scale: side / 24) { surface in
      switch self {
      case .microphoneOff: Self.drawMicrophoneOff(surface)
      case .screen: Self.drawScreen(surface)
      case .person: Self.drawPerson(surface)
      case .tornFilm: Self.drawTornFilm(surface)
      }
    }
  }

  private static func drawMicrophoneOff(_ surface: borrowing CairoSurface) {
    surface.rectangle(Rect(x: 8.6, y: 1.8, width: 6.8, height: 12.4), radius: 3.4)
    surface.fill()
    surface.arc(12, 11, 6.6, 0.02...1.98)
    surface.stroke(1.9)
    surface.polyline([(12, 17.6), (12, 21.6)])
    surface.stroke(1.9)
    surface.erasing { surface in
      surface.polyline([(3.4, 2.6), (20.6, 21.4)])
      surface.stroke(5.4)
    }
    surface.polyline([(3.4, 2.6), (20.6, 21.4)])
    surface.stroke(2)
  }

  private static func drawScreen(_ surface: borrowing CairoSurface) {
    surface.rectangle(Rect(x: 1.8, y: 3.4, width: 20.4, height: 13.6), radius: 2.2)
    surface.stroke(1.9)
    surface.polyline([(8, 20.8), (16, 20.8)])
    surface.stroke(1.9)
    surface.polyline([(12, 13.4), (12, 7.4)])
    surface.stroke(1.9)
    surface.polyline([(9.2, 9.8), (12, 7), (14.8, 9.8)])
    surface.stroke(1.9)
  }

  private static func drawPerson(_ surface: borrowing CairoSurface) {
    surface.circle(12, 8, 4.2)
    surface.fill()
    surface.move(3.6, 21)
    surface.arc(9.6, 20, 6, 2...3)
    surface.arc(14.4, 20, 6, 3...4)
    surface.line(20.4, 21)
    surface.close()
    surface.fill()
  }

  private static func drawTornFilm(_ surface: borrowing CairoSurface) {
    let tear = [(15.2, 1.0), (11.4, 8.2), (14, 12), (9.6, 23)].map { (x: $0.0, y: $0.1) }
    surface.scoped(x: -1.3, y: 1.2, turn: -0.05) { surface in
      surface.polyline([(-4, -4), (15.2, -4)] + tear + [(-4, 28)])
      surface.close()
      surface.clip()
      drawFilm(surface)
    }
    surface.scoped(x: 2.2, y: -1.4, turn: 0.07) { surface in
      surface.polyline(tear + [(28, 28), (28, -4), (15.2, -4)])
      surface.close()
      surface.clip()
      drawFilm(surface)
    }
  }

  /// Draws a strip with holes along both long edges and a window in the middle.
  private static func drawFilm(_ surface: borrowing CairoSurface) {
    surface.rectangle(Rect(x: 0.8, y: 4, width: 22.4, height: 16), radius: 1.8)
    for x in stride(from: 2.6, to: 22, by: 4.1) {
      surface.rectangle(Rect(x: x, y: 5.3, width: 2.1, height: 1.9), radius: 0.5)
      surface.rectangle(Rect(x: x, y: 16.8, width: 2.1, height: 1.9), radius: 0.5)
    }
    surface.rectangle(Rect(x: 2.8, y: 8.7, width: 18.4, height: 6.6), radius: 0.9)
    surface.fillBetween()
  }
}
