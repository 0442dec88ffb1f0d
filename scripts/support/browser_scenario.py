"""The scenario of scripts/test-browsers: records pages that draw a counter, renders them, and reads the counter."""

import argparse
import base64
import json
import pathlib
import subprocess
import sys
import tempfile

from page_browser import Chromium

# The canvas size, and the number of the counter's bits: a row of bits, and below it a row of their complements.
WIDTH, HEIGHT, BITS = 320, 180, 12
LEFT, STEP, TOP, BOTTOM, SIDE = 10, 25, 10, 60, 24
# Counts per second, and the tolerance in counts between a frame and the page's log: the recorder's delay.
RATE, NEAR = 10, 3
# Frames at either side of a change, in which the change may appear early or late.
AROUND = 4
# The luma limit of black, and the permitted mean difference of cards: H.264's noise.
BLACK, LIKE = 40, 4

PAGE = """<!doctype html><meta charset="utf-8"><title>counter</title><canvas id="canvas"></canvas><script>
const canvas = document.getElementById("canvas");
const wait = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));

/// Draws `count` over the whole canvas, as bits and as digits.
function draw(context, count) {
  const scale = canvas.width / %(WIDTH)d;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.fillStyle = "#224488";
  context.fillRect(0, 0, %(WIDTH)d, %(HEIGHT)d);
  for (let bit = 0; bit < %(BITS)d; bit++) {
    const isSet = count >> bit & 1;
    context.fillStyle = isSet ? "#fff" : "#000";
    context.fillRect(%(LEFT)d + %(STEP)d * bit, %(TOP)d, %(SIDE)d, %(SIDE)d);
    context.fillStyle = isSet ? "#000" : "#fff";
    context.fillRect(%(LEFT)d + %(STEP)d * bit, %(BOTTOM)d, %(SIDE)d, %(SIDE)d);
  }
  context.fillStyle = "#fff";
  context.font = "60px sans-serif";
  context.fillText(count, 110, 160);
}

/// Records the canvas and a tone for `seconds`, as `type`. `changes` are [seconds, what], in order: "off" and "on"
/// of the track, "still" from which nothing is drawn, "size" from which the canvas is larger. Calls back with the
/// bytes, and with [milliseconds, what] of all that happened since the recorder started.
async function record(type, seconds, changes) {
  [canvas.width, canvas.height] = [%(WIDTH)d, %(HEIGHT)d];
  const context = canvas.getContext("2d"), log = [], parts = [];
  const sound = new AudioContext(), tone = sound.createOscillator(), output = sound.createMediaStreamDestination();
  tone.connect(output);
  tone.start();
  const pictures = canvas.captureStream(%(RATE)d).getVideoTracks()[0];
  const stream = new MediaStream([pictures, ...output.stream.getAudioTracks()]);
  const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: 2000000 });
  let count = 0, isStill = false, start = performance.now();
  const note = (what) => log.push([performance.now() - start, what]);
  const timer = setInterval(() => {
    if (isStill) return;
    draw(context, count);
    note(count++);
  }, 1000 / %(RATE)d);
  await wait(1);
  const stopped = new Promise((done) => recorder.onstop = done);
  recorder.ondataavailable = (event) => parts.push(event.data);
  const started = new Promise((done) => recorder.onstart = done);
  recorder.start();
  await started;
  start = performance.now();
  log.length = 0;
  for (const [at, what] of changes) {
    await wait(at - (performance.now() - start) / 1000);
    if (what == "off" || what == "on") pictures.enabled = what == "on";
    if (what == "still") isStill = true;
    if (what == "size") [canvas.width, canvas.height] = [2 * %(WIDTH)d, 2 * %(HEIGHT)d];
    note(what);
  }
  await wait(seconds - (performance.now() - start) / 1000);
  recorder.stop();
  await stopped;
  clearInterval(timer);
  sound.close();
  pictures.stop();
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return { data: btoa(text), log };
}
</script>""" % globals()


class Failure(Exception):
    """A render that differs from the page's drawing."""


