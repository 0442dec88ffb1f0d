"""The scenario of scripts/test-page: opens pages in a real browser and tests their behavior."""

import argparse
import contextlib
import functools
import http.server
import json
import pathlib
import random
import re
import sys
import tempfile
import threading
import time
import urllib.parse

import page_calls
from page_browser import BROWSERS

NEAR = 0.2  # Seconds by which a click may miss: the issue of pixels, not of the page.

# Helpers for the scripts in a page.
HELPERS = """
const $ = (id) => document.getElementById(id);
const media = document.querySelector("video, audio");
const data = JSON.parse($("data").textContent);
{ const sums = (list) => { let sum = 0; return list.map((by) => sum += by); };
  for (const one of data.people) for (const key of ["present", "camera", "speaking"]) one[key] = sums(one[key]);
  let last = 0; for (let n = 0; n < data.turns.length; n += 3) {
    data.turns[n + 1] += last; last = data.turns[n + 2] += data.turns[n + 1]; } }
const lines = []; { let time = 0;
  for (const [person, after, lasts, text] of data.lines) { time += after; lines.push([person, time, time + lasts, text]); } }
const box = (target) => { const b = (typeof target === "string" ? document.querySelector(target) : target)
  .getBoundingClientRect(); return { x: b.x, y: b.y, width: b.width, height: b.height,
  right: b.right, bottom: b.bottom }; };
"""


