import ArgumentParser

/// Options for fetching inputs from buckets and web addresses.
struct FetchOptions: ParsableArguments {
  @Option("max-input-size") var maxInputSize: String?
  @Flag("allow-redirects") var allowRedirects = false
  @Option("fetch-cache") var fetchCache: String?
  @Option("secrets") var secrets: String?
}
