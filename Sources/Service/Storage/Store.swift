package import TesseraSystem

/// What a store may do.
package struct StoreLimits: Sendable {
  /// The most that is fetched for one location, in bytes.
  package var inputSize = 256 << 30
  /// The most objects below a prefix.
  package var objectCount = 20_000
  /// Whether redirects to other hosts are followed.
  package var followsToOtherHosts = false

  /// The usual ones.
  package init() {}
}

/// An object as it was when it was asked for: enough to fetch the same one elsewhere, or to notice
/// that it has become another.
package struct StoredObject: Hashable, Sendable, Codable {
  /// Where it is; an address without its query.
  package let location: String
  let facts: ObjectFacts

  /// Its size in bytes.
  package var size: Int { facts.size }
  /// Whether parts of it can be fetched.
  package var hasRanges: Bool { facts.hasRanges }
}

/// An input that lies in the file system now.
package struct Fetched: Hashable, Sendable {
  /// The file, or the folder of a prefix.
  package let path: String
  /// The folder in which it lies, or it itself where it is one.
  package let folder: String
  /// What people call that folder: the location without its last part.
  package let name: String
  /// What each file in that folder is, by its path.
  package var objects: [String: StoredObject] = [:]
}

/// Buckets and `https` addresses, for one process that has the network.
package final class Store: Sendable {
  let cache: ObjectCache
  let limits: StoreLimits
  let s3: S3
  let web: Web

  /// A store as `environment` configures it.
  ///
  /// - Parameters:
  ///   - environment: the variables of the AWS command line: keys, profiles, region, endpoint.
  ///   - cache: the folder for what is fetched.
  ///   - limits: what it may do.
  ///   - cancellation: ends transfers early.
  /// - Throws: where a variable contradicts itself.
  package convenience init(
    environment: [String: String], cache: String, limits: StoreLimits = StoreLimits(),
    cancellation: Cancellation = Cancellation()
  ) throws(StorageError) {
    try self.init(
      environment, ObjectCache(folder: cache, cancellation: cancellation), limits,
      policy: ConnectionPolicy(cancellation: cancellation), retries: Retries())
  }

  init(
    _ environment: [String: String], _ cache: ObjectCache, _ limits: StoreLimits,
    policy: ConnectionPolicy, retries: Retries
  ) throws(StorageError) {
    (self.cache, self.limits) = (cache, limits)
    let profiles = Profiles(environment)
    let site = try Self.site(environment, profiles)
    var named = policy
    named.authorities = environment["AWS_CA_BUNDLE"] ?? environment["SSL_CERT_FILE"]
    named.allowsPlain = site.endpoint?.scheme == "http"
    var guarded = policy
    guarded.authorities = environment["SSL_CERT_FILE"]
    guarded.guardsAddresses = true
    var local = named
    (local.allowsPlain, local.connectSeconds, local.stallSeconds) = (true, 1, 5)
    // The provider of credentials has connections of its own.
    let identity = HTTPClient(local, retries: Retries(attempts: 3))
    let credentials = CredentialSource([
      EnvironmentCredentials(environment: environment),
      WebIdentityCredentials(environment: environment, region: site.region, client: identity),
      ProfileCredentials(
        profiles: profiles, environment: environment, region: site.region, client: identity),
      ContainerCredentials(environment: environment, client: identity),
      InstanceCredentials(
        environment: environment, client: HTTPClient(local, retries: Retries(attempts: 1))),
    ])
    let client = HTTPClient(named, retries: retries)
    // Whoever asked to stop does not wait for long.
    var ending = named
    ending.cancellation = Cancellation()
    (ending.connectSeconds, ending.stallSeconds, ending.seconds) = (2, 2, 3)
    s3 = S3(
      site, credentials: credentials, client: client,
      ending: HTTPClient(ending, retries: Retries(attempts: 2, base: 0.25)),
      records: UploadRecords(
        folder: UserFolder.state.path(environment).map { "\($0)/uploads" },
        site: site.endpoint?.text ?? "aws"))
    web = Web(
      client: client, guarded: HTTPClient(guarded, retries: retries),
      endpoint: site.endpoint?.origin, followsToOtherHosts: limits.followsToOtherHosts)
  }

  private static func site(
    _ environment: [String: String], _ profiles: Profiles
  ) throws(StorageError) -> S3.Site {
    var site = S3.Site()
    let regions = [
      environment["AWS_REGION"], environment["AWS_DEFAULT_REGION"], profiles.values["region"],
    ]
    if let region = regions.compactMap(\.self).first(where: { !$0.isEmpty }) {
      guard S3.isRegion(region) else {
        throw StorageError(.usage, "\(region) is not a region; check AWS_REGION.")
      }
      site.region = region
    }
    let endpoints = [
      environment["AWS_ENDPOINT_URL_S3"], environment["AWS_ENDPOINT_URL"],
      profiles.endpoint(of: "s3"), profiles.values["endpoint_url"],
    ]
    if let text = endpoints.compactMap(\.self).first(where: { !$0.isEmpty }) {
      guard let endpoint = WebAddress(text), !endpoint.target.contains("?") else {
        throw StorageError(
          .usage,
          "AWS_ENDPOINT_URL_S3 is not an address; write it like http://127.0.0.1:9000.")
      }
      site.endpoint = endpoint
    }
    return site
  }

  /// Uploads a file, whole or not at all.
  ///
  /// - Parameters:
  ///   - file: its path.
  ///   - location: the object that it becomes.
  ///   - made: what it was made from, in ASCII, which ``made(_:)`` returns later.
  /// - Throws: where `location` is not an object, or the server refuses it.
  package func upload(
    _ file: String, to location: Location, made: String? = nil
  ) throws(StorageError) {
    let (bucket, key) = try Self.object(location)
    try s3.upload(file, to: bucket, key, type: MediaType.name(of: location.name), made: made)
  }

  /// Whether an object is there that Tessera has not made.
  package func holdsForeign(_ location: Location) throws(StorageError) -> Bool {
    let (bucket, key) = try Self.object(location)
    return try s3.holdsForeign(bucket, key)
  }

  /// Makes sure that an object may be written, and ends what a killed process of this user had under
  /// way to it.
  ///
  /// - Throws: where `location` is not an object, or the server refuses it.
  package func requireWritable(_ location: Location) throws(StorageError) {
    let (bucket, key) = try Self.object(location)
    try s3.requireWritable(bucket, key, type: MediaType.name(of: location.name))
  }

  /// The parts of an object's location, which an output must be.
  static func object(_ location: Location) throws(StorageError) -> (String, String) {
    guard case .object(let bucket, let key) = location, !key.isEmpty, !key.hasSuffix("/") else {
      throw StorageError(
        .usage, "\(location) cannot be written; write to an object, such as s3://bucket/call.mp4.")
    }
    return (bucket, key)
  }
}

/// The media types of what is uploaded.
package enum MediaType {
  /// The media type of the file `file`, by its ending.
  package static func name(of file: String) -> String {
    switch file.split(separator: ".").last?.lowercased() {
    case "mp4": "video/mp4"
    case "mkv": "video/x-matroska"
    case "webm": "video/webm"
    case "m4s": "video/iso.segment"
    case "m3u8": "application/vnd.apple.mpegurl"
    case "m4a": "audio/mp4"
    case "opus", "ogg": "audio/ogg"
    case "mp3": "audio/mpeg"
    case "wav": "audio/wav"
    case "flac": "audio/flac"
    case "json": "application/json"
    case "yaml", "yml": "application/yaml"
    case "vtt": "text/vtt"
    case "html": "text/html"
    case "jpg", "jpeg": "image/jpeg"
    case "png": "image/png"
    case "svg": "image/svg+xml"
    default: "application/octet-stream"
    }
  }
}
