@_exported public import TesseraLayout
@_exported public import TesseraMedia
@_exported public import TesseraPixels
@_exported public import TesseraRendering
@_exported public import TesseraSystem
@_exported public import TesseraTimeline

// All that the common case needs, under one name.
@_exported public import struct TesseraCompositor.Canvas
@_exported public import struct TesseraCompositor.Damage
