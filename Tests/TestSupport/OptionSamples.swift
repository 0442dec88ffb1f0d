/// What each option takes, as a request writes it.
public enum OptionSamples {
  /// The texts of its values, by its name.
  public static let texts: [String: [String]] = [
    "layout": ["speaker:strip=left"], "size": ["1280x720"], "fps": ["30000/1001"],
    "filter": ["lanczos"], "fit": ["contain"], "gap": ["8"], "transition": ["0.250"],
    "max-tiles": ["9"], "focus": ["ada"], "only": ["ada", "ben"], "exclude": ["ben"],
    "hide": ["cy"], "tiles": ["cameras"], "theme": ["light"], "names": ["off"],
    "highlight-speaker": ["on"], "corner-radius": ["12.0"], "background": ["#101418"],
    "fit-focus": ["ada=0.5,0.25"], "watermark": ["logo.png:corner=top-left,opacity=0.5,height=0.1"],
    "title-card": ["Weekly: sync:seconds=4.000"], "clock": ["wall:zone=-03:30"],
    "captions": ["call.vtt"], "freeze-after": ["2.500"], "encoder": ["libx265"],
    "preset": ["medium"], "crf": ["20"], "encoder-option": ["tune=film", "g=30"],
    "title": ["A \"title\""], "captions-track": ["call.vtt:language=eng,title=English"],
    "chapters": ["off"], "loudness": ["-16.0"], "duck": ["12.0"], "only-sound": ["ada"],
    "exclude-sound": ["ben"], "audio-encoder": ["libopus"], "audio-channels": ["mono"],
    "audio-bitrate": ["96000"], "from": ["1.000"], "to": ["61.500"], "format": ["vonage"],
    "people": ["people.csv"], "max-archive-size": ["1000"], "local": ["ada"],
    "offset": ["ada=-0.500"], "gain": ["ben=-3.0"], "align": ["sound"], "trim-idle": ["off"],
    "audio-track": ["deu"], "speaker-source": ["events"],
    "transcript": ["ada=ada.json:start=-1.000"],
    "allow-missing": ["on"], "max-duration": ["3600.000"], "report": ["-"], "page": ["call.html"],
    "page-video": ["https://a.example/call.mp4"], "page-thumbnails": ["off"],
    "speakers": ["turns.vtt"], "transcript-out": ["call.md", "call.vtt"], "stems": ["stems"],
    "stem-format": ["flac"], "jobs": ["3"], "memory": ["8589934592"], "work-dir": ["work"],
    "executor": ["slurm:partition=batch"], "retry-losses": ["on"], "root": ["/data"],
    "strict": ["on"], "strict-notes": ["on"], "accept-losses": ["on"], "overwrite": ["on"],
    "cpu": ["avx2"], "cache": ["cache"], "no-cache": ["on"], "max-input-size": ["1024"],
    "allow-redirects": ["on"], "fetch-cache": ["fetched"], "secrets": ["secrets"],
  ]
}