class Ranges(http.server.SimpleHTTPRequestHandler):
    """A plain server of files that knows ranges."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        path = pathlib.Path(self.translate_path(self.path))
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if not path.is_file():
            return self.send_error(404)
        content = path.read_bytes()
        first = int(asked[1]) if asked else 0
        last = int(asked[2]) if asked and asked[2] else len(content) - 1
        part = content[first:last + 1]
        self.send_response(206 if asked else 200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(len(part)))
        if asked:
            self.send_header("Content-Range", f"bytes {first}-{first + len(part) - 1}/{len(content)}")
        self.end_headers()
        with contextlib.suppress(ConnectionError):
            self.wfile.write(part)


@contextlib.contextmanager
def server(folder):
    made = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Ranges, directory=str(folder)))
    threading.Thread(target=made.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{made.server_port}"
    finally:
        made.shutdown()


class Page:
    """The page in a browser, with its checks."""

    def __init__(self, browser, folder, origin):
        self.browser, self.folder, self.origin = browser, folder, origin

    def run(self, text, *arguments):
        return self.browser.script(HELPERS + text, *arguments)

    def wait(self, text, *arguments, what=None):
        return self.browser.wait(HELPERS + text, *arguments, what=what or text)

    def open(self, path, fragment=""):
        self.browser.open("about:blank")
        self.browser.errors()
        if hasattr(self.browser, "requests"):
            self.browser.requests()
        self.address = f"{self.origin}/{urllib.parse.quote(path.name)}"
        self.browser.open(self.address + fragment)
        self.wait("return media.readyState >= 2", what="the video's first picture")

    def box(self, selector):
        self.run("document.querySelector(arguments[0]).scrollIntoView({ block: 'nearest' })", selector)
        return self.run("return box(arguments[0])", selector)

    def click(self, selector, across=0.5, down=0.5):
        place = self.box(selector)
        self.browser.click(place["x"] + across * place["width"], place["y"] + down * place["height"])

    def now(self):
        self.wait("return !media.seeking", what="the end of a seek")
        return self.run("return media.currentTime")

    def seek(self, seconds):
        self.run("media.currentTime = arguments[0]", seconds)
        self.now()

    def near(self, seconds, what, within=NEAR):
        now = self.now()
        assert abs(now - seconds) <= within, f"{what} leads to {now:.3f} s, not to {seconds:.3f} s"

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0]).textContent", selector)

    def quiet(self):
        """Checks that there were no errors, and no requests except for the media and the thumbnails."""
        errors = self.browser.errors()
        assert not errors, f"the console says: {errors}"
        if hasattr(self.browser, "requests"):
            own = self.run("return [media.src, data.thumbs && new URL(data.thumbs.src, location.href).href]")
            others = {one for one in self.browser.requests() if one.split("#")[0] not in (self.address, *own)}
            others = {one for one in others if one != "about:blank" and not one.startswith("data:")}
            assert not others, f"the page asked for {others}"


def check_playing(page, call):
    page.open(call)
    page.click("#play")
    page.wait("return media.currentTime > 0.3", what="playing")
    assert page.text("#play") == "Pause", "the button does not say what it does"
    page.click("#play")
    page.wait("return media.paused", what="a pause")
    page.quiet()


def check_clicks(page, call):
    """Checks that a click on each kind of element leads to its target."""
    page.open(call)
    duration = page.run("return data.duration") / 1000
    for share in (0.5, 0.1, 0.9):
        page.click("#seek", across=share)
        page.near(share * duration, f"the bar at {share}")
        page.click("#chart", across=1 - share, down=0.3)
        page.near((1 - share) * duration, f"the lanes at {1 - share}")
    for number in range(min(4, page.run("return lines.length"))):
        page.run("$('lines').scrollTop = 0")
        page.wait("return document.querySelector(`.line[data-line='${arguments[0]}']`)", number)
        page.click(f".line[data-line='{number}'] p")
        page.near(page.run("return lines[arguments[0]][1]", number) / 1000, f"line {number}")
        page.wait("return document.querySelector('.line.active')?.dataset.line === arguments[0]", str(number))
    page.click("#tab-chapters")
    for number in range(page.run("return data.chapters.length")):
        page.click(f"#chapters li:nth-child({number + 1}) button")
        page.near(page.run("return data.chapters[arguments[0]][0]", number) / 1000, f"chapter {number}")
    if page.run("return !$('tab-notes').hidden"):
        page.click("#tab-notes")
        for number, note in enumerate(page.run("return data.notes")):
            if "time" in note:
                page.click(f"#notes li:nth-child({number + 1}) button")
                page.near(note["time"] / 1000, f"note {number}")
    page.click("#tab-transcript")
    turns = page.run("return data.turns")
    turns = [turns[place:place + 3] for place in range(0, len(turns), 3)]
    page.seek(0.01)
    for person in range(page.run("return data.people.length")):
        page.seek(0.01)
        page.click(f"#names li:nth-child({person + 1}) button")
        wanted = [start for who, start, _ in turns if who == person]
        later = [start for start in wanted if start > 11]
        if wanted:
            page.near((later or wanted)[0] / 1000, f"person {person}")
    page.seek(turns[2][1] / 1000 + 0.1)
    page.click("#next")
    page.near(turns[3][1] / 1000, "the next turn")
    page.click("#previous")
    page.near(turns[2][1] / 1000, "the previous turn")
    span = page.run("return box('#chart').width")
    page.click("#zoom-in")
    page.click("#zoom-in")
    page.seek(turns[2][1] / 1000)
    page.click("#zoom-all")
    page.click("#chart", across=100.5 / span, down=0.5)
    page.near(100.5 / span * duration, "the lanes after zooming")
    page.quiet()


def check_thumbnails(page, call):
    """Checks that the pointer shows a picture of the moment, its time and its speaker."""
    page.open(call)
    address = page.run("return new URL(data.thumbs.src, location.href).href")
    for selector in ("#seek", "#chart"):
        for share in (0.02, 0.62, 0.98):
            place = page.box(selector)
            page.browser.pointer(place["x"] + share * place["width"], place["y"] + place["height"] / 2)
            page.wait("return !$('thumb').hidden", what="a thumbnail")
            found = page.run("""
                const style = document.querySelector("#thumb .picture").style;
                return [style.backgroundImage, style.backgroundPosition, box("#thumb"), box(".stage"),
                  $("thumb").textContent, data.thumbs]""")
            thumbs, time_ = found[5], share * page.run("return data.duration")
            index = min(thumbs["count"] - 1, int(time_ / thumbs["step"]))
            x, y = -(index % thumbs["columns"]) * thumbs["width"], -(index // thumbs["columns"]) * thumbs["height"]
            assert found[1] == f"{x}px {y}px", f"at {share} the picture is {found[1]}, not {x}px {y}px"
            assert found[2]["x"] >= found[3]["x"] - 1 and found[2]["right"] <= found[3]["right"] + 1, found[2:4]
            assert found[2]["width"] >= thumbs["width"] and found[2]["height"] >= thumbs["height"] + 15, found[2]
            assert found[4].startswith(f"0:{int(time_ / 1000):02}"), found[4]
    size = page.browser.wait("""
        window.probe = window.probe || Object.assign(new Image(), { src: arguments[0] });
        return probe.complete && [probe.naturalWidth, probe.naturalHeight]""", address, what="the file of thumbnails")
    rows = -(-thumbs["count"] // thumbs["columns"])
    assert size == [thumbs["columns"] * thumbs["width"], rows * thumbs["height"]], size
    page.quiet()


def check_search(page, call):
    page.open(call)
    page.click("#query")
    page.browser.type("mountains")
    page.wait("return $('hits').textContent === '3'", what="three hits")
    hits = page.run("return lines.map((line, n) => [n, line]).filter(([, l]) => /mountains/i.test(l[3])).map(([n]) => n)")
    for number, line in enumerate(hits):
        page.browser.keys("Enter")
        page.near(page.run("return lines[arguments[0]][1]", line) / 1000, f"hit {number}")
        assert page.text("#hits") == f"{number + 1} of 3", page.text("#hits")
        assert page.run("return document.querySelector(`.line[data-line='${arguments[0]}'] mark`).textContent",
                        line).lower() == "mountains"
    page.click("#hit-previous")
    assert page.text("#hits") == "2 of 3"
    page.click("#query")
    page.browser.type("x")
    page.wait("return $('hits').textContent === 'none'", what="no hit")
    page.browser.keys("Escape")
    page.wait("return $('hits').textContent === '' && !document.querySelector('mark')", what="no search")
    page.quiet()


def check_strikes(page, call, tessera, folder):
    """Checks that struck lines are skipped, and that the downloaded edit file cuts them, too."""
    page.open(call)
    page.run("""
        const make = URL.createObjectURL;
        URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved = text; }); return make(blob); };
        HTMLAnchorElement.prototype.click = () => {};""")
    assert page.run("return $('strikes').hidden")
    beside = page.run("""return [...document.querySelectorAll(".line")].every((line) => {
        const text = document.createRange(); text.selectNodeContents(line.querySelector("p"));
        const button = box(line.querySelector(".strike"));
        return box(text).right <= button.x && button.bottom <= box(line).bottom + 1; })""")
    assert beside, "a button lies over the text"
    page.click(".line[data-line='1'] .strike")
    page.wait("return document.querySelector(\".line[data-line='1']\").classList.contains('struck')", what="a struck line")
    start, end = page.run("return lines[1].slice(1, 3)")
    assert page.text("#struck").startswith("1 line struck, 0:02"), page.text("#struck")
    page.run("document.activeElement.blur()")
    page.seek(end / 1000 + 0.5)
    page.browser.keys("x")
    page.wait("return $('struck').textContent.startsWith('2 lines')", what="the key x")
    page.browser.keys("x")
    page.wait("return $('struck').textContent.startsWith('1 line')", what="the key x again")
    page.seek(start / 1000 - 0.2)
    page.click("#play")
    page.wait("return media.currentTime > arguments[0]", end / 1000, what="playing past what is struck")
    assert page.run("return media.played.length") >= 1
    page.click("#play")
    page.click("#save-edits")
    saved = page.wait("return window.saved", what="a file of edits")
    known = page.run("return data.cuts")
    hole = sum(to - from_ for from_, to, _ in known if from_ <= start)
    # At most one second of the pause after the line is cut with it.
    struck = re.search(rf"from: {(start + hole) / 1000:.3f}, to: ([0-9.]+), reason: struck", saved)
    assert struck and end + hole <= 1000 * float(struck[1]) <= end + hole + 1000, saved
    for case in json.loads(pathlib.Path("Tests/Service/PageTests/strikes.json").read_text()):
        result = page.run("""
            const { cut, mute } = Strikes.decide(
              arguments[0].lines.map(([person, start, end]) => ({ person, start, end })),
              (index) => arguments[0].lines[index][3] === 1, arguments[0].speaking, arguments[0].busy ?? []);
            return { cut, mute: Object.fromEntries(mute) };""", case)
        assert result == {"cut": case["cut"], "mute": case["mute"]}, (case["name"], result)
    for from_, to, reason in known:
        quoted = json.dumps(reason).replace('\\"', "\\u0022")
        assert f"from: {from_ / 1000:.3f}, to: {to / 1000:.3f}, reason: {quoted}" in saved, saved
    (folder / "edits.yaml").write_text(saved)
    page_calls.run(tessera, "edit", "Fixtures/call", "--edits", str(folder / "edits.yaml"), "-o",
                   str(folder / "again.yaml"), "--overwrite")
    again = (folder / "again.yaml").read_text()
    assert again.count("from:") == 1 + len(known), again
    page.click("#keep-all")
    page.wait("return $('strikes').hidden && !document.querySelector('.struck')", what="all lines kept")
    page.quiet()


def check_links(page, call):
    page.open(call, "#t=13.2")
    page.near(13.2, "the link to 13.2 s", 0.07)
    page.run("location.hash = '#t=3'")
    page.wait("return Math.abs(media.currentTime - 3) < 0.07", what="the other link")
    page.open(call, "#q=coffee")
    page.wait("return $('query').value === 'coffee' && $('hits').textContent === '1 of 1'", what="the search of a link")
    page.near(11.75, "the hit of a link", 0.25)
    page.open(call, "#t=1e999&q=%00")
    page.open(call, "#t=9.5")
    page.near(9.5, "the link to 9.5 s", 0.07)
    page.browser.keys("y")
    page.wait("return location.hash === '#t=9.5'", what="a link in the address bar")
    page.quiet()


def distance(page):
    """Returns the seconds between two positions in the lanes."""
    times = []
    for across in (0.5, 0.8):
        page.click("#chart", across)
        times.append(page.now())
    return times[1] - times[0]


def check_keys(page, call):
    """Checks that all functions have the keys that the card lists."""
    page.open(call)
    keys = page.browser.keys
    frame = page.run("return data.frame") / 1000
    turns = page.run("return data.turns")
    chapters = page.run("return data.chapters")
    page.seek(10)
    for key, wanted in (
        ("ArrowLeft", 5), ("ArrowRight", 10), ("j", 0), ("l", 10), (".", 10 + frame), (",", 10), ("Home", 10),
    ):
        keys(key)
        page.near(wanted, f"the key {key}", frame + 0.02)
    keys("n")
    page.near(next(turns[n] for n in range(1, len(turns), 3) if turns[n] > 10_010) / 1000, "the key n")
    keys("p")
    page.near([turns[n] for n in range(1, len(turns), 3) if turns[n] <= 10_010][-1] / 1000, "the key p")
    if len(chapters) > 1:
        page.seek(0.01)
        keys("]")
        page.near(next(time for time, _ in chapters if time > 11) / 1000, "the key ]")
        page.seek(chapters[1][0] / 1000 + 2)
        keys("[")
        page.near(chapters[1][0] / 1000, "the key [")
    page.seek(10)
    whole = distance(page)
    for pressed, wanted in (("+", 0.625), ("-", 1), ("++", 0.625 ** 2), ("0", 1)):
        keys(*pressed)
        found = distance(page) / whole
        assert abs(found - wanted) < 0.04, f"{pressed} shows {found:.3f} of the call, not {wanted:.3f}"
    for wanted in (True, False):
        keys("f")
        page.wait(f"return !!document.fullscreenElement === {str(wanted).lower()}", what="the key f")
    for key in (" ", "k"):
        keys(key)
        page.wait("return !media.paused", what=f"playing after {key!r}")
        keys(key)
        page.wait("return media.paused", what=f"a pause after {key!r}")
    keys(">")
    assert page.run("return media.playbackRate") == 1.25
    keys("<")
    assert page.run("return media.playbackRate") == 1
    keys("m")
    assert page.run("return media.muted")
    keys("s")
    assert page.run("return $('quiet').checked")
    keys("s")
    keys("c")
    assert page.run("return [...media.textTracks].some((track) => track.mode === 'showing')")
    assert page.run("return $('captions').selectedOptions[0].text") == "English"
    keys("c")
    assert page.run("return ![...media.textTracks].some((track) => track.mode === 'showing')")
    keys("?")
    assert page.run("return $('card').open && $('card').contains(document.activeElement)")
    keys("Escape")
    page.wait("return !$('card').open", what="a closed card")
    keys("/")
    assert page.run("return document.activeElement === $('query')")
    page.browser.type("n")
    assert page.run("return $('query').value") == "n", "keys type into the search"
    keys("Escape")
    # The Tab key visits all controls, in visual order.
    page.run("document.activeElement.blur()")
    seen = []
    for _ in range(60):
        keys("Tab")
        seen.append(page.run("const one = document.activeElement; return one === document.body ? '' : "
                             "one.id || one.classList[0] || one.tagName"))
    wanted = ["copy", "help", "play", "previous", "next", "speed", "quiet", "captions", "seek", "zoom-out", "zoom-in",
              "zoom-all", "chart", "tab-transcript", "query", "hit-previous", "hit-next", "line"]
    seen = seen[seen.index("skip"):]
    places = [seen.index(one) if one in seen else -1 for one in wanted]
    assert -1 not in places, f"the tabulator passes over {wanted[places.index(-1)]}: {seen}"
    assert places == sorted(places), f"the tabulator goes another way: {seen}"
    page.run("$('seek').focus()")
    keys("End")
    page.near(page.run("return data.duration") / 1000, "the key End", 0.1)
    keys("Home")
    page.near(0, "the key Home", 0.1)
    page.run("$('tab-transcript').focus()")
    keys("ArrowRight")
    assert page.run("return document.activeElement.id === 'tab-chapters' && !$('chapters').hidden")
    page.quiet()


def check_lines(page, call):
    """Checks that the transcript is one Tab stop, in which arrows move and Enter plays."""
    page.open(call)
    keys = page.browser.keys
    here = "const one = document.activeElement; return one.matches('.line') ? Number(one.dataset.line) : one.id"
    page.run("$('hit-next').focus()")
    keys("Tab")
    assert page.run(here) == 0, page.run(here)
    last = page.run("return lines.length") - 1
    for key, wanted in (("ArrowDown", 1), ("ArrowDown", 2), ("ArrowUp", 1), ("End", last), ("ArrowDown", last),
                        ("Home", 0), ("ArrowUp", 0), ("ArrowDown", 1), ("ArrowDown", 2)):
        keys(key)
        assert page.run(here) == wanted, f"{key} moves to {page.run(here)}, not to {wanted}"
        assert page.run("""const [one, list] = [box(document.activeElement), box("#lines")];
            return one.y >= list.y - 1 && one.bottom <= list.bottom + 1"""), f"the line after {key} is not in view"
        assert page.run("return document.querySelectorAll('.line[tabindex=\"0\"]').length") == 1
        assert page.run("return getComputedStyle(document.activeElement).outlineStyle") == "solid", "the focus is not seen"
    assert page.now() < 0.1, "moving through the lines moves the playhead"
    keys("Enter")
    page.wait("return !media.paused && media.currentTime > lines[2][1] / 1000", what="playing from a line")
    keys(" ")
    page.wait("return media.paused", what="a pause in the transcript")
    page.near(page.run("return lines[2][1]") / 1000, "Enter in the transcript", 2)
    keys("ArrowDown")
    assert page.run(here) == page.run("return lines.findLastIndex((one) => one[1] <= 1000 * media.currentTime + 1)") + 1
    # The focused element stays in the document at any scroll position.
    there = page.run(here)
    page.run("$('lines').scrollTop = 1e9")
    page.wait("return document.querySelector(`.line[data-line='${lines.length - 1}']`)", what="the last line")
    assert page.run(here) == there, "the focus is lost"
    page.quiet()


def reopen(page, call, turned):
    """Opens the page again until it has the stored setting, which another process of a busy browser may read late."""
    end = time.monotonic() + 10
    while time.monotonic() < end:
        page.open(call)
        if page.run("return $('letters').checked") == (turned == "on"):
            return
        time.sleep(0.2)
    raise AssertionError(f"the page has not stored that keys are {turned}")


def check_letters(page, call):
    """WCAG 2.2, 2.1.4: single-letter keys can be turned off, and the setting is stored."""
    page.open(call)
    page.run("localStorage.clear()")
    try:
        for turned in ("off", "on"):
            page.click("#help")
            page.wait("return $('card').open", what="an open card")
            page.click("#letters")
            page.wait("return $('letters').checked === arguments[0]", turned == "on", what=f"keys turned {turned}")
            page.browser.keys("Escape")
            page.wait("return !$('card').open", what="a closed card")
            reopen(page, call, turned)
            page.seek(10)
            for key in ("l", ".", "n", "0", "?", "k"):
                page.browser.keys(key)
            hasObeyed = page.run("return !media.paused || $('card').open || media.currentTime > 10.001")
            assert hasObeyed == (turned == "on"), f"keys are not {turned}"
            page.browser.keys("Escape")
            page.run("media.pause()")
            page.seek(10)
            page.browser.keys("ArrowLeft")
            page.near(5, "the left arrow")
            page.run("document.activeElement.blur()")
            page.browser.keys(" ")
            page.wait("return !media.paused", what="playing by the space bar")
            page.browser.keys(" ")
    finally:
        page.run("localStorage.clear()")
    page.quiet()


def check_viewers(page, call):
    """Checks that viewers see no editing functions, and a legend of the existing items only."""
    page.open(call)
    page.seek(6)
    page.browser.keys("x")
    found = page.run("""return [document.querySelectorAll(".strike, .struck").length, $("strikes").hidden, data.cuts ?? null,
        $("card").textContent.includes("strike"), [...document.querySelectorAll(".legend li")]
          .filter((one) => one.checkVisibility()).map((one) => one.textContent)]""")
    assert found[:4] == [0, True, None, False], found
    wanted = page.run("""return ["present", "camera", "microphone", "speaking", "screen", "lost"]
        .filter((kind) => data.people.some((one) => one[kind].length))""")
    if "speaking" in wanted:
        wanted.insert(wanted.index("speaking") + 1, "has the floor")
    assert found[4] == wanted, f"the legend is {found[4]}, not {wanted}"
    page.quiet()


def check_varied(page, call):
    """Checks that all captions can be selected, and that slides are not a person."""
    page.open(call)
    assert page.run("return [document.querySelector('h1').textContent, document.title]") == ["A title of its own"] * 2
    assert page.text("#facts").endswith(f"{len({who for who, *_ in page_calls.SPOKEN})} people"), page.text("#facts")
    assert page.run("return document.querySelector('#names li:last-child button').textContent") == "Slides"
    page.click("#names li:last-child button")
    page.near(4, "the slides")
    assert page.run("return document.querySelector('.legend .screen').checkVisibility()"), "the legend has no screen"
    choices = page.run("return [...$('captions').options].map((one) => one.text)")
    assert choices == ["off", "English", "German", "Brasil", "Captions"], choices
    assert page.run("return [...media.textTracks].map((one) => one.language)") == ["en", "de", "pt", "und"]
    showing = "return [...media.textTracks].map((one) => one.mode === 'showing' ? 1 : 0).join('')"
    for number, wanted in enumerate(("0000", "1000", "0100", "0010", "0001")):
        page.run("$('captions').selectedIndex = arguments[0]; $('captions').dispatchEvent(new Event('change'))", number)
        assert page.run(showing) == wanted, page.run(showing)
    page.browser.keys("c")
    assert page.run(showing) == "0000"
    page.browser.keys("c")
    assert page.run(showing) == "0001", "the key c does not show what was chosen last"
    page.run("media.textTracks[3].mode = 'disabled'; media.textTracks[1].mode = 'showing'")
    page.wait("return $('captions').selectedOptions[0].text === 'German'", what="what the browser's controls chose")
    page.quiet()


def check_trouble(page, folder, call):
    """Checks the messages for sound without a picture, and for a missing file."""
    page.open(call)
    video = folder / urllib.parse.unquote(page.run("return data.media.src"))
    assert page.run("return $('trouble').hidden")
    away = folder / f"away{video.suffix}"
    video.rename(away)
    try:
        shown = "return !$('trouble').hidden && $('trouble').checkVisibility() && $('trouble').textContent"
        page.browser.open("about:blank")
        page.browser.open(page.address)
        said = page.wait(shown, what="a sentence of the missing file")
        assert "missing" in said and video.name in said, said
        page_calls.run("ffmpeg", "-v", "error", "-i", str(away), "-map", "0:a", "-c", "copy", str(video))
        page.open(call)
        said = page.wait(shown, what="a sentence of the missing picture")
        assert "cannot show the picture" in said, said
    finally:
        away.replace(video)
    page.open(call)
    assert page.run("return $('trouble').hidden")
    page.browser.errors()


def check_zoom(page, call, screenshots):
    """Checks that at 400 %, a window of 1280 by 1024 or 720 shows at least eight lines of the transcript."""
    for height in (256, 180):
        page.browser.resize(320, height)
        page.open(call, "#t=14.9")
        page.now()
        page.run("$('lines').scrollIntoView({ block: 'end' })")
        rows = page.run("""
            const list = box("#lines"); const rows = [];
            const [top, bottom] = [Math.max(0, list.y), Math.min(innerHeight, list.bottom)];
            for (const line of document.querySelectorAll(".line")) {
              const text = document.createRange(); text.selectNodeContents(line);
              for (const one of text.getClientRects())
                if (one.width > 1 && one.top >= top - 1 && one.bottom <= bottom + 1) rows.push(one.bottom);
            }
            return rows.sort((a, b) => a - b).filter((bottom, place) => !(bottom - rows[place - 1] < 8)).length""")
        if screenshots:
            name = f"{page.browser.name.lower()}-zoom-{height}.png"
            (screenshots / name).write_bytes(page.browser.screenshot())
        assert rows >= 8, f"320 by {height} shows {rows} lines"
        found = page.run(LAYOUT)
        assert found["width"] <= 320 and not found["outside"], f"at 320 px something is outside: {found['outside']}"
    page.browser.resize(1440, 900)
    page.quiet()


def check_forced_colors(page, call, screenshots):
    """Checks that with forced colors, the selected tab, the active line and the legend stay visible."""
    for scheme in ("light", "dark"):
        page.browser.media(forced_colors="active", prefers_color_scheme=scheme)
        page.open(call, "#t=14.9")
        page.now()
        page.wait("return document.querySelector('.line.active')", what="an active line")
        found = page.run("""
            const ground = (one, part) => getComputedStyle(one, part).backgroundColor;
            const tabs = [...document.querySelectorAll("[role=tab]")].filter((one) => !one.hidden);
            const all = [...document.querySelectorAll(".line")];
            const legend = [...document.querySelectorAll(".legend li:not([hidden])")].filter((one) => one.checkVisibility());
            return { forced: matchMedia("(forced-colors: active)").matches,
              tabs: [...new Set(tabs.map((one) => [one.getAttribute("aria-selected"), ground(one)].join()))],
              lines: [...new Set(all.map((one) => [one.classList.contains("active"), ground(one)].join()))],
              legend: legend.map((one) => getComputedStyle(one, "::before").backgroundImage + ground(one, "::before")),
              sheet: ground(document.querySelector(".lane-box")) }""")
        assert found["forced"], "the browser forces no colors"
        for name in ("tabs", "lines"):
            grounds = dict(one.split(",", 1) for one in found[name])
            assert len(found[name]) == 2 and grounds["true"] != grounds["false"], f"{name} in {scheme}: {found[name]}"
        assert len(set(found["legend"])) == len(found["legend"]) > 3, f"the legend in {scheme}: {found['legend']}"
        weak = page.run(CONTRAST)
        assert not weak, f"the contrast is too low in {scheme}: {weak}"
        if screenshots:
            name = f"{page.browser.name.lower()}-forced-{scheme}.png"
            (screenshots / name).write_bytes(page.browser.screenshot())
    page.browser.media()
    page.quiet()


def check_plain(page, call, long, screenshots):
    """Checks that without scripts there are the player, the names and a short transcript, or else a message."""
    browser = page.browser
    browser.cdp("Emulation.setScriptExecutionDisabled", value=True)
    try:
        for shown, wanted, unwanted in (
            (call, ("Farid Rahimi", "Then take the coast path", "Ben Lindqvist"), "Turn on scripts"),
            (long, ("Person 7", "Turn on scripts to read the transcript, which has 30000 lines."), "the next thing"),
        ):
            browser.open(f"{page.origin}/{urllib.parse.quote(shown.name)}")
            tree = browser.tree()
            text = " ".join(one[1] for one in tree if one[0] == "StaticText")
            for words in wanted:
                assert words in text, f"{words!r} is not in the page without scripts: {text[:2000]}"
            assert unwanted not in text, text[:2000]
            roles = [one[0] for one in tree]
            assert "Video" in roles and "tablist" not in roles and "slider" not in [
                one[0] for one in tree if one[1] == "Position"], roles
            assert [one[1] for one in tree if one[0] == "heading"][1:] == ["People", "Transcript"]
            assert not browser.errors()
            if screenshots and shown == call:
                (screenshots / f"{browser.name.lower()}-plain.png").write_bytes(browser.screenshot())
    finally:
        browser.cdp("Emulation.setScriptExecutionDisabled", value=False)


def check_steps(page, call):
    """Checks that everything stays in sync after seeks in both directions."""
    page.open(call)
    duration = page.run("return data.duration") / 1000
    source = random.Random(3)
    for time_ in [duration - 0.2, 0.3] + [source.uniform(0.1, duration - 0.1) for _ in range(10)]:
        page.seek(time_)
        page.wait("return Math.abs(Number($('seek').getAttribute('aria-valuenow')) - media.currentTime) <= 0.51")
        page.wait("""
            const now = 1000 * media.currentTime + 1;
            const line = lines.findLastIndex((one) => one[1] <= now);
            const chapter = data.chapters.findLastIndex((one) => one[0] <= now);
            const active = document.querySelector(".line.active");
            const current = [...document.querySelectorAll("#chapters button")]
              .findIndex((one) => one.getAttribute("aria-current") === "true");
            if (Number(active?.dataset.line ?? -1) !== line || current !== chapter) return false;
            // The active line is in view.
            const [outer, inner] = [box("#lines"), active && box(active)];
            return !inner || (inner.y >= outer.y - 1 && inner.bottom <= outer.bottom + 1);""",
            what=f"the line and chapter at {time_:.2f} s")
        # The playhead is drawn at the current time: a column of one color on both canvases.
        page.wait("""
            const share = 1000 * media.currentTime / Math.max(1, data.duration);
            return ["#seek canvas", "#chart canvas"].every((name) => {
              const canvas = document.querySelector(name), context = canvas.getContext("2d");
              const column = Math.min(canvas.width - 1, Math.round(share * canvas.width));
              const tall = canvas.height - 2;
              const dark = matchMedia("(prefers-color-scheme: dark)").matches;
              return [-2, -1, 0, 1, 2].some((by) => {
                const x = Math.max(0, Math.min(canvas.width - 1, column + by));
                const pixels = context.getImageData(x, 1, 1, tall).data;
                for (let place = 0; place < pixels.length; place += 4) {
                  const light = (pixels[place] + pixels[place + 1] + pixels[place + 2]) / 3;
                  if (pixels[place + 3] < 120 || (dark ? light < 150 : light > 110)) return false;
                }
                return true;
              });
            });""", what=f"the playhead at {time_:.2f} s")
    page.quiet()


LAYOUT = """
const shown = [...document.querySelectorAll("button, select, input, .line, .seek, .chart, h1, h2, video")]
  .filter((one) => one.checkVisibility() && !one.closest(".unseen, .skip, dialog"));
