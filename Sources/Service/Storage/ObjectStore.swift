import TesseraMessages
package import TesseraSystem

/// The limits and permissions of a store.
package struct FetchLimits: Sendable {
  /// The maximum number of bytes to fetch for one location (default: 256 GiB).
  package var inputSize = 256 << 30
  /// The maximum number of objects below a prefix (default: 20,000).
  package var objectCount = 20_000
  /// True if redirects to other hosts are followed (default: `false`).
  package var followsToOtherHosts = false

  /// Creates the default limits.
  package init() {}
}

/// The identity of an object: enough to fetch the same object elsewhere, or to notice that it has
/// been replaced.
package struct ObjectIdentity: Hashable, Sendable, Codable {
  /// The location; an address without its query.
  package let location: String
  let facts: ObjectMetadata

  /// The size in bytes.
  package var size: Int { facts.size }
  /// True if the server sends byte ranges of the object.
  package var hasRanges: Bool { facts.hasRanges }
}

/// The local copy of a fetched input.
package struct FetchedFile: Hashable, Sendable {
  /// The path of the file, or of the folder for a prefix.
  package let path: String
  /// The folder that contains the file; equal to `path` for a prefix.
  package let folder: String
  /// The name of the folder for messages: the location without its last component.
  package let name: String
  /// The identity of the object behind each file, keyed by the file's path.
  package var objects: [String: ObjectIdentity] = [:]
}

/// Fetches from and uploads to buckets and `https` addresses, for a process with network access.
package final class ObjectStore: Sendable {
  let cache: ObjectCache
  let limits: FetchLimits
  let s3: S3Client
  let web: HTTPStore

  /// Creates a store configured by `environment`.
  ///
  /// - Parameters:
  ///   - environment: the variables of the AWS command line: keys, profiles, region, endpoint.
  ///   - cache: the folder for fetched objects.
  ///   - limits: the limits and permissions.
  ///   - cancellation: stops transfers early.
  /// - Throws: ``StorageError`` if a variable is invalid.
  package convenience init(
    environment: [String: String], cache: String, limits: FetchLimits = FetchLimits(),
    cancellation: Cancellation = Cancellation()
  ) throws(StorageError) {
    try self.init(
      environment, ObjectCache(folder: cache, cancellation: cancellation), limits,
      policy: ConnectionPolicy(cancellation: cancellation), retries: RetryPolicy())
  }

  init(
    _ environment: [String: String], _ cache: ObjectCache, _ limits: FetchLimits,
    policy: ConnectionPolicy, retries: RetryPolicy
  ) throws(StorageError) {
    (self.cache, self.limits) = (cache, limits)
    let profiles = AWSProfiles(environment)
    let site = try Self.site(environment, profiles)
    var named = policy
    named.authorities = environment["AWS_CA_BUNDLE"] ?? environment["SSL_CERT_FILE"]
    named.allowsPlain = site.endpoint?.scheme == "http"
    var guarded = policy
    guarded.authorities = environment["SSL_CERT_FILE"]
    guarded.guardsAddresses = true
    var local = named
    (local.allowsPlain, local.connectSeconds, local.stallSeconds) = (true, 1, 5)
    // The credential providers use separate connections with short timeouts.
    let identity = HTTPClient(local, retries: RetryPolicy(attempts: 3))
    let credentials = CredentialChain([
      EnvironmentCredentialProvider(environment: environment),
      WebIdentityCredentialProvider(
        environment: environment, region: site.region, client: identity),
      ProfileCredentialProvider(
        profiles: profiles, environment: environment, region: site.region, client: identity),
      ContainerCredentialProvider(environment: environment, client: identity),
      InstanceCredentialProvider(
        environment: environment, client: HTTPClient(local, retries: RetryPolicy(attempts: 1))),
    ])
    let client = HTTPClient(named, retries: retries)
    // After cancellation, aborting an upload must not take long.
    var ending = named
    ending.cancellation = Cancellation()
    (ending.connectSeconds, ending.stallSeconds, ending.seconds) = (2, 2, 3)
    s3 = S3Client(
      site, credentials: credentials, client: client,
      ending: HTTPClient(ending, retries: RetryPolicy(attempts: 2, base: 0.25)),
      records: UploadRecords(
        folder: UserDataFolder.state.path(environment).map { "\($0)/uploads" },
        site: site.endpoint?.text ?? "aws"))
    web = HTTPStore(
      client: client, guarded: HTTPClient(guarded, retries: retries),
      endpoint: site.endpoint?.origin, followsToOtherHosts: limits.followsToOtherHosts)
  }

  private static func site(
    _ environment: [String: String], _ profiles: AWSProfiles
  ) throws(StorageError) -> S3Client.Endpoint {
    var site = S3Client.Endpoint()
    let regions = [
      environment["AWS_REGION"], environment["AWS_DEFAULT_REGION"], profiles.values["region"],
    ]
    if let region = regions.compactMap(\.self).first(where: { !$0.isEmpty }) {
      guard S3Client.isRegion(region) else {
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

  /// Uploads a file, completely or not at all. ``HTTPClient`` and `S3Client.upload` decide on
  /// retries.
  ///
  /// - Parameters:
  ///   - file: the file's path.
  ///   - location: the object to write.
  ///   - made: the provenance string in ASCII, which ``made(_:)`` returns later; `nil` for none.
  /// - Throws: ``StorageError`` if `location` is not an object, or the server refuses.
  package func upload(
    _ file: String, to location: Location, made: String? = nil
  ) throws(StorageError) {
    let (bucket, key) = try Self.object(location)
    try s3.upload(file, to: bucket, key, type: MIMEType.name(of: location.name), made: made)
  }

  /// True if an object exists at `location` that Tessera has not written.
  package func holdsForeign(_ location: Location) throws(StorageError) -> Bool {
    let (bucket, key) = try Self.object(location)
    return try s3.holdsForeign(bucket, key)
  }

  /// Checks that an object can be written, and aborts an upload that a killed process of this user
  /// left open there.
  ///
  /// - Throws: ``StorageError`` if `location` is not an object, or the server refuses.
  package func requireWritable(_ location: Location) throws(StorageError) {
    let (bucket, key) = try Self.object(location)
    try s3.requireWritable(bucket, key, type: MIMEType.name(of: location.name))
  }

  /// Returns the bucket and key of a location, and requires it to be an object, not a prefix.
  static func object(_ location: Location) throws(StorageError) -> (String, String) {
    guard case .object(let bucket, let key) = location, !key.isEmpty, !key.hasSuffix("/") else {
      throw StorageError(
        .usage, "\(location) cannot be written; write to an object, such as s3://bucket/call.mp4.")
    }
    return (bucket, key)
  }
}

/// The media types of uploaded files.
package enum MIMEType {
  /// Returns the media type for the extension of `file`.
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
