import TesseraTimeline

extension Recording {
  /// Rewrites every path in the recording with `path`.
  ///
  /// Covers tracks, avatars, transcripts, layout files, backgrounds, overlay images, options of
  /// outputs, and files that were left out.
  package mutating func mapPaths(_ path: (String) -> String) {
    for person in participants.indices {
      participants[person].avatar = participants[person].avatar.map(path)
      for track in participants[person].tracks.indices {
        participants[person].tracks[track].file = path(participants[person].tracks[track].file)
      }
    }
    for index in transcripts.indices { transcripts[index].file = path(transcripts[index].file) }
    for index in overlays.indices {
      if case .image(let image) = overlays[index].content {
        overlays[index].content = .image(path(image))
      }
    }
    leftOut = Set(leftOut.map(path))
    if let image = canvas.backgroundPath { canvas.background = path(image) }
    for index in canvas.options.indices { canvas.options[index].mapPaths(path) }
    layout = layout?.mapPath(path)
    for index in events.indices {
      if case .layout(let layout) = events[index].change {
        events[index].change = .layout(layout.mapPath(path))
      }
    }
    for index in outputs.indices { outputs[index].mapPaths(path) }
  }

  /// The paths of all files that the recording reads; without ``leftOut``.
  package var paths: [String] {
    var (paths, copy) = ([String](), self)
    copy.leftOut = []
    copy.mapPaths { path in
      paths.append(path)
      return path
    }
    return paths
  }

  /// The first path that leads out of the recording's folder; `nil` if none does.
  package var pathOutside: String? {
    paths.first { $0.isAbsolutePath || $0.pathParts.contains("..") }
  }

  /// Returns the media files in `paths` that no track, avatar or overlay uses, in order, without
  /// those left out on purpose.
  package func unusedFiles(among paths: [String]) -> [String] {
    var used = leftOut.union(tracks.map(\.file) + participants.compactMap(\.avatar))
    for overlay in overlays {
      if case .image(let path) = overlay.content { used.insert(path) }
    }
    return paths.filter { FileNameClassifier.kind($0) != nil && !used.contains($0) }
  }
}

extension SessionOutput {
  /// Rewrites the paths in the output's options.
  package mutating func mapPaths(_ path: (String) -> String) {
    for index in options.indices { options[index].mapPaths(path) }
  }

  /// Splits a path from the options after its last colon: `logo.png` and `:height=0.1`.
  package static func split(_ text: String) -> (path: String, options: String) {
    guard let colon = text.lastIndex(of: ":"), text[colon...].contains("=") else {
      return (text, "")
    }
    return (String(text[..<colon]), String(text[colon...]))
  }
}

extension SessionOutput.Option {
  /// Rewrites the path in an option that takes one: images, captions, layout files and themes.
  fileprivate mutating func mapPaths(_ path: (String) -> String) {
    values = values.map { value in
      let (file, rest) = SessionOutput.split(value)
      switch name {
      case "edits", "chapters-from", "clips": return path(value)
      case "watermark": return path(file) + rest
      case "captions", "captions-track":
        return ["transcript", "words"].contains(file) ? value : path(file) + rest
      case "layout": return RequestedLayout.named(value).path.map(path) ?? value
      case "background", "theme": return CanvasSettings.path(in: value).map(path) ?? value
      default: return value
      }
    }
  }
}

extension CanvasSettings {
  /// The path of the background image; `nil` for a color, which contains neither `.` nor `/`.
  package var backgroundPath: String? { background.flatMap(Self.path) }

  /// Returns `text` if it is a path, and `nil` if it is a color or a name.
  static func path(in text: String) -> String? {
    text.contains("/") || text.contains(".") ? text : nil
  }
}

extension RequestedLayout {
  /// The path of a layout file; `nil` for a layout's name or an inline layout.
  package var path: String? {
    guard case .named(let text) = self,
      text.contains("/") || text.hasSuffix(".json") || text.hasSuffix(".css")
    else { return nil }
    return text
  }

  fileprivate func mapPath(_ path: (String) -> String) -> RequestedLayout {
    self.path.map { .named(path($0)) } ?? self
  }
}