class Case:
    """One recording: its kind, and its folder."""

    def __init__(self, browser, options, folder, name, type, seconds, changes):
        self.options, self.name, self.folder = options, name, folder / name
        self.folder.mkdir(parents=True, exist_ok=True)
        browser.script(
            "window.recorded = window.failed = null;"
            "record(...arguments).then((it) => window.recorded = it, (error) => window.failed = String(error));",
            type, seconds, changes)
        browser.wait("return window.recorded || window.failed;", seconds=seconds + 30, what="the recording")
        failed = browser.script("return window.failed;")
        if failed:
            raise Failure(f"the page could not record: {failed}")
        recorded = browser.script("return window.recorded;")
        self.log = recorded["log"]
        self.file = self.folder / ("ada.mp4" if "mp4" in type else "ada.webm")
        self.file.write_bytes(base64.b64decode(recorded["data"]))
        (self.folder / "log.json").write_text(json.dumps(self.log))

    def render(self, *options, source=None, name="render"):
        """Renders the recording and returns the luma of each frame, and the exit code."""
        output = self.folder / f"{name}.mp4"
        done = subprocess.run(
            [self.options.tessera, "render", str(source or self.file), "-o", str(output), "--overwrite", "--size",
             f"{WIDTH}x{HEIGHT}", "--fps", str(RATE), "--names", "off", "--corner-radius", "0", "--gap", "0",
             "--transition", "0", "--progress", "none", *options], stderr=subprocess.PIPE, text=True)
        (self.folder / f"{name}.txt").write_text(done.stderr)
        if done.returncode not in (0, 3):
            raise Failure(f"tessera exits with {done.returncode}: {done.stderr}")
        pixels = subprocess.run(
            ["ffmpeg", "-nostdin", "-v", "error", "-i", str(output), "-f", "rawvideo", "-pix_fmt", "gray", "-"],
            check=True, stdout=subprocess.PIPE).stdout
        size = WIDTH * HEIGHT
        return [pixels[at:at + size] for at in range(0, len(pixels), size)], done.returncode

    def card(self):
        """Returns the tile of a participant without pictures."""
        session = self.folder / "card.yaml"
        session.write_text(
            "version: 1\nparticipants: [ { id: ada, name: ada, tracks: "
            f"[ {{ file: {self.file.name}, kind: microphone }} ] }} ]\n")
        frames, _ = self.render(source=session, name="card")
        return frames[len(frames) // 2]

    def at(self, what):
        """Returns the frame in which the page did `what`."""
        return next(round(time * RATE / 1000) for time, event in self.log if event == what)

    def count(self, frame):
        """Returns the page's count at the middle of a frame."""
        counts = [event for time, event in self.log if isinstance(event, int) and time * RATE / 1000 <= frame + 0.5]
        return counts[-1] if counts else None


def read(frame, card):
    """Returns the content of a frame: a count, "black", "card" or "garbage"."""
    def luma(bit, top):
        rows = range(top + SIDE // 2 - 3, top + SIDE // 2 + 3)
        left = LEFT + STEP * bit + SIDE // 2 - 3
        return sum(sum(frame[WIDTH * y + left:WIDTH * y + left + 6]) for y in rows) / 36
    pairs = [(luma(bit, TOP), luma(bit, BOTTOM)) for bit in range(BITS)]
    if all(abs(a - b) > 100 for a, b in pairs):
        return sum(1 << bit for bit, (a, b) in enumerate(pairs) if a > b)
    if max(frame) < BLACK:
        return "black"
    distance = sum(abs(a - b) for a, b in zip(frame, card)) / len(frame)
    return "card" if distance < LIKE else "garbage"


def hold(case, frames, expected, card):
    """Compares frames with `expected`, which returns the set of permitted contents, or nothing if all are permitted."""
    seen = [read(frame, card) for frame in frames]
    for number, what in enumerate(seen):
        allowed = expected(number)
        if allowed is None:
            continue
        count = case.count(number)
        is_count = isinstance(what, int) and count is not None and abs(what - count) <= NEAR
        if not (what in allowed or is_count and "count" in allowed):
            raise Failure(f"frame {number} of {len(seen)} shows {what}, the page had drawn {count}; allowed: "
                          f"{', '.join(sorted(allowed))}; see {case.folder}")
    counts = sum(isinstance(what, int) for what in seen)
    kinds = ", ".join(f"{seen.count(kind)} {kind}" for kind in ("black", "card", "garbage") if kind in seen)
    return f"{len(seen)} frames, {counts} with the page's count{', ' if kinds else ''}{kinds}"


def disabled(case):
    """Checks a disabled track: the recorder writes black, and black is shown."""
    off, on = case.at("off"), case.at("on")
    frames, code = case.render()

    def expected(number):
        if number < AROUND or any(abs(number - border) <= AROUND for border in (off, on)):
            return None
        return {"black"} if off < number < on else {"count"}
    result = hold(case, frames, expected, case.card())
    if code != 0:
        raise Failure("a recording without a loss is reported with one (exit code 3).")
    return result


def standing(case):
    """Checks that the last picture is held while the file continues, or for --freeze-after if given."""
    card, still = case.card(), case.at("still")
    results = []
    for options, length in (((), None), (("--freeze-after", "2"), 2), (("--freeze-after", "0"), None)):
        frames, code = case.render(*options)

        def expected(number):
            end = still + length * RATE if length else len(frames)
            if number < AROUND or abs(number - end) <= AROUND:
                return None
            return {"count"} if number < end else {"card"}
        results.append(f"{' '.join(options) or 'by default'}: {hold(case, frames, expected, card)}")
        if code != 0:
            raise Failure("a recording without a loss is reported with one (exit code 3).")
    return "; ".join(results)


def resized(case):
    """Checks that undecodable pictures become a card with a reason, never garbage, and are reported."""
    frames, code = case.render()
    lost, top = frames[-1], frames[-1][:WIDTH * TOP * 3]
    if read(lost, case.card()) == "garbage" and max(top) - min(top) > LIKE:
        raise Failure(f"the last frame is neither a count nor a card; see {case.folder}")
    change = case.at("size")

    def expected(number):
        if number < AROUND:
            return None
        return {"count"} if number < change - AROUND else {"count", "card"}
    result = hold(case, frames, expected, lost)
    if "card" in result and code != 3:
        raise Failure("pictures that cannot be decoded are not reported (exit code 0).")
    return result


CASES = [
    ("disabled", disabled, "video/webm;codecs=vp8,opus", 8, [[2, "off"], [5, "on"]]),
    ("standing", standing, "video/webm;codecs=vp8,opus", 9, [[2, "still"]]),
    ("resized", resized, "video/mp4;codecs=avc1.42E01F,opus", 6, [[3, "size"]]),
]


def scenario(browser, options, folder):
    page = folder / "counter.html"
    page.write_text(PAGE)
    browser.open(page.as_uri())
    failed = 0
    for name, check, type, seconds, changes in CASES:
        if not browser.script("return MediaRecorder.isTypeSupported(arguments[0]);", type):
            print(f"{name}: skipped: this Chromium records no {type}.")
            continue
        try:
            case = Case(browser, options, folder, name, type, seconds, changes)
            print(f"{name}: {check(case)}")
        except Failure as failure:
            failed += 1
            print(f"{name}: FAILED: {failure}")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tessera", required=True)
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    missing = Chromium.missing()
    if missing:
        print(f"test-browsers: skipped: {missing}.", file=sys.stderr)
        return 0
    with tempfile.TemporaryDirectory(prefix="tessera-browsers-") as folder:
        kept = (options.keep or pathlib.Path(folder)).resolve()
        kept.mkdir(parents=True, exist_ok=True)
        browser = Chromium()
        try:
            return 1 if scenario(browser, options, kept) else 0
        finally:
            browser.close()


if __name__ == "__main__":
    sys.exit(main())
