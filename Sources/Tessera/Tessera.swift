// Re-exports everything that a program needs to plan and render calls.
@_exported public import TesseraArchives
@_exported public import TesseraBatch
@_exported public import TesseraCodecs
@_exported public import TesseraCompositor
@_exported public import TesseraDelivery
@_exported public import TesseraJobs
@_exported public import TesseraLayout
@_exported public import TesseraLettering
@_exported public import TesseraPixels
@_exported public import TesseraPlan
@_exported public import TesseraRecordings
@_exported public import TesseraRendering
@_exported public import TesseraRequest
@_exported public import TesseraSoundtrack
@_exported public import TesseraSystem
@_exported public import TesseraTimeline
