"""The calls whose pages scripts/test-page tests: a rendered one, a hostile one and a long one."""

import copy
import json
import pathlib
import random
import subprocess

# The lines of the demo call and their speakers. The recorder's own file names each line's speaker.
SPOKEN = [
    ("Ada Okafor", 0.15, 2.4, "Good morning! Where do we go this summer?"),
    ("Ben Lindqvist", 2.5, 5.2, "I vote for the mountains: fresh air, and a lake."),
    ("Dóra Kiss", 5.3, 7.7, "Hang on, my camera is waking up."),
    ("Dóra Kiss", 7.75, 9.2, "There we go. Hello!"),
    ("Chloé Martin", 9.35, 11.7, "The night train goes all the way to the sea."),
    ("ईशान शर्मा", 11.75, 14.4, "Mountains, sea. I only need good coffee."),
    ("Farid Rahimi", 14.5, 17.6, "Then take the coast path: mountains left, sea right."),
    ("Ben Lindqvist", 17.85, 18.2, "Perfect!"),
    ("Chloé Martin", 18.2, 19.2, "Oh yes, please!"),
    ("Ada Okafor", 19.3, 21.9, "Settled! You book the train, and I bring the map."),
    ("Dóra Kiss", 22.0, 23.8, "And I charge my camera."),
]

HOSTILE = [
    "<script>window.hit=1</script>", "</script><script>window.hit=1</script>", "<img src=x onerror=window.hit=1>",
    "<svg onload=window.hit=1>", "<svg><script>window.hit=1</script></svg>", "javascript:window.hit=1",
    "<a href=\"javascript:window.hit=1\">x</a>", "\"><script>window.hit=1</script>", "'><script>window.hit=1</script>",
    "\" onmouseover=\"window.hit=1", "' autofocus onfocus='window.hit=1", "<iframe src=javascript:window.hit=1>",
    "<iframe srcdoc=\"<script>parent.hit=1</script>\">", "<object data=javascript:window.hit=1>",
    "<embed src=javascript:window.hit=1>", "<base href=https://example.org/>",
    "<meta http-equiv=refresh content=\"0;url=https://example.org\">", "<link rel=stylesheet href=https://example.org>",
    "<style>*{display:none!important}</style>", "<style>@import 'https://example.org'</style>",
    "<form action=https://example.org><input autofocus>", "<details open ontoggle=window.hit=1>",
    "<video src=x onerror=window.hit=1>", "<audio src=x onerror=window.hit=1>", "<body onload=window.hit=1>",
    "<math href=javascript:window.hit=1>x</math>", "<template><script>window.hit=1</script></template>",
    "<!--<script>", "--><script>window.hit=1</script>", "<![CDATA[<script>window.hit=1</script>]]>", "]]>",
    "{{script}}", "{{constructor.constructor('window.hit=1')()}}", "${window.hit=1}", "`${window.hit=1}`",
    "\\u003cscript\\u003ewindow.hit=1\\u003c/script\\u003e", "&lt;script&gt;window.hit=1&lt;/script&gt;",
    "&#60;script&#62;window.hit=1&#60;/script&#62;", "\u2028window.hit=1\u2029", "\u202ewindow.hit=1//", "\u2066\u2067x",
    "\x00<script>window.hit=1</script>", "\ufeff<script>window.hit=1</script>", "\ud83d\ude00<b onclick=window.hit=1>x</b>",
    "'; window.hit=1; '", "\"; window.hit=1; \"", "*/window.hit=1/*", "//window.hit=1", "\\\"};window.hit=1;//",
    "<scr<script>ipt>window.hit=1</scr</script>ipt>", "<plaintext>", "<xmp><script>window.hit=1</script></xmp>",
    "__proto__", "constructor", "x" * 200_000, "\u0301" * 300, "a\r\n\tb", "",
]


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(words)}: {done.stderr}"


def stamp(seconds):
    whole = round(1000 * seconds)
    return f"{whole // 3600000:02}:{whole // 60000 % 60:02}:{whole // 1000 % 60:02}.{whole % 1000:03}"