const inside = shown.filter((one) => { const b = box(one); return b.x < -0.5 || b.right > innerWidth + 0.5; });
const buttons = shown.filter((one) => one.matches("button, select") && !one.closest(".names"));
return {
  width: document.documentElement.scrollWidth, view: innerWidth, outside: inside.map((one) => one.id || one.className),
  small: buttons.filter((one) => box(one).height < (innerWidth <= 600 ? 40 : 24)).map((one) => one.id),
  stage: box(".stage"), side: box(".side"), lanes: box(".lanes"), player: box("#player video"), bar: box(".bar"),
  seek: box("#seek"), chart: box("#chart"), names: box("#names"), top: box(".top"),
  ground: getComputedStyle(document.body).backgroundColor,
  lane: data.people.length * 34 + 24,
};"""


def check_layout(page, call, width, dark, screenshots):
    height = {390: 844, 820: 1180, 1440: 1300}[width]
    page.browser.resize(width, height)
    page.browser.media(prefers_color_scheme="dark" if dark else "light")
    page.open(call, "#t=14.9")
    page.now()
    where = f"at {width} px in {'dark' if dark else 'light'}"
    found = page.run(LAYOUT)
    stage, side, lanes = found["stage"], found["side"], found["lanes"]
    assert found["width"] <= found["view"] and not found["outside"], f"{where} something is outside: {found['outside']}"
    assert not found["small"], f"{where} controls are too small to touch: {found['small']}"
    level = sum(int(part) for part in re.findall(r"\d+", found["ground"])[:3]) / 3
    assert level < 40 if dark else level > 230, f"{where} the ground is {found['ground']}"
    if width > 1000:
        assert side["x"] >= stage["right"] and abs(side["y"] - 12) < stage["y"] and lanes["y"] >= stage["bottom"], where
        assert lanes["y"] - stage["bottom"] < 40, f"{where} the lanes are far below the player"
        assert abs(stage["x"] - lanes["x"]) < 1 and abs(stage["width"] - lanes["width"]) < 1, where
        assert 320 <= side["width"] <= 0.32 * width and side["height"] >= 420, f"{where}: {side}"
    else:
        assert stage["bottom"] <= side["y"] + 1 and side["bottom"] <= lanes["y"] + 1, f"{where} parts overlap"
        assert all(abs(part["width"] - stage["width"]) < 1 for part in (side, lanes)), where
    player = found["player"]
    assert abs(player["width"] / player["height"] - 16 / 9) < 0.05 or player["height"] <= 0.69 * height, f"{where}: {player}"
    assert abs(player["width"] - stage["width"]) < 1, f"{where} the player is as wide as its place"
    assert player["bottom"] <= found["bar"]["y"] + 1 and found["bar"]["bottom"] <= found["seek"]["y"] + 1, where
    assert abs(found["chart"]["height"] - found["lane"]) < 1, f"{where} a lane for each person"
    assert abs(found["names"]["y"] - found["chart"]["y"]) < 1 and found["names"]["right"] <= found["chart"]["x"] + 1, where
    check_contrast(page, where)
    if screenshots:
        name = f"{page.browser.name.lower()}-{width}-{'dark' if dark else 'light'}.png"
        (screenshots / name).write_bytes(page.browser.screenshot())


CONTRAST = """
const parse = (text) => { const n = text.match(/[\\d.]+/g).map(Number); return n.length < 4 ? [...n, 1] : n; };
const part = (c) => { c /= 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
const light = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
const over = (top, under) => [0, 1, 2].map((n) => top[n] * top[3] + under[n] * (1 - top[3]));
const ground = (one) => { const layers = [];
  for (let at = one; at; at = at.parentElement) layers.push(parse(getComputedStyle(at).backgroundColor));
  return layers.reverse().reduce((under, layer) => over(layer, under), [255, 255, 255]); };
const texts = [...document.querySelectorAll("body *")].filter((one) => one.checkVisibility()
  && !one.matches("option, script") && !one.closest(".unseen, .skip, video")
  && [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
return texts.map((one) => { const under = ground(one);
  const [a, b] = [light(over(parse(getComputedStyle(one).color), under)), light(under)];
  return [one.id || one.className || one.tagName, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)]; })
  .filter(([, ratio]) => ratio < 4.5);"""


def check_contrast(page, where):
    """WCAG 2.2, 1.4.3: text has a contrast of 4.5 to 1, also in each panel and in the card."""
    for open_ in ("$('tab-chapters').click()", "$('card').showModal()", "$('card').close()", "$('tab-transcript').click()"):
        page.run(open_)
        weak = page.run(CONTRAST)
        assert not weak, f"{where} the contrast is too low: {weak}"


# The required content of the accessibility tree: roles with their names.
TREE = [
    ("banner", ""), ("main", ""), ("region", "Player"), ("region", "People"), ("heading", None),
    ("group", "Playback"), ("button", "Play"), ("button", "Previous turn"), ("button", "Next turn"),
    ("combobox", "Speed"), ("checkbox", "Skip silence"), ("combobox", "Captions"), ("slider", "Position"),
    ("button", "Copy link"), ("button", "Keys ?"), ("button", "Zoom in"), ("button", "Zoom out"), ("button", "All"),
    ("list", ""), ("tablist", "About the call"), ("tab", "Transcript"), ("tab", "Chapters"),
    ("tabpanel", "Transcript"), ("search", ""), ("searchbox", "Search the transcript"), ("button", "Next hit"),
    ("button", "Previous hit"), ("feed", "Transcript"), ("article", None), ("link", "Skip to the player"),
    ("status", ""),
]


def check_accessibility(page, call):
    page.open(call)
    page.seek(5.5)
    tree = page.browser.tree()
    for role, name in TREE:
        found = [one for one in tree if one[0] == role and (name is None or one[1] == name)]
        assert found, f"the accessibility tree has no {role} {name!r}: " + str([one[:2] for one in tree if one[0] == role])
    nameless = [one for one in tree if one[0] in
                ("button", "link", "tab", "slider", "checkbox", "combobox", "searchbox", "tabpanel") and not one[1]]
    # A video's own controls belong to the browser.
    assert not nameless, f"nameless: {nameless}"
    slider = next(one for one in tree if one[:2] == ("slider", "Position"))
    assert slider[2]["value"] == 6 and slider[2]["valuemax"] == 24, slider
    assert page.run("return $('seek').getAttribute('aria-valuetext')") == "0:05 of 0:24"
    levels = [one[2].get("level") for one in tree if one[0] == "heading"]
    assert levels[0] == 1 and levels.count(1) == 1 and all(level <= 2 for level in levels), levels
    selected = [one[1] for one in tree if one[0] == "tab" and one[2].get("selected")]
    assert selected == ["Transcript"], selected
    described = page.run("""return [...document.querySelectorAll("#names button")].every((one) =>
        /spoke for .* of all speech/.test($(one.getAttribute("aria-describedby")).textContent))""")
    assert described, "each lane says in words what it shows"
    ids = page.run("const all = [...document.querySelectorAll('[id]')].map((one) => one.id); return all.length - new Set(all).size")
    assert ids == 0, "identifiers are there twice"
    assert page.run("return document.documentElement.lang") == "en"
    page.browser.media(prefers_reduced_motion="reduce")
    assert page.run("return getComputedStyle($('play')).transitionDuration") in ("0s", ""), "motion is reduced"
    page.browser.media()
    page.quiet()


def check_policy(page, call):
    """Checks that only the page's own script and style run."""
    page.open(call)
    page.quiet()
    page.run("""
        const script = document.createElement("script"); script.textContent = "window.hit = 1";
        const frame = document.createElement("div"); frame.innerHTML = "<img src=https://example.org/ onerror='window.hit=1'>";
        const style = document.createElement("style"); style.textContent = "body { color: rgb(1, 2, 3) }";
        document.body.append(script, frame, style);""")
    time.sleep(0.1)
    assert page.run("return window.hit === undefined && getComputedStyle(document.body).color !== 'rgb(1, 2, 3)'")
    page.browser.errors()


def check_index(page, index):
    """Checks that a list of calls finds calls by title and people, and links their pages."""
    page.browser.resize(820, 1000)
    page.browser.open("about:blank")
    page.browser.errors()
    page.browser.open(f"{page.origin}/{index.name}")
    run = page.browser.script
    count = "return document.querySelectorAll('#calls li').length"
    assert run(count) == 2
    assert run("return getComputedStyle(document.querySelector('.poster div')).backgroundImage").startswith("url(")
    page.browser.keys("/")
    page.browser.type("okafor")
    assert run(count) == 1 and "1 call" in run("return document.querySelector('#facts').textContent")
    page.browser.keys("Escape")
    assert run(count) == 2
    assert run("return window.hit === undefined"), "a script of a title ran"
    assert not page.browser.errors()
    run("document.querySelector('#query').blur(); document.querySelector('#calls a').focus()")
    page.browser.keys("Enter")
    page.browser.wait("return document.querySelector('video') && document.querySelector('video').readyState >= 1",
                      what="the call's page")


def check_hostile(page, call):
    """Checks that text from recordings stays text."""
    page.open(call)
    page.click("#play")
    page.wait("return media.currentTime > 1", what="playing with hostile captions")
    page.run("media.pause(); if (!$('captions').value) { $('captions').selectedIndex = 1; "
             "$('captions').dispatchEvent(new Event('change')); }")
    count = page.run("return data.people.length")
    assert count >= 50
    for tab in ("notes", "chapters", "transcript"):
        page.run("document.getElementById('tab-' + arguments[0]).click()", tab)
    for place in range(0, 10_001, 500):
        page.run("const l = $('lines'); l.scrollTop = l.scrollHeight * arguments[0] / 10000", place)
    page.run("dispatchEvent(new Event('beforeprint'))")
    printed = page.run("return document.querySelectorAll('#print p').length === lines.length")
    assert printed
    page.run("dispatchEvent(new Event('afterprint'))")
    page.click("#query")
    page.browser.type("<script>")
    page.wait("return Number($('hits').textContent) > 5", what="hits among hostile text")
    assert page.run("""
        const own = new Set(["data", null]);
        return window.hit === undefined && document.scripts.length === 2 && document.styleSheets.length === 1
          && document.querySelectorAll("iframe, object, embed, img, base, link:not([rel=icon]), main form:not(#search)").length === 0
          && document.title === data.title
          && [...document.querySelectorAll("#names button")].every((one, n) => one.textContent.slice(0, 200) === data.people[n].name.slice(0, 200)
             && one.getBoundingClientRect().height < 60);"""), "hostile text does something"
    wide = page.run("return [document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1], f"hostile text is wider than the page: {wide}"
    page.quiet()


def check_print(page, call):
    page.open(call)
    page.run("dispatchEvent(new Event('beforeprint'))")
    page.browser.media("print")
    found = page.run("return [box('#print').height, getComputedStyle(document.querySelector('main')).display, "
                     "$('print').innerText]")
    page.browser.media()
    assert found[0] > 100 and found[1] == "none", found
    for words in ("Ben Lindqvist: I vote for the mountains", "People\n", "Ben Lindqvist: spoke for ", "Chapters\n",
                  "0:00 " + page.run("return data.chapters[0][1]")):
        assert words in found[2], f"{words!r} is not printed: {found[2]}"
    # The page shows the same lengths as the paper, to the nearest second.
    shown = page.run("return [...$('names').children].map((one) => one.children[2].textContent)")
    printed = re.findall(r"spoke for (\d+) s", found[2])
    assert [str(int(text[2:4])) for text in shown] == printed, f"{shown} are not {printed}"


def busy(page):
    """Returns the time of scripts, styles and layouts so far in seconds, if the browser reports it."""
    if not hasattr(page.browser, "cdp"):
        return 0
    page.browser.cdp("Performance.enable")
    found = {one["name"]: one["value"] for one in page.browser.cdp("Performance.getMetrics")["metrics"]}
    return found["ScriptDuration"] + found["RecalcStyleDuration"] + found["LayoutDuration"]


def measure_big(page, call):
    """Measures the cost of three hours with 40 people, without limits, because machines differ."""
    page.browser.resize(1440, 900)
    page.open(call)
    ready = page.run("""
        const [entry] = performance.getEntriesByType("navigation");
        return [entry.domContentLoadedEventEnd, entry.transferSize || document.documentElement.outerHTML.length]""")
    inside = page.run("return [document.querySelectorAll('.line').length, lines.length, document.querySelectorAll('*').length]")
    bytes_ = page.run("""
        const count = (text) => new TextEncoder().encode(text).length;
        return [count($("data").textContent), count(data.lines.map((line) => line[3]).join(""))]""")
    assert bytes_[0] <= 1.3 * bytes_[1] + 100_000, f"{bytes_[0]} bytes of data for {bytes_[1]} of text"
    assert inside[0] < 60 and inside[1] == 30_000, f"lines outside the view are in the document: {inside}"
    page.run("""
        window.frames_ = []; window.long = [];
        new PerformanceObserver((found) => long.push(...found.getEntries().map((one) => one.duration)))
          .observe({ type: "longtask" });
        let last = performance.now(); const list = $("lines"); let count = 0;
        const step = (now) => { frames_.push(now - last); last = now; list.scrollTop += count % 50 === 49 ? 40000 : 160;
          if (++count < 240) requestAnimationFrame(step); else window.scrolled = true; };
        requestAnimationFrame((now) => { last = now; requestAnimationFrame(step); });""")
    work = busy(page)
    page.wait("return window.scrolled", what="scrolling")
    work = 1000 * (busy(page) - work) / 240
    frames = sorted(page.run("return frames_"))
    search = page.run("""
        const start = performance.now(); $("query").value = "matters"; $("query").dispatchEvent(new Event("input"));
        const first = performance.now() - start; return [first, $("hits").textContent]""")
    assert page.run("return document.querySelectorAll('.line').length") < 60
    print(f"test-page: 30,000 lines, 6,000 turns, 40 people: {ready[0]:.0f} ms until it is there, {inside[0]} lines and "
          f"{inside[2]} elements in the document; scrolling: {work:.1f} ms of work a frame, a frame in {frames[len(frames) // 2]:.1f} ms, the longest "
          f"{frames[-1]:.1f} ms, {len(page.run('return long'))} tasks over 50 ms; the first search {search[0]:.0f} ms, {search[1]} hits")
    page.quiet()


def look(name, check, *arguments):
    start = time.monotonic()
    try:
        check(*arguments)
    except AssertionError as error:
        print(f"test-page: FAILED: {name}: {error or 'the check ' + check.__name__}", file=sys.stderr)
        return False
    print(f"test-page: {name} ({time.monotonic() - start:.1f} s)", flush=True)
    return True


def scenario(browser, folder, options):
    ending = "mp4" if browser.script("return document.createElement('video').canPlayType("
                                     "'video/mp4; codecs=\"avc1.640028, mp4a.40.2\"')") else "webm"
    call, _, report = page_calls.demo(options.tessera, folder, ending)
    hostile = page_calls.page_of(options.tessera, page_calls.hostile(report), folder, "hostile")
    editors = ("--page-for", "editors")
    editing = page_calls.page_of(options.tessera, report, folder, "editing", *editors)
    cut = page_calls.page_of(options.tessera, dict(report, cuts=[
        {"from": 1, "to": 1.5, "reason": "a \"pause\": long"}, {"from": 20, "to": 21, "reason": "cut"}]), folder, "cut",
        *editors)
    varied = page_calls.page_of(
        options.tessera, page_calls.varied(report), folder, "varied", "--title", "A title of its own")
    long = page_calls.page_of(options.tessera, page_calls.big(report), folder, "long")
    isChromium = browser.name == "Chromium"
    good = []
    with server(folder) as address:
        disk, web = Page(browser, folder, f"file://{folder}"), Page(browser, folder, address)
        for place, page in (("from disk", disk), ("from a server", web)):
            good += [look(f"plays {place}", check_playing, page, call),
                     look(f"follows links {place}", check_links, page, call),
                     look(f"lets nothing else run {place}", check_policy, page, call),
                     look(f"shows hostile text as text {place}", check_hostile, page, hostile)]
        index = folder / "index.html"
        page_calls.run(options.tessera, "page", str(call), str(hostile), "-o", str(index))
        good += [look("lists calls from disk", check_index, disk, index),
                 look("lists calls from a server", check_index, web, index)]
        if options.screenshots:
            browser.open(f"file://{index}")
            (options.screenshots / f"{browser.name.lower()}-index.png").write_bytes(browser.screenshot())
        good += [look("seeks where it is clicked", check_clicks, disk, call),
                 look("shows what is under the pointer", check_thumbnails, disk, call),
                 look("finds words", check_search, disk, call), look("obeys the keyboard", check_keys, disk, call),
                 look("obeys the keyboard in the transcript", check_lines, disk, call),
                 look("turns keys of single letters off", check_letters, disk, call),
                 look("shows viewers what is there", check_viewers, disk, call),
                 look("has captions in all languages", check_varied, disk, varied),
                 look("says what cannot be played", check_trouble, disk, folder, call),
                 look("strikes lines", check_strikes, disk, editing, options.tessera, folder),
                 look("strikes lines of a call that is cut", check_strikes, disk, cut, options.tessera, folder),
                 look("keeps everything in step", check_steps, disk, call)]
        for width in (390, 820, 1440) if isChromium else (820, 1440):
            for dark in (False, True):
                good.append(look(f"has its parts in place at {width} px, {'dark' if dark else 'light'}", check_layout,
                                 disk, call, width, dark, options.screenshots))
        browser.media()
        if isChromium:
            good += [look("says in words what it shows", check_accessibility, disk, call),
                     look("prints people, chapters and transcript", check_print, disk, call),
                     look("is read at 400 %", check_zoom, disk, call, options.screenshots),
                     look("keeps to forced colors", check_forced_colors, disk, call, options.screenshots),
                     look("plays and is read without scripts", check_plain, disk, call, long, options.screenshots)]
        if options.big:
            good.append(look("is quick with a long call", measure_big, disk, long))
            if options.screenshots:
                (options.screenshots / f"{browser.name.lower()}-long.png").write_bytes(browser.screenshot())
    return all(good)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--browser", choices=sorted(BROWSERS), default="chromium")
    parser.add_argument("--tessera", required=True)
    parser.add_argument("--screenshots", type=pathlib.Path)
    parser.add_argument("--big", action="store_true")
    options = parser.parse_args()
    missing = BROWSERS[options.browser].missing()
    if missing:
        print(f"test-page: skipped: {missing}.", file=sys.stderr)
        return 0
    if options.screenshots:
        options.screenshots.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="tessera-page-") as folder:
        browser = BROWSERS[options.browser]()
        try:
            return 0 if scenario(browser, pathlib.Path(folder).resolve(), options) else 1
        finally:
            browser.close()


if __name__ == "__main__":
    sys.exit(main())
