import ArgumentParser

/// Options for a page beside an output.
struct PageOptions: ParsableArguments {
  @Option("page-video") var pageVideo: String?
  @Option("page-for") var pageFor: String?
  @Option("page-thumbnails") var pageThumbnails: String?
}