def demo(tessera, folder, ending):
    """Renders the demo call with its page; returns the page, the video and the report."""
    words = folder / "call.transcript.vtt"
    words.write_text("WEBVTT\n\n" + "\n".join(
        f"{stamp(start)} --> {stamp(end)}\n<v {who}>{text}</v>\n" for who, start, end, text in SPOKEN))
    video, page, report = folder / f"a call #1.{ending}", folder / "call.html", folder / "report.json"
    run(tessera, "render", "Fixtures/call", "-o", str(video), "--size", "640x360", "--fps", "15", "--preset",
        "ultrafast" if ending == "mp4" else "realtime", "--transcript", str(words), "--captions-track",
        "transcript:language=eng,title=English", "--page", str(page), "--report", str(report), "--overwrite",
        "--progress", "none")
    return page, video, json.loads(report.read_text())


def page_of(tessera, report, folder, name, *options):
    """Writes the page of a report."""
    path = folder / f"{name}.json"
    path.write_text(json.dumps(report))
    run(tessera, "page", str(path), "-o", str(folder / f"{name}.html"), *options)
    return folder / f"{name}.html"


def hostile(report):
    """Returns the report with hostile text in place of all text from recordings."""
    report = copy.deepcopy(report)
    call = report["call"]
    person = call["people"][0]
    report["output"] = report["output"]
    call["title"] = HOSTILE[1]
    call["people"] = [dict(person, id=f"p{number}", name=text) for number, text in enumerate(HOSTILE)]
    call["turns"] = [{"participant": f"p{number}", "span": [0.4 * number, 0.4 * number + 0.4]} for number in range(50)]
    call["lines"] = [{"participant": f"p{number}", "span": [0.4 * number, 0.4 * number + 0.4], "text": text}
                     for number, text in enumerate(HOSTILE)]
    call["lines"] += [{"speaker": text, "span": [23, 23.5], "text": "?"} for text in HOSTILE]
    call["chapters"] = [{"title": text, "start": 0.4 * number} for number, text in enumerate(HOSTILE)]
    call["captions"] = [{"language": HOSTILE[2], "title": HOSTILE[3], "cues": [
        {"span": [0.4 * number, 0.4 * number + 0.4], "text": text} for number, text in enumerate(HOSTILE)]}]
    report["notes"] = HOSTILE
    return report


def varied(report):
    """Returns the report with captions in three languages, and slides, which are not a person."""
    report = copy.deepcopy(report)
    call = report["call"]
    [captions] = call["captions"]
    call["captions"] = [dict(captions, language=language, title=title) for language, title in
                        (("eng", "English"), ("ger", None), ("por", "Brasil"), (None, None))]
    call["people"].insert(0, {"id": "slides", "name": "Slides", "present": [], "camera": [], "microphone": [],
                              "speaking": [], "screen": [[4, 9]]})
    return report


def big(report, people=40, turns=6000, lines=30_000, hours=3):
    """Returns the report of a call of this size, with the video of `report`."""
    report = copy.deepcopy(report)
    source = random.Random(7)
    seconds = 3600 * hours
    call = report["call"]
    report["duration"] = seconds
    names = [f"Person {number}" for number in range(people)]
    step = seconds / turns
    order = [source.randrange(people) for _ in range(turns)]
    said = "so the next thing that we wanted to talk about is how it works when nobody is looking and why that matters"
    vocabulary = said.split()
    call["people"] = [{
        "id": name, "name": name, "present": [[0, seconds]], "camera": [[600 * n, 600 * n + 450] for n in range(6 * hours)],
        "microphone": [[0, seconds]], "screen": [],
        "speaking": [[n * step, (n + 0.9) * step] for n in range(turns) if order[n] == place],
    } for place, name in enumerate(names)]
    call["turns"] = [{"participant": names[who], "span": [n * step, (n + 1) * step]} for n, who in enumerate(order)]
    part = lines // turns
    call["lines"] = [{
        "participant": names[who], "span": [(n + k / part) * step, (n + (k + 1) / part) * step],
        "text": " ".join(source.choice(vocabulary) for _ in range(source.randrange(3, 24))),
    } for n, who in enumerate(order) for k in range(part)]
    call["chapters"] = [{"title": f"Chapter {number}", "start": number * seconds / 20} for number in range(20)]
    call["captions"] = []
    return report
