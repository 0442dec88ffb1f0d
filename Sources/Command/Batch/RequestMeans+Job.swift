import TesseraJobs
import TesseraPlanning

extension RequestMeans {
  private static let fetching: Set = [
    "max-input-size", "allow-redirects", "fetch-cache", "secrets",
  ]

  /// Those of a job's options that are about fetching.
  static func fetching(_ settings: [BatchJob.Setting]) -> [BatchJob.Setting] {
    settings.filter { fetching.contains($0.name) }
  }

  /// What a job's options say of fetching.
  ///
  /// - Throws: where a value is wrong.
  init(of settings: [BatchJob.Setting]) throws(RenderError) {
    var request = RenderRequest([], to: [])
    for setting in Self.fetching(settings) {
      do throws(OptionError) {
        try request.set(setting.name, [setting.value].compactMap { $0 })
      } catch {
        throw RenderError(.usage, "--\(error)")
      }
    }
    self = request.means
  }
}
